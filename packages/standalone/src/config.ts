import { settings as gatewaySettings } from '@lectern/gateway';
import { semanticSettings } from '@lectern/search';
import { cleanEnv, str } from 'envalid';

const { LECTERN_DATA, LECTERN_ENVIRONMENT, HOST, PORT, KEY_PEPPER, MAX_BODY_BYTES, MAX_TOKENS, MAX_DEPTH, MAX_COMPLEXITY, CORS_ORIGINS } = gatewaySettings;

/** What the whole service in one process reads from its environment: the gateway's settings, and quieter logs, for there is a person at the terminal. */
export const settings = {
  LECTERN_DATA, LECTERN_ENVIRONMENT, HOST, PORT, KEY_PEPPER, MAX_BODY_BYTES, MAX_TOKENS, MAX_DEPTH, MAX_COMPLEXITY, CORS_ORIGINS,
  LOG_LEVEL: str({ default: 'warn', choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], desc: 'The least level that is logged.' }),
  ...semanticSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => cleanEnv(env, settings);
