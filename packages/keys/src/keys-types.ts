import type { Environment } from './token';

/** What people see of a key. The token itself is shown once, when it is made, and kept nowhere. */
export interface KeyRecord {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** The last four characters of the token, to tell keys apart. */
  readonly last4: string;
  /** How many requests it has a day (UTC); null for as many as the deployment gives every key. */
  readonly requestsPerDay: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null while the key is good. */
  readonly revokedAt: string | null;
}

/** A key just made. The token is in this answer alone. */
export interface NewKey {
  readonly key: KeyRecord;
  readonly token: string;
}

export type RequestState = 'pending' | 'approved' | 'rejected';

export const requestStates: readonly RequestState[] = ['pending', 'approved', 'rejected'];

/** What somebody asked for on the form, and what became of it. */
export interface KeyRequest {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** What the key is for, in the applicant's words; may have several lines. */
  readonly description: string;
  readonly createdAt: string;
  readonly state: RequestState;
  /** When, and by whom, it was approved or rejected; null while it is pending. */
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  /** Why it was rejected, as the applicant was told; null otherwise. */
  readonly reason: string | null;
  /** The key it led to; null unless approved. */
  readonly keyId: string | null;
  /** When the mail with the outcome was handed over; null while it was not. An approved one without is "approved, not delivered". */
  readonly deliveredAt: string | null;
  /** Why the last mail did not go out, for the operator; null when it did. */
  readonly deliveryError: string | null;
}

/** One line of the record of what operators did. */
export interface AuditEntry {
  readonly at: string;
  /** Who: `command`, `form`, or the name that an operator's page gives. */
  readonly by: string;
  /** request, issue, revoke, rotate, allow, approve, reject, resend, sign-in, sign-in refused, sign-out. */
  readonly act: string;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** What else is worth telling; never a key. */
  readonly note: string;
}

export type Authentication =
  | { readonly kind: 'caller'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }
  /** A good key, but of the other environment. */
  | { readonly kind: 'other-environment' };

/** What is asked for or told cannot be done: a message for the person who asked, and the field of the form at fault where it is one. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
  constructor(
    message: string,
    readonly field: 'email' | 'name' | 'description' | 'reason' | null = null,
  ) {
    super(message);
  }
}

/** API keys, the requests for them and the record of who did what, in a store that several processes share. */
export interface Keys {
  /**
   * Who holds a token. Unknown, malformed, forged and revoked tokens of either environment are told apart neither by the answer nor by the
   * time it takes. What another process did holds from the next call on. Rejects when the store does not answer.
   */
  authenticate(token: string | null, environment: Environment): Authentication | Promise<Authentication>;

  /** Throws a KeyRequestError for a bad address and for one that has a key in this environment. */
  issue(
    asked: { email: string; name: string; environment: Environment; requestsPerDay?: number | null },
    by: string,
  ): Promise<NewKey>;
  /** Every key that was ever issued, oldest first. */
  list(): Promise<KeyRecord[]>;
  /** Takes an id, a whole token, or the last four characters where they are unique, as do revoke, rotate and allow. */
  show(which: string): Promise<KeyRecord>;
  /** Holds from the next request on, everywhere. Revoking twice is a KeyRequestError. */
  revoke(which: string, by: string): Promise<KeyRecord>;
  /** A new key for the same holder, and the old one revoked, in one step. */
  rotate(which: string, by: string): Promise<NewKey>;
  /** How many requests it has a day from now on; null for as many as every key. What it has used today stays used. */
  setRequestsPerDay(which: string, requestsPerDay: number | null, by: string): Promise<KeyRecord>;

  /**
   * Keeps what was asked for on the form. An address that has a pending request or a key gets no second request and no other
   * answer: nothing tells the applicant which. The audit tells the operator. Throws a KeyRequestError with its field for what the form cannot take.
   */
  submitRequest(asked: { email: string; name: string; description: string; environment: Environment }): Promise<void>;
  /** Oldest first. */
  requests(state?: RequestState): Promise<KeyRequest[]>;
  showRequest(id: string): Promise<KeyRequest>;
  /**
   * Issues the key and mails it; for an address that has a key by now it is a KeyRequestError. Of several approvals at once one issues a key and the others are KeyRequestErrors. A mail that does not go out
   * leaves the request approved and not delivered, with `deliveryFault`.
   */
  approve(id: string, by: string): Promise<KeyRequest>;
  /** Mails the reason. */
  reject(id: string, by: string, reason: string): Promise<KeyRequest>;
  /** Mails the outcome again; an approved request gets a fresh key, for the first one is kept nowhere, and the first one is revoked. */
  resend(id: string, by: string): Promise<KeyRequest>;

  /** Newest first. */
  audit(most: number): Promise<AuditEntry[]>;
  record(entry: Omit<AuditEntry, 'at'>): Promise<void>;

  /** Operators who are signed in, shared by all gateways and gone with the password they signed in with. */
  readonly sessions: Sessions;

  close(): Promise<void>;
}

export interface Session {
  /** Unique, and not the cookie's value: what forms carry against forgery. */
  readonly csrf: string;
  readonly expiresAt: string;
}

export interface Sessions {
  /** Returns the secret for the cookie, which is stored as a digest. `password` is the one that is valid now. */
  open(options: { password: string; seconds: number }): Promise<string>;
  /** Null for one that is unknown, over, ended, or opened with another password. */
  find(secret: string, password: string): Promise<Session | null>;
  end(secret: string): Promise<void>;
}
