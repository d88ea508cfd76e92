import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Command, CommandContext } from './command';
import { buildCommand, fetchCommand, importCommand, listCommand, removeCommand, verifyCommand } from './commands';
import { isImportError } from './import-error';
import { isCorpusError } from './open-corpus';

const commands: readonly Command[] = [
  fetchCommand,
  buildCommand,
  importCommand,
  listCommand,
  removeCommand,
  verifyCommand,
];

const common: Command['options'] = {
  data: ['DIR', 'where corpus.sqlite and the sources lie (default: data, or LECTERN_DATA)'],
  json: ['', 'results as JSON'],
  help: ['', 'this text'],
};

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
}

/** Runs one command line and gives the exit code: 0 done, 1 it failed, 2 it was not understood. */
export async function runCommandLine(argv: readonly string[], { env, out, err }: Surroundings): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? err : out)(overview());
    return name === undefined ? 2 : 0;
  }
  const command = commands.find((known) => known.name === name);
  if (!command) {
    err(`'${name}' is no command; these are: ${commands.map((known) => known.name).join(', ')}`);
    return 2;
  }
  const parsed = parse(command, rest);
  if (typeof parsed === 'string') {
    err(`corpus ${name}: ${parsed}\n${usageLine(command)}`);
    return 2;
  }
  if (parsed.flag('help')) {
    out(manual(command));
    return 0;
  }
  try {
    const dataDir = parsed.option('data') ?? (env['LECTERN_DATA'] || 'data');
    return await command.run({ ...parsed, env, dataDir, json: parsed.flag('json'), out, log: err });
  } catch (error) {
    if (!isImportError(error) && !isCorpusError(error) && !isSystemError(error)) throw error;
    err(`corpus ${name}: ${error.message}`);
    return 1;
  }
}

/** A full disk, a folder without permission: the machine's fault, told in its own words. */
const isSystemError = (error: unknown): error is Error => typeof (error as NodeJS.ErrnoException).syscall === 'string';

function parse(command: Command, argv: readonly string[]): Pick<CommandContext, 'option' | 'flag' | 'args'> | string {
  const all = { ...command.options, ...common };
  const config: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(all).map(([name, [value]]) => [
      name,
      { type: value === '' ? ('boolean' as const) : ('string' as const), ...(name === 'help' && { short: 'h' }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: config, allowPositionals: true });
    const [fewest, most] = command.arity;
    if (values['help'] !== true && positionals.length < fewest) return 'an argument is missing';
    if (positionals.length > most) return `'${positionals[most] ?? ''}' is one argument too many`;
    const option = (name: string): string | undefined => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    };
    return { args: positionals, flag: (name) => values[name] === true, option };
  } catch (error) {
    const { message } = error as Error;
    return message.split('. ')[0] ?? message;
  }
}

const usageLine = (command: Command): string => `usage: npm run corpus -- ${command.usage}`;

function manual(command: Command): string {
  const rows = Object.entries({ ...command.options, ...common }).map(
    ([name, [value, meaning]]) => [`  --${name}${value === '' ? '' : ` ${value}`}`, meaning] as const,
  );
  return [usageLine(command), '', command.summary, '', ...columns(rows)].join('\n');
}

function overview(): string {
  const rows = commands.map(({ usage, summary }) => [`  ${usage.split(' [')[0] ?? usage}`, summary] as const);
  return [
    'usage: npm run corpus -- COMMAND [options]',
    '',
    'Makes data/corpus.sqlite, the Bible text that all services read.',
    '',
    ...columns(rows),
    '',
    'COMMAND --help tells its options.',
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => left.padEnd(width) + right);
}
