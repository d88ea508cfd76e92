import { parseArgs } from 'node:util';
import { commands, optionHelp } from './commands';
import type { Asked, Command, CommandName, OptionName } from './commands';
import { requestStates } from './records';
import { environments } from './token';

export type Parsed =
  | { kind: 'wrong'; reason: string }
  | { kind: 'help'; text: string }
  | { kind: 'command'; name: CommandName; which: string; options: Asked['options'] & { data?: string; environment?: string; json?: boolean } };

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

/** What the words of a command line ask for. */
export function parseCommand(args: readonly string[]): Parsed {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    email: text, name: text, 'requests-per-day': text, state: text, reason: text, most: text, environment: text, data: text, json: flag, help: { ...flag, short: 'h' },
  } as const;
  // The last four characters of a key may begin with a hyphen; no option has four.
  const endings = args.filter((arg) => /^-[\w-]{3}$/.test(arg));
  let read;
  try {
    read = parseArgs({ args: [...args.filter((arg) => !endings.includes(arg)), '--', ...endings], options, allowPositionals: true });
  } catch (error) {
    return wrong(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`);
  }
  const { values: { help, ...values }, positionals: [word = '', which = '', ...rest] } = read;
  if (help === true) return { kind: 'help', text: isCommand(word) ? helpOf(word) : usage() };
  if (!isCommand(word)) return wrong(`${word === '' ? 'Which command?' : `Unknown command '${word}'.`}\n\n${usage()}`);

  const command: Command = commands[word];
  const missing = command.needs.filter((name) => values[name] === undefined);
  if (missing.length > 0) return wrong(`${word} needs ${command.needs.map((name) => optionHelp[name].call).join(' and ')}.`);
  const astray = (Object.keys(optionHelp) as OptionName[]).find((name) => values[name] !== undefined && !command.needs.includes(name) && !command.takes.includes(name));
  if (astray !== undefined) return wrong(`${word} does not take --${astray}.\n\n${helpOf(word)}`);
  if (which === '' && command.argument !== null && !command.argument.startsWith('[')) return wrong(`${word} needs the id of a ${command.argument.toLowerCase()}. See: keys ${command.argument === 'KEY' ? 'list' : 'requests'}`);
  if (rest.length > 0 || (which !== '' && command.argument === null)) return wrong(`Too many arguments.\n\n${helpOf(word)}`);
  if (values.environment !== undefined && !environments.some((each) => each === values.environment)) return wrong(`The environment is live or test, not '${values.environment}'.`);
  if (values.state !== undefined && !requestStates.some((each) => each === values.state)) return wrong(`The state is ${requestStates.join(', ')}, not '${values.state}'.`);
  if (!/^(\d{1,10}|default)$/.test(values['requests-per-day'] ?? 'default')) return wrong(`--requests-per-day must be a whole number or default, not '${values['requests-per-day'] ?? ''}'.`);
  if (!/^\d{1,10}$/.test(values.most ?? '0')) return wrong(`--most must be a whole number, not '${values.most ?? ''}'.`);
  return { kind: 'command', name: word, which, options: values };
}

const wrong = (reason: string): Parsed => ({ kind: 'wrong', reason });

function callOf(name: CommandName): string {
  const { argument, needs }: Command = commands[name];
  return [name, ...(argument === null ? [] : [argument]), ...needs.map((option) => optionHelp[option].call)].join(' ');
}

function helpOf(name: CommandName): string {
  const { summary, more, needs, takes }: Command = commands[name];
  const own = [...needs, ...takes].map((option) => `  ${optionHelp[option].call.padEnd(26)}${optionHelp[option].words}\n`).join('');
  return `Usage: npm run keys -- ${callOf(name)} [options]\n\n${summary}${more === '' ? '' : `\n${more}`}\n\nOptions\n${own}${commonHelp}\n\n${exitHelp}`;
}
