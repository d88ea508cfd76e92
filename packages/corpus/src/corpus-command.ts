import { Command, CommanderError } from 'commander';
import {
  type ActionContext,
  buildAction,
  fetchAction,
  importAction,
  listAction,
  removeAction,
  verifyAction,
} from './command-actions';
import { isImportError } from './import-messages';
import { isCorpusError } from './open-corpus';
import type { GivenMetadata } from './translation-metadata';

export interface CommandIo {
  stdout: Pick<NodeJS.WritableStream, 'write'>;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
  env: NodeJS.ProcessEnv;
  /**
   * The folders with installed modules, as in `FetchOptions`. Tests set this, so that modules
   * installed on the machine change no result.
   */
  swordRoots?: readonly string[];
}

/**
 * The exit code for a command line that cannot be parsed, or whose options contradict each other.
 */
const usageExitCode = 2;
const maxFilesPerImport = 1_000;

/** Runs one command line. Returns the exit code: 0 success, 1 failure, 2 a usage error. */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io, (code) => {
    exitCode = code;
  });
  const label = program.commands.some((command) => command.name() === argv[0]) ? `corpus ${argv[0]}` : 'corpus';
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usageResult(error, label, program, io);
    if (!isImportError(error) && !isCorpusError(error) && !isSystemError(error)) throw error;
    io.stderr.write(`${label}: ${error.message}\n`);
    return 1;
  }
}

/** Prints a usage error as one line. commander throws for a printed help text too. */
function usageResult(
  { code, exitCode, message }: CommanderError,
  label: string,
  program: Command,
  io: CommandIo,
): number {
  if (exitCode === 0) return 0;
  // Called without a command: commander has written the help text to stderr.
  if (code === 'commander.help') return usageExitCode;
  const names = program.commands.map((command) => command.name()).join(', ');
  const hint = code === 'commander.unknownCommand' ? `; the commands are: ${names}` : '';
  io.stderr.write(`${label}: ${message.replace(/^error: /, '')}${hint}\n`);
  return usageExitCode;
}

/**
 * Returns true for an error of the operating system, such as a full disk or a missing permission.
 */
const isSystemError = (error: unknown): error is Error => typeof (error as NodeJS.ErrnoException).syscall === 'string';

interface CommonOptions {
  data?: string;
  json?: boolean;
}

function createProgram(io: CommandIo, setExitCode: (code: number) => void): Command {
  const program = new Command('npm run corpus --')
    .description('Builds data/corpus.sqlite, the Bible text that all services read.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // `run` prints the error, in one line.
      outputError: () => undefined,
    });

  const contextOf = ({ data, json = false }: CommonOptions): ActionContext => ({
    dataDir: data ?? (io.env['LECTERN_DATA'] || 'data'),
    env: io.env,
    swordRoots: io.swordRoots,
    json,
    print: (line) => io.stdout.write(`${line}\n`),
    log: (line) => io.stderr.write(`${line}\n`),
  });
  const addCommand = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--data <folder>', 'folder of corpus.sqlite and the sources (default: LECTERN_DATA, else data)')
      .option('--json', 'print results as JSON');

  addCommand('fetch', 'Downloads the SWORD modules of the default translations, unless they are installed.').action(
    async (options: CommonOptions) => setExitCode(await fetchAction(contextOf(options))),
  );
  addCommand(
    'build',
    'Builds the corpus from its sources and downloads missing ones. Does nothing if it is up to date.',
  )
    .option('--force', 'build even if nothing has changed')
    .action(async ({ force = false, ...options }: CommonOptions & { force?: boolean }) =>
      setExitCode(await buildAction(contextOf(options), force)),
    );
  addImportOptions(
    addCommand(
      'import',
      'Adds translations: USFX, OSIS or Zefania XML files, or SWORD modules (a .conf file, or a folder with mods.d).',
    ),
  ).action(async (files: string[], { data, json, replace = false, ...given }: ImportOptions, command: Command) => {
    checkImport(files, given, command);
    setExitCode(
      await importAction(contextOf({ ...(data !== undefined && { data }), ...(json && { json }) }), files, {
        ...given,
        replace,
      }),
    );
  });
  addCommand('list', 'Lists the translations of the corpus.').action(async (options: CommonOptions) =>
    setExitCode(await listAction(contextOf(options))),
  );
  addCommand('remove', 'Removes an imported translation from the corpus.')
    .argument('<identifier>')
    .action(async (identifier: string, options: CommonOptions) =>
      setExitCode(await removeAction(contextOf(options), identifier)),
    );
  addCommand(
    'verify',
    'Reads the whole corpus and compares it with its digests, the known verse counts and the sources on this machine.',
  ).action(async (options: CommonOptions) => setExitCode(await verifyAction(contextOf(options))));
  return program;
}

type ImportOptions = CommonOptions & GivenMetadata & { replace?: boolean };

const addImportOptions = (command: Command): Command =>
  command
    .argument('<file...>')
    .option('--identifier <id>', 'identifier, such as deu-luther (default: the file name up to its first dot)')
    .option('--name <text>', 'full name (default: the title in the file)')
    .option('--abbrev <text>', 'short name')
    .option('--language <code>', 'ISO 639-3 code, such as eng (default: the language in the file)')
    .option('--note <text>', 'licence or attribution')
    .option('--numbering <name>', 'verse numbering: standard (the default) or rv1909')
    .option('--replace', 'replace a translation of the same identifier');

function checkImport(files: readonly string[], { identifier, name, abbrev }: GivenMetadata, command: Command): void {
  if (files.length > maxFilesPerImport) command.error(`at most ${maxFilesPerImport} files can be imported at a time`);
  if (files.length > 1 && (identifier ?? name ?? abbrev) !== undefined)
    command.error('--identifier, --name and --abbrev are for one file at a time');
}
