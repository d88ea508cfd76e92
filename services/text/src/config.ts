import { offlineRateSetting } from '@lectern/corpus';
import { httpUrl, parserSettings, readSettings, trustedProxiesSetting, wholeNumber } from '@lectern/serving';
import { subgraphSettings } from '@lectern/subgraph';

export const defaultOfflineBaseUrl = 'http://localhost:4010';

export const settings = {
  ...subgraphSettings({
    name: 'text',
    defaultPort: 4001,
    data: 'the text.sqlite and the offline packages of each translation',
  }),
  ...parserSettings,
  OFFLINE_BASE_URL: httpUrl({
    default: defaultOfflineBaseUrl,
    desc: 'The URL below which clients download offline packages: the public URL of OFFLINE_PORT, or the host to which `npm run corpus -- export` copied the packages.',
  }),
  OFFLINE_PORT: wholeNumber(
    0,
    65_535,
  )({
    default: 4010,
    desc: 'The port of HOST at which clients download offline packages, without a key; 0 for none. All downloads together get about 30 MB/s.',
  }),
  OFFLINE_RATE_PER_MINUTE: offlineRateSetting,
  TRUSTED_PROXIES: trustedProxiesSetting,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
