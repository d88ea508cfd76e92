import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorMessage, readSettings, redactKeys, silentLogger } from '@lectern/serving';
import { Command, CommanderError, type Option } from 'commander';
import { keysFileName, openKeysFromSettings } from '../open-keys';
import { keysSettings } from '../settings';
import { validateName } from '../validation';
import {
  findOption,
  hiddenEnvironment,
  type KeyCommand,
  keyCommands,
  type OptionValues,
  options,
  type ReadUsage,
  usageOf,
} from './commands';

interface CommandLine {
  readonly command: KeyCommand;
  /** The argument of the command. Empty if absent. */
  readonly argument: string;
  readonly translations: readonly string[];
  readonly options: OptionValues;
}

/** The functions that write text. Each text ends with a line feed. */
interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

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

const mailingCommands = new Set(['approve', 'reject', 'resend']);
const noMailSettings = { SMTP_URL: undefined, MAIL_FROM: undefined, MAIL_OUTBOX: undefined, PUBLIC_URL: undefined };

async function execute(
  { command, argument, translations, options }: CommandLine,
  { env, stdout, stderr, readUsage = async () => ({ kind: 'not-shared' }) }: CommandContext,
): Promise<number> {
  const { data, json } = options;
  const settings = readSettings(
    {
      ...env,
      ...(!mailingCommands.has(command.name) && noMailSettings),
      ...(data && { LECTERN_DATA: data }),
      ...(options.environment && { LECTERN_ENVIRONMENT: options.environment }),
    },
    keysSettings,
  );
  // Opening a missing file would create it, and a mistyped folder would seem to have no keys.
  const file = resolve(settings.LECTERN_DATA, keysFileName);
  if (settings.DATABASE_URL === '' && !existsSync(file) && command.name !== 'issue') {
    stderr(
      `There are no keys yet: no file ${file}. The first start of the service makes it, and so does the first key: npm run keys -- issue --email you@example.org --name You\nIf they are elsewhere, name the folder with --data or LECTERN_DATA, or the database with DATABASE_URL.\n`,
    );
    return 1;
  }
  const keys = await openKeysFromSettings(settings, { log: silentLogger });
  try {
    const environment = settings.LECTERN_ENVIRONMENT;
    const by = options.operator === undefined ? 'command' : `${validateName(options.operator)} (command)`;
    const result = await command.run(keys, { argument, translations, environment, by, options, readUsage });
    for (const warning of [result.warning, await keys.pepperWarning()]) if (warning) stderr(`${warning}\n`);
    stdout(`${json ? JSON.stringify(result.json) : result.text}\n`);
    return result.isComplete === false ? 1 : 0;
  } finally {
    await keys.close();
  }
}

const exitStatusHelp = 'Exit status: 0 done, 1 failed, 2 invalid command line.';

