import { settings as gatewaySettings } from '@lectern/gateway';
import { semanticSettings } from '@lectern/search';
import { readSettings } from '@lectern/serving';
import { parserSettings, workSettings } from '@lectern/subgraph';
import { str } from 'envalid';

// The rest excludes the gateway's settings for remote subgraphs, because the subgraphs run in this
// process.
const {
  SUPERGRAPH: _supergraph,
  SUPERGRAPH_POLL_MS: _poll,
  SUBGRAPH_URLS: _urls,
  SUBGRAPH_SECRET: _secret,
  SUBGRAPH_TIMEOUT_MS: _timeout,
  SUBGRAPH_HEDGE_MS: _hedge,
  SUBGRAPH_CONNECTIONS: _connections,
  ...ownSettings
} = gatewaySettings;

/**
 * The environment variables of the embedded service. The embedded service logs less than a gateway,
 * because a person reads the terminal.
 */
export const settings = {
  ...ownSettings,
  LOG_LEVEL: str({
    default: 'warn',
    choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'The minimum level of logged messages.',
  }),
  ...workSettings,
  ...parserSettings,
  ...semanticSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);

/**
 * Reads the settings of `npm run data`. Throws before the build, which takes minutes, if a setting
 * is invalid.
 */
export const readDataConfig = (env: NodeJS.ProcessEnv) =>
  readSettings(env, { LECTERN_DATA: ownSettings.LECTERN_DATA, ...semanticSettings });
