import { redactKeys } from '@lectern/serving';
import { Command, CommanderError } from 'commander';
import type { Environment } from '../token';
import type { KeyCommand, OptionName, OptionValues } from './commands';
import { keyCommands } from './commands';
import { createOption, isDefinedOption, takesValue, usageOf } from './options';

export interface CommandLine {
  readonly command: KeyCommand;
  /** The command's argument. Empty if it was left out. */
  readonly argument: string;
  readonly options: OptionValues & {
    readonly data?: string;
    readonly environment?: Environment;
    readonly json?: boolean;
  };
}

type ParsedCommandLine =
  | { readonly kind: 'command'; readonly commandLine: CommandLine }
  /** The help was printed, and no command is to be run. */
  | { readonly kind: 'help' }
  /** The command line is invalid. The error was printed with the help. */
  | { readonly kind: 'invalid' };

/** The functions that write text. Each text ends with a line feed. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const exitStatusHelp = 'Exit status: 0 done, 1 failed, 2 invalid command line.';

/** Parses the arguments of `keys`. Prints the help, or what is invalid. */
export function parseCommandLine(args: readonly string[], output: Output): ParsedCommandLine {
  let commandLine: CommandLine | null = null;
  const program = createProgram(output, (parsed) => (commandLine = parsed));
  try {
    program.parse(keyEndingsLast(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: error.exitCode === 0 ? 'help' : 'invalid' };
  }
  return commandLine ? { kind: 'command', commandLine } : { kind: 'help' };
}

/**
 * An operator may name a key by its last four characters, and these may begin with a hyphen. Moves
 * such words behind `--`, because commander would read them as options. No option of ours has four
 * characters. A word that follows an option with a value is this value, and stays where it is.
 */
function keyEndingsLast(args: readonly string[]): string[] {
  const isEnding = (arg: string, index: number): boolean =>
    /^-[\w-]{3}$/.test(arg) && !takesValue(args[index - 1] ?? '');
  const endings = args.filter(isEnding);
  return endings.length === 0 ? [...args] : [...args.filter((arg, index) => !isEnding(arg, index)), '--', ...endings];
}

function createProgram({ stdout, stderr }: Output, onParsed: (commandLine: CommandLine) => void): Command {
  const program: Command = new Command('npm run keys --')
    .usage('COMMAND [options]')
    .argument('[command]')
    .addOption(createOption('data'))
    .option('--json', 'Print JSON.')
    .helpOption('-h, --help', 'Print this text, or the help of a command.')
    .helpCommand(false)
    .allowExcessArguments()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.replace(' [options]', ''),
    })
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      outputError: (message, write) => write(describeUsageError(message)),
    })
    .showHelpAfterError()
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText(
      'after',
      `\n${exitStatusHelp}\nThe keys are in the database at DATABASE_URL if it is set, else in keys.sqlite. Help of a command: npm run keys -- COMMAND --help\nissue --environment live|test issues a key of that environment (default: LECTERN_ENVIRONMENT, else test).`,
    )
    .action((word: string | undefined) =>
      program.error(word === undefined ? 'Which command?' : `Unknown command '${redactKeys(word)}'.`),
    );
  for (const command of keyCommands) addCommand(program, command, onParsed);
  addHelpCommand(program);
  return program;
}

/**
 * Adds `keys help` and `keys help COMMAND`. For an unknown COMMAND, the help of all commands is
 * printed.
 */
function addHelpCommand(program: Command): void {
  program
    .command('help', { hidden: true })
    .argument('[command]')
    .allowExcessArguments()
    .allowUnknownOption()
    .action((name: string | undefined) =>
      (program.commands.find((command) => command.name() === name) ?? program).outputHelp(),
    );
}

