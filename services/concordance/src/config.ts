import { cleanEnv, host, port, str } from 'envalid';

/** What the concordance subgraph reads from its environment. docs/settings.md lists it, and a test holds that page to this. */
export const settings = {
  LECTERN_DATA: str({ default: 'data', desc: 'The folder that holds concordance.sqlite.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address the concordance subgraph listens on.' }),
  PORT: port({ default: 4003, desc: 'The port the concordance subgraph listens on.' }),
  LOG_LEVEL: str({ default: 'info', choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], desc: 'The least level that is logged.' }),
};

export const readConfig = (env: NodeJS.ProcessEnv) => cleanEnv(env, settings);
