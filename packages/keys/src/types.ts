import type { Environment } from './token';

/**
 * The data of a key that operators see. The token is shown once, when the key is issued, and is
 * stored nowhere.
 */
export interface KeyRecord {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** The last four characters of the token, so that people can tell keys apart. */
  readonly last4: string;
  /** The key's quota: requests per UTC day. Null for the deployment's default quota. */
  readonly requestsPerDay: number | null;
  /** The key's rate limit: requests per minute. Null for the deployment's default limit. */
  readonly requestsPerMinute: number | null;
  /** The documents that the key may send: any query, or trusted documents only. */
  readonly documents: AllowedDocuments;
  /** The time at which the key was issued, as ISO 8601, UTC. */
  readonly createdAt: string;
  /** The time at which the key was revoked, as ISO 8601, UTC. Null while the key is active. */
  readonly revokedAt: string | null;
}

/** The limits that an operator may set for one key instead of the deployment's defaults. */
export type KeyLimits = Pick<KeyRecord, 'requestsPerDay' | 'requestsPerMinute'>;

export type AllowedDocuments = 'any' | 'trusted';

/** A key that was just issued. No other value that `Keys` returns contains the token. */
export interface NewKey {
  readonly key: KeyRecord;
  readonly token: string;
}

export type RequestState = 'pending' | 'approved' | 'rejected';

export const requestStates: readonly RequestState[] = ['pending', 'approved', 'rejected'];

/** A request for a key, as an applicant sent it with the form, and its outcome. */
export interface KeyRequest {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** The purpose of the key in the applicant's words. The text may have several lines. */
  readonly description: string;
  readonly createdAt: string;
  readonly state: RequestState;
  /** The time at which the request was approved or rejected. Null while the request is pending. */
  readonly decidedAt: string | null;
  /** The operator who approved or rejected the request. Null while the request is pending. */
  readonly decidedBy: string | null;
  /** The reason of a rejection, which the applicant reads. Null unless the request is rejected. */
  readonly reason: string | null;
  /** The key that was issued for the request. Null unless the request is approved. */
  readonly keyId: string | null;
  /**
   * The time at which the last email with the outcome was handed over to the mail server or the
   * outbox. Null if this email was not handed over: "approved, not delivered".
   */
  readonly deliveredAt: string | null;
  /**
   * The reason why the last email with the outcome was not handed over, for the operator. Null if
   * it was handed over, and while the request is pending.
   */
  readonly deliveryError: string | null;
}

/** One line of the audit log. */
export interface AuditEntry {
  readonly at: string;
  /** The actor: `command`, `form`, or the operator's name on the admin pages. */
  readonly by: string;
  /**
   * The action: request, issue, revoke, rotate, allow, approve, reject, resend, sign-in, sign-in
   * rejected, sign-out.
   */
  readonly act: string;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** The details in words. The note never contains a key. */
  readonly note: string;
}

export type Authentication =
  | { readonly kind: 'caller'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }
  /** The key is active, but in the other environment. */
  | { readonly kind: 'other-environment' };

/**
 * The error of an operation that is not possible. The person who asked for the operation reads the
 * message.
 */
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

/**
 * The error of a key store that does not respond. The message is for the operator, and the store
 * has logged it.
 */
export class KeyStoreUnavailableError extends Error {
  override readonly name = 'KeyStoreUnavailableError';
}

/**
 * API keys, the requests for keys, and the audit log, in a store that several processes share.
 * A `keySelector` is a key's id, its whole token, or its last four characters if these are unique.
 * `by` names the operator in the audit log.
 */
export interface Keys {
  /**
   * Finds the holder of a token. Changes by other processes are visible at once. Unknown,
   * malformed, forged and revoked tokens have the same result and take equally long. Throws or
   * rejects with a KeyStoreUnavailableError if the store is unavailable.
   */
  authenticate(token: string | null, environment: Environment): Authentication | Promise<Authentication>;