/** Returns an exit status if there is no command to run: 0 after the help, 2 after an error. */
function parseCommandLine(args: readonly string[], output: Output): CommandLine | 0 | 2 {
  let commandLine: CommandLine | 0 = 0;
  const program = createProgram(output, (parsed) => (commandLine = parsed));
  try {
    program.parse(keyEndingsLast(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return commandLine;
}

/** Moves arguments such as `-ab1`, which may be the end of a key, behind `--`. `--by` is an option. */
function keyEndingsLast(args: readonly string[]): string[] {
  const isEnding = (arg: string, index: number): boolean =>
    isKeyEnding(arg) && !findOption(args[index - 1] ?? '')?.required;
  const endings = args.filter(isEnding);
  return endings.length === 0 ? [...args] : [...args.filter((arg, index) => !isEnding(arg, index)), '--', ...endings];
}

const isKeyEnding = (arg: string): boolean => /^-[\w-]{3}$/.test(arg) && !findOption(arg);

function createProgram({ stdout, stderr }: Output, onParsed: (commandLine: CommandLine) => void): Command {
  const program: Command = new Command('npm run keys --')
    .usage('COMMAND [options]')
    .argument('[command]')
    .addOption(options.data)
    .addOption(options.operator)
    .option('--json', 'Print JSON.')
    .helpOption('-h, --help', 'Print this text, or the help of a command.')
    .helpCommand(false)
    .allowExcessArguments()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.replace(' [options]', ''),
    })
    .configureOutput({ writeOut: stdout, writeErr: stderr, outputError: (text, write) => write(withHelp(text)) })
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText(
      'after',
      `\n${exitStatusHelp}\nThe keys are in the database at DATABASE_URL if it is set, else in keys.sqlite. Help of a command: npm run keys -- COMMAND --help\nissue --environment live|test issues a key of that environment (default: LECTERN_ENVIRONMENT, else test).`,
    )
    .action((word: string | undefined) =>
      program
        .showHelpAfterError(word === undefined)
        .error(word === undefined ? 'Which command?' : `Unknown command '${redactKeys(word)}'.`),
    );
  for (const command of keyCommands) addCommand(program, command, onParsed);
  // commander's own `help` fails for an unknown command. This replacement prints the help of all commands instead.
  program
    .command('help', { hidden: true })
    .argument('[command]')
    .allowExcessArguments()
    .allowUnknownOption()
    .action((name: string | undefined) =>
      (program.commands.find((command) => command.name() === name) ?? program).outputHelp(),
    );
  return program;
}

/** Adds to an error where the help is, on the same line. */
const withHelp = (text: string): string => `${text.trimEnd().replace(/(?<![.?])$/, '.')} See --help.\n`;

function addCommand(program: Command, command: KeyCommand, onParsed: (commandLine: CommandLine) => void): void {
  const { name, summary, notes, required = [], oneOf = [], optional = [] } = command;
  const subcommand = program
    .command(name)
    .usage([command.argument, ...required.map(usageOf), '[options]'].filter(Boolean).join(' '))
    .summary(summary)
    .description(notes ? `${summary}\n${notes}` : summary)
    .argument('[id]')
    .argument('[excess...]')
    .addHelpText('after', `\n${exitStatusHelp}`);
  for (const option of [...required, ...oneOf, ...optional]) subcommand.addOption(option);
  if (!optional.includes(options.environment)) subcommand.addOption(hiddenEnvironment);
  subcommand.action((first = '', others: readonly string[]) => {
    const values = subcommand.optsWithGlobals<OptionValues>();
    const takesTranslations = command.argument === 'KEY TRANSLATION...';
    const ending = takesTranslations ? others.find(isKeyEnding) : undefined;
    const argument = ending ?? first;
    const translations = takesTranslations ? [first, ...others].filter((each) => each !== argument && each !== '') : [];
    const problem =
      findExcess(command, argument, takesTranslations ? [] : others) ??
      findMissing(command, argument, values, translations);
    if (problem !== null) subcommand.error(problem);
    onParsed({ command, argument, translations, options: values });
  });
}

function findExcess(command: KeyCommand, argument: string, excess: readonly string[]): string | null {
  const word = command.argument === undefined && argument !== '' ? argument : excess[0];
  if (word === undefined) return null;
  const isCommand = keyCommands.some(({ name }) => name === word);
  return `Too many arguments: ${command.name} takes ${command.argument ? 'one' : 'none'}. Remove '${redactKeys(word)}'${isCommand ? ', because only one command can run at a time' : ''}.`;
}

/** Returns all missing arguments and options. Commander alone would name only the first. */
function findMissing(
  { name, argument: placeholder, required = [], oneOf = [] }: KeyCommand,
  argument: string,
  values: OptionValues,
  translations: readonly string[],
): string | null {
  const needsId = argument === '' && placeholder !== undefined && placeholder !== '[REQUEST]';
  const isMissing = (option: Option): boolean => !Object.hasOwn(values, option.attributeName());
  const missing = [
    ...(needsId ? [`the id of a ${placeholder === 'REQUEST' ? 'request' : 'key'}`] : []),
    ...(placeholder === 'KEY TRANSLATION...' && translations.length === 0 ? ['a translation'] : []),
    ...required.filter(isMissing).map(usageOf),
    ...(oneOf.length > 0 && oneOf.every(isMissing) ? [oneOf.map(usageOf).join(' or ')] : []),
  ];
  if (missing.length === 0) return null;
  const hint = needsId ? ` See: npm run keys -- ${placeholder === 'REQUEST' ? 'requests' : 'list'}` : '';
  return `${name} needs ${missing.join(' and ')}.${hint}`;
}
