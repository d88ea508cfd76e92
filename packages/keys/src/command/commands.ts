import type { Environment } from '../token';
import type { AuditEntry, KeyLimits, KeyRecord, KeyRequest, Keys, ReadUsage, RequestState, UsageToday } from '../types';

const toMinute = (instant: string): string => `${instant.slice(0, 16)}Z`;

const keyLine = (key: KeyRecord, usage?: UsageToday): string =>
  `${key.id}  svc_${key.environment}_...${key.last4}  ${toMinute(key.createdAt)}  ${key.revokedAt === null ? 'active ' : 'revoked'}  ${key.email}  ${key.name}${key.documents === 'trusted' ? '  (trusted documents only)' : ''}${usage ? `  requests today: ${usage.requests}, embedding calls: ${usage.embeddingCalls}` : ''}`;

/** Formats all facts of a key, one per line. */
const keyText = (key: KeyRecord): string =>
  Object.entries({
    ...key,
    requestsPerDay: key.requestsPerDay ?? 'default',
    requestsPerMinute: key.requestsPerMinute ?? 'default',
    revokedAt: key.revokedAt ?? 'active',
  })
    .map(([name, value]) => `${name.padEnd(19)}${String(value)}`)
    .join('\n');

const limitsText = ({ requestsPerDay, requestsPerMinute }: KeyLimits): string =>
  `${requestsPerDay ?? 'the default number of'} requests a day, ${requestsPerMinute ?? 'the default number of'} requests a minute`;

const stateText = ({ state, deliveredAt }: KeyRequest): string =>
  state !== 'pending' && deliveredAt === null ? `${state}, not delivered` : state;

const requestLine = (request: KeyRequest): string =>
  `${request.id}  ${request.environment}  ${toMinute(request.createdAt)}  ${stateText(request).padEnd(23)}  ${request.email}  ${request.name}`;

/** Formats all facts of a key request, one per line. The applicant's description comes last. */
function requestText(request: KeyRequest): string {
  const facts = {
    id: request.id,
    environment: request.environment,
    submitted: request.createdAt,
    name: request.name,
    email: request.email,
    state: stateText(request),
    ...(request.decidedAt !== null && { decided: `${request.decidedAt} by ${request.decidedBy ?? 'somebody'}` }),
    ...(request.reason !== null && { reason: indentLines(request.reason) }),
    ...(request.keyId !== null && { key: request.keyId }),
    ...(request.deliveredAt !== null && { delivered: request.deliveredAt }),
    ...(request.deliveryError !== null && { error: request.deliveryError }),
    for: indentLines(request.description),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(indent)}${value}`)
    .join('\n');
}

const indent = 13;
const indentLines = (text: string): string => text.split('\n').join(`\n${' '.repeat(indent)}`);

/** Says whether the email with the outcome was sent, and what to do if it was not. */
const deliveryText = ({ id, email, deliveryError }: KeyRequest): string =>
  deliveryError === null
    ? `The mail to ${email} is handed over.`
    : `The decision stands, but the mail to ${email} did not go out: ${deliveryError}. Fix the cause, then: npm run keys -- resend ${id}`;

const auditLine = ({ at, by, act, keyId, requestId, note }: AuditEntry): string =>
  [
    at,
    by,
    act,
    ...(keyId === null ? [] : [`key ${keyId}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
    note,
  ].join('  ');

/**
 * The values of the options of the keys commands, except `--environment`: `environment` of
 * `CommandInput`. Options that a command does not have are absent.
 */
export interface OptionValues {
  readonly email?: string;
  readonly name?: string;
  readonly requestsPerDay?: number | 'default';
  readonly requestsPerMinute?: number | 'default';
  readonly trustedDocuments?: boolean;
  readonly state?: RequestState;
  readonly reason?: string;
  readonly limit?: number;
}

export type OptionName =
  | 'email'
  | 'name'
  | 'requests-per-day'
  | 'requests-per-minute'
  | 'trusted-documents'
  | 'state'
  | 'reason'
  | 'limit'
  | 'environment';