  /**
   * Issues a key. Throws a KeyRequestError if a value is invalid, or if the address already has an
   * active key in this environment.
   */
  issue(
    holder: {
      email: string;
      name: string;
      environment: Environment;
      documents?: AllowedDocuments;
    } & Partial<KeyLimits>,
    by: string,
  ): Promise<NewKey>;
  /** Returns all keys, revoked keys too, oldest first. */
  list(): Promise<KeyRecord[]>;
  show(keySelector: string): Promise<KeyRecord>;
  /**
   * Revokes a key. The revocation takes effect with the next request, in every process. Throws a
   * KeyRequestError if the key is unknown or already revoked.
   */
  revoke(keySelector: string, by: string): Promise<KeyRecord>;
  /** Issues a new key to the same holder and revokes the old key, in one transaction. */
  rotate(keySelector: string, by: string): Promise<NewKey>;
  /**
   * Sets the limits that `limits` has, and leaves the others unchanged. Null means the deployment's
   * default. Requests that are already counted stay counted.
   */
  setLimits(keySelector: string, limits: Partial<KeyLimits>, by: string): Promise<KeyRecord>;

  /**
   * Stores a request from the form. Throws a KeyRequestError with its field for an invalid value.
   * If the address already has a pending request or an active key, stores no second request. The
   * applicant gets the same response in this case, and the audit log says what happened.
   */
  submitRequest(request: { email: string; name: string; description: string; environment: Environment }): Promise<void>;
  /** Returns all key requests, or those in the given state, oldest first. */
  requests(state?: RequestState): Promise<KeyRequest[]>;
  showRequest(id: string): Promise<KeyRequest>;
  /**
   * Issues the key and emails it. Throws a KeyRequestError if the request is decided or the address
   * has an active key. If the email cannot be sent, the request is approved with a `deliveryError`.
   */
  approve(id: string, by: string, documents?: AllowedDocuments): Promise<KeyRequest>;
  /** Rejects the request and emails the reason. */
  reject(id: string, by: string, reason: string): Promise<KeyRequest>;
  /** Emails the outcome again. An approved request gets a new key, and its old key is revoked. */
  resend(id: string, by: string): Promise<KeyRequest>;

  /** Returns at most `limit` entries of the audit log, newest first. */
  audit(limit: number): Promise<AuditEntry[]>;
  record(entry: Omit<AuditEntry, 'at'>): Promise<void>;

  /** The sessions of operators, shared by all gateways. */
  readonly sessions: Sessions;

  close(): Promise<void>;
}

export interface Session {
  /** The CSRF token of the session's forms. Unique per session, and different from the cookie. */
  readonly csrf: string;
  readonly expiresAt: string;
}

/** `password` is always the current password of operators: a new password ends every session. */
export interface Sessions {
  /**
   * Opens a session of this many seconds. Returns the cookie's secret; the store has a digest of
   * the secret.
   */
  open(options: { password: string; seconds: number }): Promise<string>;
  /**
   * Finds the session of a cookie's secret. Returns null if the session is unknown, expired, ended,
   * or was opened with another password.
   */
  find(secret: string, password: string): Promise<Session | null>;
  end(secret: string): Promise<void>;
}

/**
 * The requests and embedding calls of a key in the current UTC day. Requests are counted only for
 * keys with a quota.
 */
export interface UsageToday {
  readonly requests: number;
  readonly embeddingCalls: number;
}

/**
 * The usage by the id of a key, or the reason why the usage is unknown: each gateway counts in its
 * own memory, or Redis does not respond.
 */
export type UsageByKey =
  | { readonly kind: 'known'; readonly usage: ReadonlyMap<string, UsageToday> }
  | { readonly kind: 'not-shared' }
  | { readonly kind: 'unavailable' };

export type ReadUsage = (keys: readonly KeyRecord[]) => Promise<UsageByKey>;
