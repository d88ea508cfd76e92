import { settings as gatewaySettings } from '@lectern/gateway';
import { semanticSettings } from '@lectern/search';
import { readSettings } from '@lectern/serving';
import { str } from 'envalid';

// The subgraphs are in this process: there is nothing to say about where they are, nor a load balancer in front.
const {
  SUPERGRAPH: _supergraph,
  SUPERGRAPH_POLL_MS: _poll,
  SUBGRAPH_URLS: _urls,
  SUBGRAPH_SECRET: _secret,
  SUBGRAPH_TIMEOUT_MS: _timeout,
  SUBGRAPH_HEDGE_MS: _patience,
  SUBGRAPH_CONNECTIONS: _connections,
  DRAIN_MS: _drain,
  ...ownSettings
} = gatewaySettings;

/** What the whole service in one process reads from its environment: the gateway's settings, and quieter logs, for there is a person at the terminal. */
export const settings = {
  ...ownSettings,
  LOG_LEVEL: str({
    default: 'warn',
    choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'The least level that is logged.',
  }),
  ...semanticSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);

/** What building the data reads. Looked at before it begins, for it takes minutes. */
export const readDataConfig = (env: NodeJS.ProcessEnv) =>
  readSettings(env, { LECTERN_DATA: ownSettings.LECTERN_DATA, ...semanticSettings });
