import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSettings, silentLogger } from '@lectern/serving';
import type { Command } from './commands';
import { commands } from './commands';
import { KeyRequestError } from './keys-types';
import { keysFileName, openKeysFromSettings } from './open-keys';
import { parseCommand } from './parse-command';
import { keysSettings } from './settings';

export interface CommandSurroundings {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
}

/** The `keys` command. Resolves to the exit status; rejects, in one line, where the store or the settings are not to be used. */
export async function runKeysCommand(args: readonly string[], { env, out, err }: CommandSurroundings): Promise<number> {
  const parsed = parseCommand(args);
  if (parsed.kind === 'wrong') {
    err(parsed.reason);
    return 2;
  }
  if (parsed.kind === 'help') {
    out(parsed.text);
    return 0;
  }
  const { data, environment, json } = parsed.options;
  const settings = readSettings(
    { ...env, ...(data && { LECTERN_DATA: data }), ...(environment && { LECTERN_ENVIRONMENT: environment }) },
    keysSettings,
  );
  // A folder that was mistyped would else be made, and look like a service without keys.
  const file = resolve(settings.LECTERN_DATA, keysFileName);
  if (settings.DATABASE_URL === '' && parsed.name !== 'issue' && !existsSync(file)) {
    err(
      `There are no keys yet: no file ${file}. The first start of the service makes it, and so does the first key: keys issue --email you@example.org --name You\nIf they are elsewhere, name the folder with --data or LECTERN_DATA, or the database with DATABASE_URL.`,
    );
    return 1;
  }
  const keys = await openKeysFromSettings(settings, { log: silentLogger });
  try {
    const command: Command = commands[parsed.name];
    const {
      answer,
      text,
      isDone = true,
    } = await command.run(keys, { ...parsed, environment: settings.LECTERN_ENVIRONMENT });
    out(json === true ? JSON.stringify(answer) : text);
    return isDone ? 0 : 1;
  } catch (error) {
    if (!(error instanceof KeyRequestError)) throw error;
    err(error.message);
    return 1;
  } finally {
    await keys.close();
  }
}
