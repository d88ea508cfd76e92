import { address, folder, port, readSettings } from '@lectern/serving';
import { str } from 'envalid';
import { embeddingsSettings } from './embedder-settings';

/** The environment variables of `npm run embeddings`. */
export const commandSettings = {
  HOST: address({ default: '127.0.0.1', desc: 'The address that `npm run embeddings -- serve` listens on.' }),
  PORT: port({ default: 4010, desc: 'The port that `npm run embeddings -- serve` listens on.' }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'The minimum level of logged messages.',
  }),
  LECTERN_DATA: folder({ default: 'data', desc: 'The folder with the translations, in which vectors are built.' }),
  ...embeddingsSettings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, commandSettings);
