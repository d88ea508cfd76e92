import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorMessage, readSettings, silentLogger } from '@lectern/serving';
import { keysFileName, openKeysFromSettings } from '../open-keys';
import { keysSettings } from '../settings';
import type { ReadUsage } from './commands';
import { type CommandLine, type Output, parseCommandLine } from './parse';

interface CommandContext extends Output {
  readonly env: NodeJS.ProcessEnv;
  /** Reads the usage of keys. If absent, the usage is unknown. */
  readonly readUsage?: ReadUsage;
}

/** Resolves to the exit status: 0 done, 1 failed, 2 invalid command line. */
export async function runKeysCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseCommandLine(args, context);
  if (typeof parsed === 'number') return parsed;
  try {
    return await execute(parsed, context);
  } catch (error) {
    context.stderr(`${errorMessage(error)}\n`);
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
  // The file is checked first: opening a missing file would create it, and a mistyped folder would seem to have no
  // keys.
  const file = resolve(settings.LECTERN_DATA, keysFileName);
  if (settings.DATABASE_URL === '' && !existsSync(file) && command.name !== 'issue') {
    stderr(
      `There are no keys yet: no file ${file}. The first start of the service makes it, and so does the first key: keys issue --email you@example.org --name You\nIf they are elsewhere, name the folder with --data or LECTERN_DATA, or the database with DATABASE_URL.\n`,
    );
    return 1;
  }
  const keys = await openKeysFromSettings(settings, { log: silentLogger });
  try {
    const result = await command.run(keys, { argument, environment: settings.LECTERN_ENVIRONMENT, options, readUsage });
    if (result.warning !== undefined) stderr(`${result.warning}\n`);
    stdout(`${json ? JSON.stringify(result.json) : result.text}\n`);
    return result.isComplete === false ? 1 : 0;
  } finally {
    await keys.close();
  }
}
