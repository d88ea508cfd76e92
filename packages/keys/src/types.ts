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
  /** The quota: requests per UTC day. Null for the deployment's default quota. */
  readonly requestsPerDay: number | null;
  /** The rate limit. Null for the deployment's default limit. */
  readonly requestsPerMinute: number | null;
  /** Any query, or trusted documents only. */
  readonly documents: AllowedDocuments;
  /** All times of this package are ISO 8601, UTC. */
  readonly createdAt: string;
  /** Null while the key is active. */
  readonly revokedAt: string | null;
}

export type KeyLimits = Pick<KeyRecord, 'requestsPerDay' | 'requestsPerMinute'>;

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
  /** Null while the request is pending, like `decidedBy`. */
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  /** Null unless the request is rejected. The applicant reads it. */
  readonly reason: string | null;
  /** Null unless the request is approved. */
  readonly keyId: string | null;
  /** When the last email was handed to the mail server or outbox. Null: "not delivered". */
  readonly deliveredAt: string | null;
  /** The reason why this email was not handed over, for the operator. */
  readonly deliveryError: string | null;
}

export interface AuditEntry {
  readonly at: string;
  /** The actor: `command`, `form`, or the operator's name on the admin pages. */
  readonly by: string;
  /**
   * request, issue, revoke, rotate, allow, approve, reject, resend, sign-in, sign-in rejected,
   * sign-out
   */
  readonly act: string;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** The details in words. The note never contains a key. */
  readonly note: string;
}

/** An operation is not possible. The person who asked for it reads the message. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
  constructor(
    message: string,
    /** The form field with the invalid value. Null if the error is not about a field. */
    readonly field: 'email' | 'name' | 'description' | 'reason' | null = null,
  ) {
    super(message);
  }
}

/** The key store does not respond. The message is for the operator, and the store has logged it. */
export class KeyStoreUnavailableError extends Error {
  override readonly name = 'KeyStoreUnavailableError';
}

/** What a key has used in the current UTC day. Only requests of keys with a quota are counted. */
export interface UsageToday {
  readonly requests: number;
  readonly embeddingCalls: number;
}

/** By the id of a key. Unknown if each gateway counts in its own memory, or Redis is down. */
export type UsageByKey =
  | { readonly kind: 'known'; readonly usage: ReadonlyMap<string, UsageToday> }
  | { readonly kind: 'not-shared' }
  | { readonly kind: 'unavailable' };
