import { InvalidArgumentError, Option } from 'commander';
import { maxAuditEntries } from '../api-keys';
import type { Environment } from '../token';
import { environments } from '../token';
import type { RequestState } from '../types';
import { requestStates } from '../types';
import { maxRequests } from '../validation';
import type { OptionName } from './commands';

interface OptionDefinition {
  /** The name of the option's value. Null for an option without a value. */
  readonly placeholder: string | null;
  readonly description: string;
  /**
   * Converts the text of the command line. Throws an InvalidArgumentError with a message for the
   * user.
   */
  readonly parse?: (text: string) => unknown;
}

const definitions: Readonly<Record<OptionName | 'data', OptionDefinition>> = {
  email: { placeholder: 'ADDRESS', description: "The holder's address. One key per address and environment." },
  name: { placeholder: 'NAME', description: "The holder's name, for people to read." },
  'requests-per-day': {
    placeholder: 'N',
    description: 'How many requests the key has a day, or "default" for the default number.',
    parse: parseRequests('requests-per-day'),
  },
  'requests-per-minute': {
    placeholder: 'N',
    description: 'How many requests the key has a minute, or "default" for the default number.',
    parse: parseRequests('requests-per-minute'),
  },
  'trusted-documents': {
    placeholder: null,
    description: 'The key may send trusted documents only (TRUSTED_DOCUMENTS).',
  },
  state: {
    placeholder: 'STATE',
    description: `Only requests in this state: ${requestStates.join(', ')}.`,
    parse: parseState,
  },
  reason: { placeholder: 'TEXT', description: 'The reason that the applicant reads.' },
  limit: { placeholder: 'N', description: 'How many lines, newest first (default: 50).', parse: parseLimit },
  environment: {
    placeholder: 'live|test',
    description: 'The environment of the key (default: LECTERN_ENVIRONMENT, else test).',
    parse: parseEnvironment,
  },
  data: { placeholder: 'DIR', description: 'The folder that holds keys.sqlite (default: LECTERN_DATA, else data).' },
};

const isDefined = (name: string): name is keyof typeof definitions => Object.hasOwn(definitions, name);

/** Returns true for an option of any `keys` command, except --json and --help. */
export const isDefinedOption = (flag: string): boolean => flag.startsWith('--') && isDefined(flag.slice(2));

/** Returns true for an option that has a value in any `keys` command. */
export function takesValue(flag: string): boolean {
  const name = flag.slice(2);
  return isDefinedOption(flag) && isDefined(name) && definitions[name].placeholder !== null;
}

const isOption = (text: string): boolean => isDefinedOption(text) || ['--json', '--help', '-h'].includes(text);

/** Formats the option for a usage line: `--email ADDRESS`. */
export function usageOf(name: keyof typeof definitions): string {
  const { placeholder } = definitions[name];
  return placeholder === null ? `--${name}` : `--${name} ${placeholder}`;
}

export function createOption(name: keyof typeof definitions): Option {
  const { placeholder, description, parse = (text) => text } = definitions[name];
  if (placeholder === null) return new Option(`--${name}`, description);
  return new Option(`--${name} <${placeholder}>`, description).argParser((text) => {
    if (isOption(text)) throw new InvalidArgumentError(`--${name} needs a value.`);
    return parse(text);
  });
}

function parseRequests(name: OptionName): (text: string) => number | 'default' {
  return (text) => {
    if (!/^(\d{1,10}|default)$/.test(text))
      throw new InvalidArgumentError(
        `--${name} must be a whole number from 1 to ${maxRequests}, or default, not '${text}'.`,
      );
    return text === 'default' ? text : Number(text);
  };
}

function parseState(text: string): RequestState {
  const state = requestStates.find((each) => each === text);
  if (!state) throw new InvalidArgumentError(`The state must be one of ${requestStates.join(', ')}, not '${text}'.`);
  return state;
}

function parseLimit(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) > maxAuditEntries)
    throw new InvalidArgumentError(`--limit must be a whole number from 1 to ${maxAuditEntries}, not '${text}'.`);
  return Number(text);
}

function parseEnvironment(text: string): Environment {
  const environment = environments.find((each) => each === text);
  if (!environment) throw new InvalidArgumentError(`The environment must be live or test, not '${text}'.`);
  return environment;
}
