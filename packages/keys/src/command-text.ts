import type { AuditEntry, KeyRecord, KeyRequest } from './keys-types';

const minute = (instant: string): string => `${instant.slice(0, 16)}Z`;

export const keyLine = (key: KeyRecord): string =>
  `${key.id}  svc_${key.environment}_...${key.last4}  ${minute(key.createdAt)}  ${key.revokedAt === null ? 'good   ' : 'revoked'}  ${key.email}  ${key.name}`;

const stateOf = ({ state, deliveredAt }: KeyRequest): string =>
  state !== 'pending' && deliveredAt === null ? `${state}, not delivered` : state;

export const requestLine = (request: KeyRequest): string =>
  `${request.id}  ${request.environment}  ${minute(request.createdAt)}  ${stateOf(request).padEnd(23)}  ${request.email}  ${request.name}`;

/** A request in full: one line a fact, the applicant's own words last. */
export function requestText(request: KeyRequest): string {
  const facts = {
    id: request.id,
    environment: request.environment,
    asked: request.createdAt,
    name: request.name,
    email: request.email,
    state: stateOf(request),
    ...(request.decidedAt !== null && { decided: `${request.decidedAt} by ${request.decidedBy ?? 'somebody'}` }),
    ...(request.reason !== null && { reason: indented(request.reason) }),
    ...(request.keyId !== null && { key: request.keyId }),
    ...(request.deliveredAt !== null && { delivered: request.deliveredAt }),
    ...(request.deliveryError !== null && { fault: request.deliveryError }),
    for: indented(request.description),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(indent)}${value}`)
    .join('\n');
}

const indent = 13;
const indented = (text: string): string => text.split('\n').join(`\n${' '.repeat(indent)}`);

export const wordsOfDelivery = ({ id, email, deliveryError }: KeyRequest): string =>
  deliveryError === null
    ? `The mail to ${email} is handed over.`
    : `The decision stands, but the mail to ${email} did not go out: ${deliveryError}. When that is mended: npm run keys -- resend ${id}`;

export const auditLine = ({ at, by, act, keyId, requestId, note }: AuditEntry): string =>
  [
    at,
    by,
    act,
    ...(keyId === null ? [] : [`key ${keyId}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
    note,
  ].join('  ');