interface CommandInput {
  /** The command's argument: a key selector or the id of a request. Empty if it was left out. */
  readonly argument: string;
  readonly environment: Environment;
  readonly options: OptionValues;
  readonly readUsage: ReadUsage;
}

interface CommandResult {
  /** The value that the command prints with --json. */
  readonly json: unknown;
  /** The text that the command prints without --json. */
  readonly text: string;
  /** A sentence for standard error. */
  readonly warning?: string;
  /** Whether the command did all of its work. If false, the exit status is 1. */
  readonly isComplete?: boolean;
}

export interface KeyCommand {
  readonly name: string;
  readonly summary: string;
  /** The placeholder of the command's argument. Null for a command without an argument. */
  readonly argument: 'KEY' | 'REQUEST' | '[REQUEST]' | null;
  readonly requiredOptions: readonly OptionName[];
  /** Options of which at least one is required. */
  readonly alternativeOptions?: readonly OptionName[];
  readonly optionalOptions: readonly OptionName[];
  /** Further sentences of the command's help. */
  readonly notes: string;
  readonly run: (keys: Keys, input: CommandInput) => Promise<CommandResult>;
}

/** The name of this program in the audit log. */
const by = 'command';

const defaultAuditLimit = 50;

const selectorNote = 'KEY is an id, the last four characters of a key, or the key itself.';
const emailNote =
  'The mail goes to SMTP_URL, else into the outbox. Exit status 1 means that the mail was not sent; then see: keys resend';

const withToken = (token: string, sentence: string) => `${token}\n\n${sentence} Store it now: it is not shown again.`;

/** Returns the limits that the options set. Null stands for the deployment's default. */
const limitsOf = ({ requestsPerDay, requestsPerMinute }: OptionValues): Partial<KeyLimits> => ({
  ...(requestsPerDay !== undefined && { requestsPerDay: requestsPerDay === 'default' ? null : requestsPerDay }),
  ...(requestsPerMinute !== undefined && {
    requestsPerMinute: requestsPerMinute === 'default' ? null : requestsPerMinute,
  }),
});

const deliveryResult = (request: KeyRequest): CommandResult => ({
  json: request,
  text: `${requestText(request)}\n\n${deliveryText(request)}`,
  isComplete: request.deliveryError === null,
});

const keyCommandsOfKeys: readonly KeyCommand[] = [
  {
    name: 'issue',
    summary: 'Issue a key and print it.',
    argument: null,
    requiredOptions: ['email', 'name'],
    optionalOptions: ['requests-per-day', 'requests-per-minute', 'trusted-documents', 'environment'],
    notes: 'The key is shown only once. No mail is sent.',
    async run(keys, { environment, options }) {
      const { email = '', name = '', trustedDocuments } = options;
      const documents = trustedDocuments ? 'trusted' : 'any';
      const { key, token } = await keys.issue({ email, name, environment, documents, ...limitsOf(options) }, by);
      return {
        json: { ...key, token },
        text: withToken(token, `This is the ${key.environment} key of ${key.email} (${key.id}).`),
      };
    },
  },
  {
    name: 'list',
    summary: 'List all keys, oldest first.',
    argument: null,
    requiredOptions: [],
    optionalOptions: [],
    notes: 'With REDIS_URL, shows what each key has used today (UTC). Without Redis, see the page /admin/keys.',
    async run(keys, { readUsage }) {
      const all = await keys.list();
      const read = await readUsage(all);
      const usage = read.kind === 'known' ? read.usage : null;
      const hint = 'No keys yet. Issue one: npm run keys -- issue --email you@example.org --name You';
      return {
        json: all.map((key) => ({ ...key, usageToday: usage?.get(key.id) ?? null })),
        text: all.length === 0 ? hint : all.map((key) => keyLine(key, usage?.get(key.id))).join('\n'),
        ...(read.kind === 'unavailable' && { warning: 'Redis does not respond, so the usage of today is not shown.' }),
      };
    },
  },
  {
    name: 'show',
    summary: 'Show one key.',
    argument: 'KEY',
    requiredOptions: [],
    optionalOptions: [],
    notes: selectorNote,
    async run(keys, { argument }) {
      const key = await keys.show(argument);
      return { json: key, text: keyText(key) };
    },
  },
  {
    name: 'revoke',
    summary: 'Revoke a key. Takes effect with the next request.',
    argument: 'KEY',
    requiredOptions: [],
    optionalOptions: [],
    notes: selectorNote,
    async run(keys, { argument }) {
      const key = await keys.revoke(argument, by);
      return { json: key, text: `Revoked: ${keyLine(key)}` };
    },
  },
  {
    name: 'rotate',
    summary: 'Issue a new key to the holder of a key, and print it.',
    argument: 'KEY',
    requiredOptions: [],
    optionalOptions: [],
    notes: `${selectorNote} The old key is revoked at once. The new key is shown only once. No mail is sent.`,
    async run(keys, { argument }) {
      const { key, token } = await keys.rotate(argument, by);
      return {
        json: { ...key, token },
        text: withToken(
          token,
          `This is the new ${key.environment} key of ${key.email} (${key.id}); the old one is revoked.`,
        ),
      };
    },
  },
  {
    name: 'allow',
    summary: 'Change how many requests a key has a day, a minute, or both.',
    argument: 'KEY',
    requiredOptions: [],
    alternativeOptions: ['requests-per-day', 'requests-per-minute'],
    optionalOptions: [],
    notes: `${selectorNote} Takes effect with the next request. Requests already counted stay counted.`,
    async run(keys, { argument, options }) {
      const key = await keys.setLimits(argument, limitsOf(options), by);
      return { json: key, text: `${limitsText(key)}: ${keyLine(key)}` };
    },
  },
];

