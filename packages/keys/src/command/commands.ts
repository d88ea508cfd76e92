import { InvalidArgumentError, Option } from 'commander';
import { type Keys, maxAuditEntries } from '../api-keys';
import { type Environment, environments } from '../token';
import {
  type AuditEntry,
  type KeyLimits,
  type KeyRecord,
  type KeyRequest,
  KeyRequestError,
  type RequestState,
  requestStates,
  type UsageByKey,
  type UsageToday,
} from '../types';
import { maxRequests } from '../validation';
import { type UsageBy, usageColumns } from '../verse-usage';

export interface OptionValues {
  readonly data?: string;
  readonly operator?: string;
  readonly json?: boolean;
  readonly email?: string;
  readonly name?: string;
  readonly requestsPerDay?: string;
  readonly requestsPerMinute?: string;
  readonly addresses?: string;
  readonly trustedDocuments?: boolean;
  readonly expires?: string;
  readonly overlap?: string;
  readonly state?: RequestState;
  readonly reason?: string;
  readonly limit?: string;
  readonly by?: UsageBy;
  readonly month?: string;
  readonly environment?: Environment;
}

/** Creates an option that takes a value. The error for an invalid value begins with `rule`. */
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
    (text) => text === 'default' || (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxRequests),
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

/** Every command accepts --environment, because scripts pass it to all. Only the help of `issue` shows it. */
export const hiddenEnvironment = environmentOption().hideHelp();