function addCommand(program: Command, command: KeyCommand, onParsed: (commandLine: CommandLine) => void): void {
  const { name, summary, notes, argument: placeholder } = command;
  const { requiredOptions, alternativeOptions = [], optionalOptions } = command;
  const usage = [...(placeholder === null ? [] : [placeholder]), ...requiredOptions.map(usageOf), '[options]'];
  const subcommand = program
    .command(name)
    .usage(usage.join(' '))
    .summary(summary)
    .description(notes === '' ? summary : `${summary}\n${notes}`)
    .argument('[id]')
    .argument('[excess...]')
    .addHelpText('after', `\n${exitStatusHelp}`)
    .configureOutput({ outputError: (message, write) => write(describeUsageError(message, name)) });
  for (const option of [...requiredOptions, ...alternativeOptions, ...optionalOptions])
    subcommand.addOption(createOption(option));
  // Every command accepts --environment, for scripts that pass it to each. Only `issue` uses it,
  // and shows the option in its help.
  if (!optionalOptions.includes('environment')) subcommand.addOption(createOption('environment').hideHelp());
  subcommand.action((id: string | undefined, excess: readonly string[]) => {
    const options = subcommand.optsWithGlobals<CommandLine['options']>();
    const argument = id ?? '';
    const problem = findExcess(command, argument, excess) ?? findMissing(command, argument, options);
    if (problem !== null) subcommand.error(problem);
    onParsed({ command, argument, options });
  });
}

/** Returns the error text for an excess argument, or null if there is none. */
function findExcess(
  { name, argument: placeholder }: KeyCommand,
  argument: string,
  excess: readonly string[],
): string | null {
  const word = placeholder === null && argument !== '' ? argument : excess[0];
  if (word === undefined) return null;
  const isCommand = keyCommands.some((each) => each.name === word);
  return `Too many arguments: ${name} takes ${placeholder === null ? 'none' : 'one'}. Remove '${redactKeys(word)}'${isCommand ? ', because only one command can run at a time' : ''}.`;
}

/**
 * Names all required arguments and options that are missing, or returns null. Commander would name
 * only the first missing argument or option.
 */
function findMissing(
  { name, argument: placeholder, requiredOptions, alternativeOptions = [] }: KeyCommand,
  argument: string,
  options: OptionValues,
): string | null {
  const needsId = argument === '' && (placeholder === 'KEY' || placeholder === 'REQUEST');
  const present = new Set(Object.keys(options));
  const isMissing = (option: OptionName): boolean => !present.has(camelCase(option));
  const missing = [
    ...(needsId ? [`the id of a ${placeholder.toLowerCase()}`] : []),
    ...requiredOptions.filter(isMissing).map(usageOf),
    ...(alternativeOptions.length > 0 && alternativeOptions.every(isMissing)
      ? [alternativeOptions.map(usageOf).join(' or ')]
      : []),
  ];
  if (missing.length === 0) return null;
  const hint = needsId ? ` See: keys ${placeholder === 'KEY' ? 'list' : 'requests'}` : '';
  return `${name} needs ${missing.join(' and ')}.${hint}`;
}

/** Returns commander's property name of an option. */
const camelCase = (option: string): string => option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Rewrites commander's error texts, which carry no data besides the text, as sentences for
 * operators.
 */
function describeUsageError(message: string, commandName?: string): string {
  const invalidValue = /^error: option '.*' argument '.*' is invalid\. ([^]*)$/.exec(message)?.[1];
  if (invalidValue !== undefined) return invalidValue;
  const withoutValue = /^error: option '(--[\w-]+).*' argument missing/.exec(message)?.[1];
  if (withoutValue !== undefined) return `${withoutValue} needs a value.\n`;
  const unknown = /^error: unknown option '([^]*)'/.exec(message)?.[1];
  if (unknown === undefined) return message;
  const [flag = ''] = unknown.split('=');
  if (flag === '--json' || flag === '--help') return `${flag} takes no value.\n`;
  return commandName !== undefined && isDefinedOption(flag)
    ? `${commandName} does not take ${flag}.\n`
    : `There is no option ${unknown}.\n`;
}