const keyCommandsOfRequests: readonly KeyCommand[] = [
  {
    name: 'requests',
    summary: 'List the requests from the form, oldest first, or show one request.',
    argument: '[REQUEST]',
    requiredOptions: [],
    optionalOptions: ['state'],
    notes: 'For a request that is "approved, not delivered", nobody received the key: see resend.',
    async run(keys, { argument, options: { state } }) {
      if (argument !== '') {
        const request = await keys.showRequest(argument);
        return { json: request, text: requestText(request) };
      }
      const all = await keys.requests(state);
      return { json: all, text: all.length === 0 ? 'No requests.' : all.map(requestLine).join('\n') };
    },
  },
  {
    name: 'approve',
    summary: 'Approve a request: issue a key and mail it.',
    argument: 'REQUEST',
    requiredOptions: [],
    optionalOptions: ['trusted-documents'],
    notes: emailNote,
    run: async (keys, { argument, options: { trustedDocuments } }) =>
      deliveryResult(await keys.approve(argument, by, trustedDocuments ? 'trusted' : 'any')),
  },
  {
    name: 'reject',
    summary: 'Reject a request and mail the reason.',
    argument: 'REQUEST',
    requiredOptions: ['reason'],
    optionalOptions: [],
    notes: emailNote,
    run: async (keys, { argument, options: { reason = '' } }) =>
      deliveryResult(await keys.reject(argument, by, reason)),
  },
  {
    name: 'resend',
    summary: 'Mail the outcome of a request again, with a new key.',
    argument: 'REQUEST',
    requiredOptions: [],
    optionalOptions: [],
    notes: `The key that was issued before is revoked. ${emailNote}`,
    run: async (keys, { argument }) => deliveryResult(await keys.resend(argument, by)),
  },
  {
    name: 'audit',
    summary: 'Show who did what and when.',
    argument: null,
    requiredOptions: [],
    optionalOptions: ['limit'],
    notes: '',
    async run(keys, { options: { limit = defaultAuditLimit } }) {
      const entries = await keys.audit(limit);
      return {
        json: entries,
        text: entries.length === 0 ? 'The audit log is empty.' : entries.map(auditLine).join('\n'),
      };
    },
  },
];

/** The subcommands of `keys`, in the order of the help. */
export const keyCommands: readonly KeyCommand[] = [...keyCommandsOfKeys, ...keyCommandsOfRequests];