/** The options of all commands, except --json and --help. */
export const options = {
  data: valueOption('--data <DIR>', 'The folder that holds keys.sqlite (default: LECTERN_DATA, else data).'),
  operator: valueOption('--operator <NAME>', 'Your name for the audit log.'),
  email: valueOption('--email <ADDRESS>', "The holder's address. One key per address and environment."),
  name: valueOption('--name <NAME>', "The holder's name, for people to read."),
  requestsPerDay: requestsOption('day'),
  requestsPerMinute: requestsOption('minute'),
  addresses: valueOption('--addresses <ADDRESS=N,...>', 'Addresses with N requests a minute of their own, or "none".'),
  trustedDocuments: new Option('--trusted-documents', 'The key may send trusted documents only (TRUSTED_DOCUMENTS).'),
  expires: valueOption('--expires <30d|DATE>', 'When the key stops working: 30d, 12h, 45m, or a date, at 00:00 UTC.'),
  overlap: valueOption('--overlap <7d|DATE>', 'How long the old key works too: 7d, 12h, 45m, or a date, at 00:00 UTC.'),
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
  month: valueOption(
    '--month <YYYY-MM>',
    'The month in UTC, such as 2026-11.',
    (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
    '--month must be a year and a month, such as 2026-11',
  ),
  by: valueOption(
    '--by <translation|day|key>',
    'What the lines are: translations (the default), their days, or keys.',
    isIn(Object.keys(usageColumns)),
    '--by must be translation, day or key',
  ),
  environment: environmentOption(),
};

export const findOption = (flag: string): Option | undefined =>
  Object.values(options).find(({ long }) => long === flag);

const isOption = (text: string): boolean => findOption(text) !== undefined || ['--json', '--help', '-h'].includes(text);

/** Returns the option as a usage line shows it, such as `--email ADDRESS`. */
export const usageOf = ({ flags }: Option): string => flags.replaceAll(/[<>]/g, '');

export type ReadUsage = (keys: readonly KeyRecord[]) => Promise<UsageByKey>;

interface CommandInput {
  /** A key selector (id, token or last four characters), the id of a key request, or empty. */
  readonly argument: string;
  /** The identifiers of the translations. Empty for most commands. */
  readonly translations: readonly string[];
  readonly environment: Environment;
  /** The actor in the audit log. */
  readonly by: string;
  readonly options: OptionValues;
  readonly readUsage: ReadUsage;
}

interface CommandResult {
  /** The value that the command prints with --json. */
  readonly json: unknown;
  /** The text that the command prints without --json. */
  readonly text: string;
  readonly warning?: string;
  /** Whether the command has done everything. If false, the exit status is 1. */
  readonly isComplete?: boolean;
}

export interface KeyCommand {
  readonly name: string;
  readonly summary: string;
  readonly notes?: string;
  /** The placeholder of the command's argument in the help. */
  readonly argument?: 'KEY' | 'REQUEST' | '[REQUEST]' | 'KEY TRANSLATION...';
  readonly required?: readonly Option[];
  /** Options of which the user must give at least one. */
  readonly oneOf?: readonly Option[];
  readonly optional?: readonly Option[];
  readonly run: (keys: Keys, input: CommandInput) => Promise<CommandResult>;
}

const toMinute = (instant: string): string => `${instant.slice(0, 16)}Z`;

function keyLine(keys: Keys, key: KeyRecord, usage?: UsageToday): string {
  const state = keys.stateOf(key).padEnd(7);
  const line = [key.id, `svc_${key.environment}_...${key.last4}`, toMinute(key.createdAt), state, key.email, key.name];
  if (key.expiresAt !== null)
    line.push(`(${state.startsWith('e') ? 'expired' : 'expires'} ${toMinute(key.expiresAt)})`);
  if (key.oldUntil !== null && state.startsWith('a')) line.push(`(...${key.oldLast4} until ${toMinute(key.oldUntil)})`);
  if (key.documents === 'trusted') line.push('(trusted documents only)');
  if (key.grants !== '') line.push(`(may read ${key.grants})`);
  if (usage) line.push(`requests today: ${usage.requests}, embedding calls: ${usage.embeddingCalls}`);
  return line.join('  ');
}

const factsText = (facts: object, indent: number): string =>
  Object.entries(facts)
    .map(([name, value]) => name.padEnd(indent) + String(value ?? 'none').replaceAll('\n', `\n${' '.repeat(indent)}`))
    .join('\n');

const keyText = (keys: Keys, key: KeyRecord): string =>
  factsText(
    {
      ...key,
      requestsPerDay: key.requestsPerDay ?? 'default',
      requestsPerMinute: key.requestsPerMinute ?? 'default',
      grants: key.grants || 'none',
      state: keys.stateOf(key),
    },
    19,
  );

const stateText = ({ state, deliveredAt }: KeyRequest): string =>
  state !== 'pending' && deliveredAt === null ? `${state}, not delivered` : state;

const requestLine = (request: KeyRequest): string =>
  `${request.id}  ${request.environment}  ${toMinute(request.createdAt)}  ${stateText(request).padEnd(23)}  ${request.email}  ${request.name}`;

const requestText = (request: KeyRequest): string =>
  factsText(
    {
      id: request.id,
      environment: request.environment,
      submitted: request.createdAt,
      name: request.name,
      email: request.email,
      state: stateText(request),
      ...(request.decidedAt !== null && { decided: `${request.decidedAt} by ${request.decidedBy ?? 'somebody'}` }),
      ...(request.reason !== null && { reason: request.reason }),
      ...(request.keyId !== null && { key: request.keyId }),
      ...(request.deliveredAt !== null && { delivered: request.deliveredAt }),
      ...(request.deliveryError !== null && { error: request.deliveryError }),
      for: request.description,
    },
    13,
  );

const auditLine = ({ at, by, act, keyId, requestId, note }: AuditEntry): string =>
  [at, by, act, keyId && `key ${keyId}`, requestId && `request ${requestId}`, note]
    .filter((part) => part !== null)
    .join('  ');

const selectorNote = 'KEY is an id, the end of a key (4CIm, or svc_test_...4CIm as list prints it), or the key itself.';
const emailNote =
  'The mail goes to SMTP_URL, else into the outbox. Exit status 1 means that the mail was not sent; then see: keys resend';

const withToken = (token: string, sentence: string) => `${token}\n\n${sentence} Store it now: it is not shown again.`;

/** Returns the limits that the options set. Null stands for the deployment's default. */
function limitsOf({ requestsPerDay, requestsPerMinute, addresses }: OptionValues): Partial<KeyLimits> {
  const parse = (text: string) => (text === 'default' ? null : Number(text));
  return {
    ...(requestsPerDay !== undefined && { requestsPerDay: parse(requestsPerDay) }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute: parse(requestsPerMinute) }),
    ...(addresses !== undefined && { addresses: addresses === 'none' ? null : addresses }),
  };
}

/** Says which limit a server meets first. This command does not know the limits of the gateways, only their defaults. */
function firstLimit({ id, requestsPerMinute, addresses }: KeyRecord): string {
  const isKeyFirst = (requestsPerMinute ?? 300) <= 100;
  return `A server with ${addresses === null ? 'one' : 'another'} address meets the limit of its ${isKeyFirst ? 'key' : 'address'} first. The key has ${requestsPerMinute ?? 'KEY_RATE_PER_MINUTE (default 300)'} requests a minute, an address RATE_PER_MINUTE (default 100)${addresses === null ? '' : `, but with this key ${addresses}`}. To raise it: npm run keys -- allow ${id} ${isKeyFirst ? '--requests-per-minute N' : '--addresses ADDRESS=N'}`;
}

