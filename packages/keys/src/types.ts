import type { Environment } from './token';

export type AllowedDocuments = 'any' | 'trusted';

/** A key as operators see it. Its token is shown once and stored nowhere. */
export interface KeyRecord {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** The last four characters of the token, so that people can tell keys apart. */
  readonly last4: string;
  /** The quota of requests per UTC day. Null means the deployment's default. */
  readonly requestsPerDay: number | null;
  /** The maximum number of requests per minute. Null means the deployment's default. */
  readonly requestsPerMinute: number | null;
  /** The addresses with a limit of their own with this key, and their requests a minute: `203.0.113.7=600`. */
  readonly addresses: string | null;
  /** Whether the key may send any query, or trusted documents only. */
  readonly documents: AllowedDocuments;
  /** The identifiers of the restricted translations that the key may read, sorted and separated by blanks. */
  readonly grants: string;
  /** The time of creation. All times in this package are in ISO 8601, UTC. */
  readonly createdAt: string;
  /** When the key stops working. Null for a key without an end. */
  readonly expiresAt: string | null;
  /** The last four characters of the token before the last rotation. Null if that token was rejected at once. */
  readonly oldLast4: string | null;
  /** Until when the token before the last rotation works too. Null like `oldLast4`. */
  readonly oldUntil: string | null;
  /** The time of revocation. Null while the key is not revoked. */
  readonly revokedAt: string | null;
}

/** Returns the state of a key. An expired key whose address has got another key is revoked at its expiry. */
export function keyStateAt({ expiresAt, revokedAt }: KeyRecord, at: string): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return revokedAt === expiresAt ? 'expired' : 'revoked';
  return expiresAt !== null && expiresAt <= at ? 'expired' : 'active';
}

export type KeyLimits = Pick<KeyRecord, 'requestsPerDay' | 'requestsPerMinute' | 'addresses'>;

/** A key that was just issued. No other value of this package contains the token. */
export interface NewKey {
  readonly key: KeyRecord;
  readonly token: string;
}

export const requestStates = ['pending', 'approved', 'rejected'] as const;

export type RequestState = (typeof requestStates)[number];

/** A request for a key, as an applicant sent it with the form, and its outcome. */
export interface KeyRequest extends Pick<KeyRecord, 'id' | 'environment' | 'email' | 'name' | 'createdAt'> {
  /** The purpose of the key in the applicant's words, on one or more lines. */
  readonly description: string;
  readonly state: RequestState;
  /** The time of the decision. Like `decidedBy`, null while the request is pending. */
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  /** Why the request was rejected. The applicant reads this text. Null unless the request is rejected. */
  readonly reason: string | null;
  /** The id of the issued key. Null unless the request is approved. */
  readonly keyId: string | null;
  /** When the last email about the outcome was passed to the mail server or the outbox. Null if this failed. */
  readonly deliveredAt: string | null;
  /** Why the last email could not be passed on, for the operator. Null if it was passed on or none was tried. */
  readonly deliveryError: string | null;
}

export interface AuditEntry {
  readonly at: string;
  /** Who acted: `form`, `command`, `NAME (command)`, or the name of the operator on the admin pages. */
  readonly by: string;
  /** request, issue, revoke, rotate, allow, grant, approve, reject, resend, sign-in, sign-in rejected or sign-out. */
  readonly act: string;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** The details in words. The note never contains a key. */
  readonly note: string;
}

/** The error of an operation that is not possible. Its message is for the person who wanted the operation. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
  constructor(
    message: string,
    /** The form field with the invalid value. Null if the error concerns no field. */
    readonly field: 'email' | 'name' | 'description' | 'reason' | 'expires' | 'overlap' | null = null,
  ) {
    super(message);
  }
}

/** The error if the key store does not respond. Its message is for the operator. The store has already logged it. */
export class KeyStoreUnavailableError extends Error {
  override readonly name = 'KeyStoreUnavailableError';
}

/** How much a key has used in the current UTC day. Requests are counted only for keys with a quota. */
export interface UsageToday {
  readonly requests: number;
  readonly embeddingCalls: number;
}

/** The usage by the id of the key. Unknown if gateways count in their own memory, or Redis is unavailable. */
export type UsageByKey =
  | { readonly kind: 'known'; readonly usage: ReadonlyMap<string, UsageToday> }
  | { readonly kind: 'not-shared' }
  | { readonly kind: 'unavailable' };

/** How much a key has used in the current UTC day. */
export interface KeyUsage {
  /** The requests that count against the quota. Null if the key has no quota. */
  readonly requests: { readonly count: number; readonly max: number } | null;
  /** The number of semantic searches. Searches in translations without embeddings count too. */
  readonly embeddingCalls: number;
  /** Whether only the counts of this gateway are known, because those of all gateways cannot be read. */
  readonly isOfOneGateway: boolean;
}
