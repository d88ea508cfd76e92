import type { AuditEntry, KeyLimits, KeyRecord, KeyRequest, UsageToday } from '../keys-types';

const toMinute = (instant: string): string => `${instant.slice(0, 16)}Z`;

export const keyLine = (key: KeyRecord, usage?: UsageToday): string =>
  `${key.id}  svc_${key.environment}_...${key.last4}  ${toMinute(key.createdAt)}  ${key.revokedAt === null ? 'active ' : 'revoked'}  ${key.email}  ${key.name}${key.documents === 'trusted' ? '  (trusted documents only)' : ''}${usage ? `  requests today: ${usage.requests}, embedding calls: ${usage.embeddingCalls}` : ''}`;

/** Formats all facts of a key, one per line. */
export const keyText = (key: KeyRecord): string =>
  Object.entries({
    ...key,
    requestsPerDay: key.requestsPerDay ?? 'default',
    requestsPerMinute: key.requestsPerMinute ?? 'default',
    revokedAt: key.revokedAt ?? 'active',
  })
    .map(([name, value]) => `${name.padEnd(19)}${String(value)}`)
    .join('\n');

export const limitsText = ({ requestsPerDay, requestsPerMinute }: KeyLimits): string =>
  `${requestsPerDay ?? 'the default number of'} requests a day, ${requestsPerMinute ?? 'the default number of'} requests a minute`;

const stateText = ({ state, deliveredAt }: KeyRequest): string =>
  state !== 'pending' && deliveredAt === null ? `${state}, not delivered` : state;

export const requestLine = (request: KeyRequest): string =>
  `${request.id}  ${request.environment}  ${toMinute(request.createdAt)}  ${stateText(request).padEnd(23)}  ${request.email}  ${request.name}`;

/** Formats all facts of a key request, one per line. The applicant's description comes last. */
export function requestText(request: KeyRequest): string {
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
export const deliveryText = ({ id, email, deliveryError }: KeyRequest): string =>
  deliveryError === null
    ? `The mail to ${email} is handed over.`
    : `The decision stands, but the mail to ${email} did not go out: ${deliveryError}. Fix the cause, then: npm run keys -- resend ${id}`;

export const auditLine = ({ at, by, act, keyId, requestId, note }: AuditEntry): string =>
  [
    at,
    by,
    act,
    ...(keyId === null ? [] : [`key ${keyId}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
    note,
  ].join('  ');
