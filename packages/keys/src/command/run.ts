import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSettings, silentLogger } from '@lectern/serving';
import { keysFileName, openKeysFromSettings } from '../open';
import type { KeysSettings } from '../settings';
import { keysSettings } from '../settings';
import type { ReadUsage } from '../types';
import type { CommandLine, Output } from './parse';
import { parseCommandLine } from './parse';

interface CommandContext extends Output {
  readonly env: NodeJS.ProcessEnv;
  /**
   * Reads each key's requests and embedding calls of today. Without this function, the usage is
   * unknown.
   */
  readonly readUsage?: ReadUsage;
}

/**
 * Runs the `keys` command with these arguments. Resolves to the exit status: 0 done, 1 failed, 2
 * invalid command line. Writes the reason of a failure to stderr.
 */
export async function runKeysCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseCommandLine(args, context);
  if (parsed.kind !== 'command') return parsed.kind === 'help' ? 0 : 2;
  try {
    return await execute(parsed.commandLine, context);
  } catch (error) {
    context.stderr(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function execute(
  { command, argument, options }: CommandLine,
  { env, stdout, stderr, readUsage = async () => ({ kind: 'not-shared' }) }: CommandContext,
): Promise<number> {
  const { data, environment, json } = options;
  const settings = readSettings(
    { ...env, ...(data && { LECTERN_DATA: data }), ...(environment && { LECTERN_ENVIRONMENT: environment }) },
    keysSettings,
  );
  const missingStore = findMissingStore(settings);
  if (missingStore !== null && command.name !== 'issue') {
    stderr(
      `There are no keys yet: no file ${missingStore}. The first start of the service makes it, and so does the first key: keys issue --email you@example.org --name You\nIf they are elsewhere, name the folder with --data or LECTERN_DATA, or the database with DATABASE_URL.\n`,
    );
    return 1;
  }
  const keys = await openKeysFromSettings(settings, { log: silentLogger });
  try {
    const result = await command.run(keys, { argument, environment: settings.LECTERN_ENVIRONMENT, options, readUsage });
    if (result.warning !== undefined) stderr(`${result.warning}\n`);
    stdout(`${json === true ? JSON.stringify(result.json) : result.text}\n`);
    return result.isComplete === false ? 1 : 0;
  } finally {
    await keys.close();
  }
}

/**
 * Returns the path of the SQLite file if it does not exist. Opening a missing file would create the
 * file. With a mistyped folder, the new file would look like a service without keys.
 */
function findMissingStore({ DATABASE_URL, LECTERN_DATA }: KeysSettings): string | null {
  const file = resolve(LECTERN_DATA, keysFileName);
  return DATABASE_URL === '' && !existsSync(file) ? file : null;
}