const grantsNote = `${selectorNote} Takes effect with the next request. TRANSLATION is an identifier: npm run corpus -- list`;

const grantsResult = (keys: Keys, key: KeyRecord): CommandResult => ({
  json: key,
  text: `Restricted translations: ${key.grants || 'none'}: ${keyLine(keys, key)}`,
});

/** Throws a KeyRequestError if one of the grants does not exist, because its name may be misspelt. */
function withoutGrants(before: readonly string[], withdrawn: readonly string[]): string[] {
  const missing = withdrawn.find((each) => !before.includes(each));
  if (missing !== undefined)
    throw new KeyRequestError(`The key has no grant for '${missing}'. It may read: ${before.join(', ') || 'none'}`);
  return before.filter((each) => !withdrawn.includes(each));
}

const limitOptions = [options.requestsPerDay, options.requestsPerMinute, options.addresses];

const documentsOf = ({ trustedDocuments }: OptionValues) =>
  trustedDocuments ? ('trusted' as const) : ('any' as const);

function deliveryResult(request: KeyRequest): CommandResult {
  const { id, email, deliveryError } = request;
  const delivery =
    deliveryError === null
      ? `The mail to ${email} is handed over.`
      : `The decision stands, but the mail to ${email} did not go out: ${deliveryError}. Fix the cause, then: npm run keys -- resend ${id}`;
  return { json: request, text: `${requestText(request)}\n\n${delivery}`, isComplete: deliveryError === null };
}

