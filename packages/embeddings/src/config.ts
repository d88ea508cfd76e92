import { cleanEnv, port, str } from 'envalid';
import { settings } from './settings';

/** What `npm run embeddings` reads besides: where it listens, and where the texts are. */
export const commandSettings = {
  HOST: str({ default: '127.0.0.1', desc: 'The address that `npm run embeddings -- serve` listens on.' }),
  PORT: port({ default: 4010, desc: 'The port that `npm run embeddings -- serve` listens on.' }),
  LOG_LEVEL: str({ default: 'info', choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'], desc: 'The least level that is logged.' }),
  LECTERN_DATA: str({ default: 'data', desc: 'The folder with corpus.sqlite, into which vectors are built.' }),
  ...settings,
};

export const readConfig = (env: NodeJS.ProcessEnv) => cleanEnv(env, commandSettings, { reporter: ({ errors }) => refuse(errors) });

function refuse(errors: Readonly<Record<string, Error | undefined>>): void {
  const faults = Object.entries(errors).map(([name, error]) => `${name}: ${error?.message ?? 'is not right'}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
