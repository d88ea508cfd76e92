import { defaultOfflineTranslations, offlineRateSetting, parseOfflineTranslations } from '@lectern/corpus';
import { singleProcessSettings } from '@lectern/gateway';
import { semanticSettings } from '@lectern/search';
import {
  checkWorkers,
  httpUrl,
  logLevel,
  memorySettings,
  parserSettings,
  readSettings,
  textFor,
} from '@lectern/serving';
import { workSettings } from '@lectern/subgraph';

/** The minimum memory of the service with semantic search, in megabytes. */
const minMemoryMb = 384;

const offlineSettings = {
  OFFLINE_TRANSLATIONS: textFor(parseOfflineTranslations)({
    default: defaultOfflineTranslations,
    desc: 'The translations with offline packages, separated by commas. free: those in the public domain or under CC0, CC-BY or CC-BY-SA. Identifiers add translations whose packages you may pass on. Run `npm run data` after a change. Empty: none.',
  }),
};

export const settings = {
  ...singleProcessSettings,
  ...memorySettings(minMemoryMb),
  // The default is `warn`, less than for a gateway, because a person reads the terminal.
  LOG_LEVEL: logLevel({ default: 'warn', desc: 'The minimum level of logged messages.' }),
  ...workSettings,
  ...parserSettings,
  ...semanticSettings,
  ...offlineSettings,
  OFFLINE_RATE_PER_MINUTE: offlineRateSetting,
  OFFLINE_BASE_URL: httpUrl({
    default: '',
    desc: 'The URL below which clients download offline packages, if another host serves them: the folder to which `npm run corpus -- export` copied them. Empty: PUBLIC_URL.',
  }),
};

export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readSettings(env, settings);
  checkWorkers(config, minMemoryMb);
  return config;
}

/** Reads the settings of `npm run data`, so that an invalid one is rejected before the build, which takes minutes. */
export const readDataConfig = (env: NodeJS.ProcessEnv) =>
  readSettings(env, { LECTERN_DATA: singleProcessSettings.LECTERN_DATA, ...semanticSettings, ...offlineSettings });