/** The subcommands of `keys`, in the order of the help. */
export const keyCommands: readonly KeyCommand[] = [
  {
    name: 'issue',
    summary: 'Issue a key and print it.',
    notes: 'The key is shown only once. No mail is sent.',
    required: [options.email, options.name],
    optional: [...limitOptions, options.trustedDocuments, options.expires, options.environment],
    async run(keys, { environment, by, options }) {
      const { email = '', name = '', expires = '' } = options;
      const holder = { email, name, environment, expires, documents: documentsOf(options), ...limitsOf(options) };
      const { key, token } = await keys.issue(holder, by);
      const end = key.expiresAt ? `, until ${key.expiresAt}` : '';
      const text = withToken(token, `This is the ${key.environment} key of ${key.email} (${key.id})${end}.`);
      const note = (options.requestsPerMinute ?? options.addresses) ? `\n${firstLimit(key)}` : '';
      return { json: { ...key, token }, text: text + note };
    },
  },
  {
    name: 'list',
    summary: 'List all keys, oldest first.',
    notes: 'With REDIS_URL, shows what each key has used today (UTC). Without Redis, see the page /admin/keys.',
    async run(keys, { readUsage }) {
      const all = await keys.list();
      const read = await readUsage(all);
      const usage = read.kind === 'known' ? read.usage : null;
      const hint = 'No keys yet. Issue one: npm run keys -- issue --email you@example.org --name You';
      return {
        json: all.map((key) => ({ ...key, state: keys.stateOf(key), usageToday: usage?.get(key.id) ?? null })),
        text: all.map((key) => keyLine(keys, key, usage?.get(key.id))).join('\n') || hint,
        ...(read.kind === 'unavailable' && { warning: 'Redis does not respond, so the usage of today is not shown.' }),
      };
    },
  },
  {
    name: 'show',
    summary: 'Show one key.',
    notes: selectorNote,
    argument: 'KEY',
    async run(keys, { argument }) {
      const key = await keys.show(argument);
      return { json: { ...key, state: keys.stateOf(key) }, text: keyText(keys, key) };
    },
  },
  {
    name: 'revoke',
    summary: 'Revoke a key. Takes effect with the next request.',
    notes: selectorNote,
    argument: 'KEY',
    async run(keys, { argument, by }) {
      const key = await keys.revoke(argument, by);
      return { json: key, text: `Revoked: ${keyLine(keys, key)}` };
    },
  },
  {
    name: 'rotate',
    summary: 'Replace the text of a key, and print the new one. Its id, limits, grants and counts stay.',
    notes: `${selectorNote} Without --overlap, the old text is rejected at once. With it, a still older one is. No mail is sent.`,
    argument: 'KEY',
    optional: [options.overlap],
    async run(keys, { argument, by, options: { overlap } }) {
      const { key, token } = await keys.rotate(argument, by, { overlap });
      const { environment, email, id, oldLast4, oldUntil } = key;
      const old =
        oldUntil === null ? 'the old one is rejected now' : `the old one (...${oldLast4}) works until ${oldUntil}`;
      const text = withToken(token, `This is the new ${environment} key of ${email} (${id}); ${old}.`);
      return { json: { ...key, token }, text };
    },
  },
  {
    name: 'allow',
    summary: 'Change how many requests a key has a day, a minute, or both.',
    notes: `${selectorNote} Takes effect with the next request. Requests already counted stay counted.`,
    argument: 'KEY',
    oneOf: limitOptions,
    async run(keys, { argument, by, options }) {
      const key = await keys.setLimits(argument, limitsOf(options), by);
      const defaultNumber = 'the default number of';
      const limits = `${key.requestsPerDay ?? defaultNumber} requests a day, ${key.requestsPerMinute ?? defaultNumber} requests a minute`;
      return { json: key, text: `${limits}: ${keyLine(keys, key)}\n${firstLimit(key)}` };
    },
  },
  {
    name: 'grant',
    summary: 'Let a key read restricted translations.',
    notes: grantsNote,
    argument: 'KEY TRANSLATION...',
    run: async (keys, { argument, by, translations }) =>
      grantsResult(keys, await keys.setGrants(argument, (before) => [...before, ...translations], by)),
  },
  {
    name: 'withdraw',
    summary: 'Take grants for restricted translations from a key.',
    notes: grantsNote,
    argument: 'KEY TRANSLATION...',
    run: async (keys, { argument, by, translations }) =>
      grantsResult(keys, await keys.setGrants(argument, (before) => withoutGrants(before, translations), by)),
  },
  {
    name: 'requests',
    summary: 'List the requests from the form, oldest first, or show one request.',
    notes: 'For a request that is "approved, not delivered", nobody received the key: see resend.',
    argument: '[REQUEST]',
    optional: [options.state],
    async run(keys, { argument, options: { state } }) {
      if (argument !== '') {
        const request = await keys.showRequest(argument);
        return { json: request, text: requestText(request) };
      }
      const all = await keys.requests(state);
      return { json: all, text: all.map(requestLine).join('\n') || 'No requests.' };
    },
  },
  {
    name: 'approve',
    summary: 'Approve a request: issue a key and mail it.',
    notes: emailNote,
    argument: 'REQUEST',
    optional: [options.trustedDocuments],
    run: async (keys, { argument, by, options }) =>
      deliveryResult(await keys.approve(argument, by, documentsOf(options))),
  },
  {
    name: 'reject',
    summary: 'Reject a request and mail the reason.',
    notes: emailNote,
    argument: 'REQUEST',
    required: [options.reason],
    run: async (keys, { argument, by, options: { reason = '' } }) =>
      deliveryResult(await keys.reject(argument, by, reason)),
  },
  {
    name: 'resend',
    summary: 'Mail the outcome of a request again, with a new key.',
    notes: `The key that was mailed before is rejected. ${emailNote}`,
    argument: 'REQUEST',
    run: async (keys, { argument, by }) => deliveryResult(await keys.resend(argument, by)),
  },
  {
    name: 'usage',
    summary: 'Show how many verses of each translation keys have read in a month, as CSV.',
    notes:
      'A verse counts as often as responses had its text: docs/measure.md. Running gateways add their counts every 10 seconds.',
    required: [options.month],
    optional: [options.by],
    async run(keys, { options: { month = '', by = 'translation' } }) {
      const sums = await keys.servedVerses(month, by);
      const columns = [...usageColumns[by], 'verses'] as const;
      const lines = sums.map((sum) => columns.map((column) => sum[column]).join(','));
      return { json: sums, text: [columns.join(','), ...lines].join('\n') };
    },
  },
  {
    name: 'audit',
    summary: 'Show who did what and when.',
    optional: [options.limit],
    async run(keys, { options: { limit = '50' } }) {
      const entries = await keys.audit(Number(limit));
      return { json: entries, text: entries.map(auditLine).join('\n') || 'The audit log is empty.' };
    },
  },
];
