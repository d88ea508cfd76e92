import { parseArgs } from 'node:util';
import { redactKeys } from '@lectern/serving';
import type { Asked, Command, CommandName, OptionName } from './commands';
import { commands, optionHelp } from './commands';
import { maxAuditEntries } from './create-keys';
import { requestStates } from './keys-types';
import { environments } from './token';
import { maxRequestsPerDay } from './validate-fields';

export type Parsed =
  | { kind: 'wrong'; reason: string }
  | { kind: 'help'; text: string }
  | {
      kind: 'command';
      name: CommandName;
      which: string;
      options: Asked['options'] & { data?: string; environment?: string; json?: boolean };
    };

const commonHelp = `  --environment live|test   Of which environment the key is (default: LECTERN_ENVIRONMENT, else test).
  --data DIR                The folder that holds keys.sqlite (default: LECTERN_DATA, else data).
  --json                    Print JSON.
  -h, --help                This text, or that of a command.`;

const exitHelp = 'Exit status: 0 done, 1 refused, 2 wrong usage.';

const names = Object.keys(commands) as CommandName[];
const isCommand = (text: string): text is CommandName => names.some((name) => name === text);

const usage = (): string => `Usage: npm run keys -- COMMAND [options]

${names.map((name) => `  ${callOf(name).padEnd(37)}${commands[name].summary}`).join('\n')}

Options
${commonHelp}

${exitHelp}
The keys are in the database that DATABASE_URL names, else in keys.sqlite. More of a command: npm run keys -- COMMAND --help`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const known = {
  email: text,
  name: text,
  'requests-per-day': text,
  state: text,
  reason: text,
  most: text,
  environment: text,
  data: text,
  json: flag,
  help: { ...flag, short: 'h' },
} as const;
const typeOf = (name: string): 'string' | 'boolean' | null =>
  Object.hasOwn(known, name) ? known[name as keyof typeof known].type : null;

type Values = Readonly<Partial<Record<OptionName | 'data' | 'environment', string>>> & {
  readonly json?: boolean;
  readonly help?: boolean;
};

/** The words of a command line in order, its options, and the first of them that cannot be meant. */
function readWords(args: readonly string[]): { words: readonly string[]; values: Values; fault: string | null } {
  // The last four characters of a key may begin with a hyphen; no option has four. Where an option wants a value, such a word is that.
  const isEnding = (arg: string, at: number): boolean =>
    /^-[\w-]{3}$/.test(arg) && typeOf(args[at - 1]?.replace(/^--/, '') ?? '') !== 'string';
  // Node's own faults explain node's syntax, so that none is left to it.
  const { values, positionals, tokens } = parseArgs({
    args: [...args.filter((arg, at) => !isEnding(arg, at)), '--', ...args.filter(isEnding)],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const faults = tokens.map((token) => {
    if (token.kind !== 'option') return null;
    const type = typeOf(token.name);
    if (type === null) return `There is no option ${token.rawName}.`;
    const hasValue =
      token.value !== undefined &&
      (token.inlineValue || !(token.value.startsWith('--') && typeOf(token.value.slice(2)) !== null));
    if (type === 'string') return hasValue ? null : `--${token.name} needs a value.`;
    return hasValue ? `--${token.name} takes no value.` : null;
  });
  // Without a fault, text is where text is taken.
  return { words: positionals, values: values as Values, fault: faults.find((fault) => fault !== null) ?? null };
}

/** What the words of a command line ask for. */
export function parseCommand(args: readonly string[]): Parsed {
  const {
    words,
    values: { help, ...values },
    fault,
  } = readWords(args);
  // What people try who know other programs.
  const asksForHelp = words[0] === 'help';
  const [word = '', which = '', ...rest] = asksForHelp ? words.slice(1) : words;
  const manual = isCommand(word) ? helpOf(word) : usage();
  if (asksForHelp || help === true) return { kind: 'help', text: manual };
  if (fault !== null) return wrong(`${fault}\n\n${manual}`);
  if (!isCommand(word)) return wrong(`${word === '' ? 'Which command?' : `Unknown command '${word}'.`}\n\n${manual}`);
  const amiss = amissWith(word, { which, rest, values }) ?? wrongValue(values);
  return amiss === null ? { kind: 'command', name: word, which, options: values } : wrong(amiss);
}

/** What the command does not take, or lacks. */
function amissWith(
  word: CommandName,
  { which, rest, values }: { which: string; rest: readonly string[]; values: Values },
): string | null {
  const { argument, needs, takes }: Command = commands[word];
  const over = argument === null && which !== '' ? which : rest[0];
  if (over !== undefined)
    return `Too many arguments: ${word} takes ${argument === null ? 'none' : 'one'}, and not '${redactKeys(over)}'${isCommand(over) ? ', for there is one command at a time' : ''}.\n\n${helpOf(word)}`;
  const astray = (Object.keys(optionHelp) as OptionName[]).find(
    (name) => values[name] !== undefined && !needs.includes(name) && !takes.includes(name),
  );
  if (astray !== undefined) return `${word} does not take --${astray}.\n\n${helpOf(word)}`;
  const lacksId = which === '' && argument !== null && !argument.startsWith('[');
  const missing = [
    ...(lacksId ? [`the id of a ${argument.toLowerCase()}`] : []),
    ...needs.filter((name) => values[name] === undefined).map((name) => optionHelp[name].call),
  ];
  if (missing.length === 0) return null;
  return `${word} needs ${missing.join(' and ')}.${lacksId ? ` See: keys ${argument === 'KEY' ? 'list' : 'requests'}` : ''}`;
}

function wrongValue({
  environment,
  state,
  most = '1',
  'requests-per-day': requestsPerDay = 'default',
}: Values): string | null {
  if (environment !== undefined && !environments.some((each) => each === environment))
    return `The environment is live or test, not '${environment}'.`;
  if (state !== undefined && !requestStates.some((each) => each === state))
    return `The state is ${requestStates.join(', ')}, not '${state}'.`;
  if (!/^(\d{1,10}|default)$/.test(requestsPerDay))
    return `--requests-per-day must be a whole number from 1 to ${maxRequestsPerDay}, or default, not '${requestsPerDay}'.`;
  if (!/^\d{1,10}$/.test(most) || Number(most) < 1 || Number(most) > maxAuditEntries)
    return `--most must be a whole number from 1 to ${maxAuditEntries}, not '${most}'.`;
  return null;
}

const wrong = (reason: string): Parsed => ({ kind: 'wrong', reason });

function callOf(name: CommandName): string {
  const { argument, needs }: Command = commands[name];
  return [name, ...(argument === null ? [] : [argument]), ...needs.map((option) => optionHelp[option].call)].join(' ');
}

function helpOf(name: CommandName): string {
  const { summary, more, needs, takes }: Command = commands[name];
  const own = [...needs, ...takes]
    .map((option) => `  ${optionHelp[option].call.padEnd(26)}${optionHelp[option].words}\n`)
    .join('');
  return `Usage: npm run keys -- ${callOf(name)} [options]\n\n${summary}${more === '' ? '' : `\n${more}`}\n\nOptions\n${own}${commonHelp}\n\n${exitHelp}`;
}
