import { InvalidArgumentError, Option } from 'commander';
import { maxAuditEntries } from '../api-keys';
import { type Environment, environments } from '../token';
import { type RequestState, requestStates } from '../types';
import { maxRequests } from '../validation';

export interface OptionValues {
  readonly data?: string;
  readonly json?: boolean;
  readonly email?: string;
  readonly name?: string;
  readonly requestsPerDay?: string;
  readonly requestsPerMinute?: string;
  readonly trustedDocuments?: boolean;
  readonly state?: RequestState;
  readonly reason?: string;
  readonly limit?: string;
  readonly environment?: Environment;
}

/** Creates an option with a value. An error about an invalid value begins with `rule`. */
function valueOption(
  flags: string,
  description: string,
  isValid: (text: string) => boolean = () => true,
  rule = '',
): Option {
  const option = new Option(flags, description);
  return option.argParser((text) => {
    if (isOption(text)) throw new InvalidArgumentError(`${option.long} needs a value.`);
    if (!isValid(text)) throw new InvalidArgumentError(`${rule}, not '${text}'.`);
    return text;
  });
}

const requestsOption = (period: string): Option =>
  valueOption(
    `--requests-per-${period} <N>`,
    `How many requests the key has a ${period}, or "default" for the default number.`,
    (text) => /^(\d{1,10}|default)$/.test(text),
    `--requests-per-${period} must be a whole number from 1 to ${maxRequests}, or default`,
  );

const isIn = (words: readonly string[]) => (text: string) => words.includes(text);

const environmentOption = (): Option =>
  valueOption(
    '--environment <live|test>',
    'The environment of the key (default: LECTERN_ENVIRONMENT, else test).',
    isIn(environments),
    'The environment must be live or test',
  );

/** Scripts pass --environment to every command. Only `issue` uses it and shows it in its help. */
export const hiddenEnvironment = environmentOption().hideHelp();

/** The options of all commands, except --json and --help. */
export const options = {
  data: valueOption('--data <DIR>', 'The folder that holds keys.sqlite (default: LECTERN_DATA, else data).'),
  email: valueOption('--email <ADDRESS>', "The holder's address. One key per address and environment."),
  name: valueOption('--name <NAME>', "The holder's name, for people to read."),
  requestsPerDay: requestsOption('day'),
  requestsPerMinute: requestsOption('minute'),
  trustedDocuments: new Option('--trusted-documents', 'The key may send trusted documents only (TRUSTED_DOCUMENTS).'),
  state: valueOption(
    '--state <STATE>',
    `Only requests in this state: ${requestStates.join(', ')}.`,
    isIn(requestStates),
    `The state must be one of ${requestStates.join(', ')}`,
  ),
  reason: valueOption('--reason <TEXT>', 'The reason that the applicant reads.'),
  limit: valueOption(
    '--limit <N>',
    'How many lines, newest first (default: 50).',
    (text) => /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxAuditEntries,
    `--limit must be a whole number from 1 to ${maxAuditEntries}`,
  ),
  environment: environmentOption(),
};

export const findOption = (flag: string): Option | undefined =>
  Object.values(options).find(({ long }) => long === flag);

const isOption = (text: string): boolean => findOption(text) !== undefined || ['--json', '--help', '-h'].includes(text);

/** Formats the option for a usage line: `--email ADDRESS`. */
export const usageOf = ({ flags }: Option): string => flags.replaceAll(/[<>]/g, '');
