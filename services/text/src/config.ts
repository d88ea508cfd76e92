import { address, folder, port, readSettings } from '@lectern/serving';
import { telemetrySettings } from '@lectern/telemetry';
import { str } from 'envalid';

/** What the text subgraph reads from its environment. docs/settings.md lists it, and a test holds that page to this. */
export const settings = {
  LECTERN_DATA: folder({ default: 'data', desc: 'The folder that holds corpus.sqlite.' }),
  HOST: address({ default: '127.0.0.1', desc: 'The address the text subgraph listens on.' }),
  PORT: port({ default: 4001, desc: 'The port the text subgraph listens on.' }),
  SUBGRAPH_SECRET: str({ default: '', desc: 'The secret that gateways have to know, at least 32 characters, the same there. While it is changed, two with a comma between: either is good. Empty: anybody may ask, and HOST has to be of this machine alone.' }),
  FAST_PATH: str({ default: 'on', choices: ['on', 'off'], desc: 'Whether operations are compiled, once each, and answered without Apollo Server where that can be. The answers are the same either way: docs/fast-path.md.' }),
  ...telemetrySettings,
  LOG_LEVEL: str({ default: 'info', choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], desc: 'The least level that is logged.' }),
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
