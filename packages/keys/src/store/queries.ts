import type { Environment } from '../token';
import type { AuditEntry, KeyLimits, KeyRecord, KeyRequest, RequestState } from '../types';

type SqlValue = string | number | null | Buffer;

/** A statement in SQL that both SQLite and PostgreSQL accept. Its parameters are $1, $2 and so on. */
export interface SqlStatement {
  readonly text: string;
  readonly values: SqlValue[];
}

/**
 * A generator that yields statements and receives their rows. It runs synchronously in SQLite, asynchronously in
 * PostgreSQL.
 */
export type SqlScript<Result> = Generator<SqlStatement, Result, readonly unknown[]>;

export interface KeyStore {
  /** Returns the key of a token that works at this time. Throws or rejects with a KeyStoreUnavailableError. */
  keyByDigest(digest: Buffer, at: string): KeyRecord | null | Promise<KeyRecord | null>;
  /** Runs a script that only reads. */
  read<Result>(script: SqlScript<Result>): Promise<Result>;
  /** Runs a script in one transaction. If the script throws, the transaction is rolled back. */
  write<Result>(script: SqlScript<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Creates a script of one statement. `:name` in the text stands for a parameter. An absent parameter is null. */
export function* query<Row>(text: string, parameters: Readonly<Record<string, SqlValue>> = {}): SqlScript<Row[]> {
  const values: SqlValue[] = [];
  const numbered = text.replaceAll(/:(\w+)/g, (_, name: string) => `$${values.push(parameters[name] ?? null)}`);
  return (yield { text: numbered, values }) as Row[];
}

export function* queryOne<Row>(...statement: Parameters<typeof query>): SqlScript<Row | null> {
  return (yield* query<Row>(...statement))[0] ?? null;
}

export const insertAudit = (entry: Omit<AuditEntry, 'keyId' | 'requestId'> & Partial<AuditEntry>) =>
  query(
    'INSERT INTO audit_entry (at, by_whom, act, key_id, request_id, note) VALUES (:at, :by, :act, :keyId, :requestId, :note)',
    { ...entry },
  );

export const selectLatestAudit = (limit: number) =>
  query<AuditEntry>(
    'SELECT at, by_whom AS "by", act, key_id AS "keyId", request_id AS "requestId", note FROM audit_entry ORDER BY id DESC LIMIT :limit',
    { limit },
  );

export const keyColumns =
  'id, environment, email, name, last4, requests_per_day AS "requestsPerDay", requests_per_minute AS "requestsPerMinute", addresses, documents, grants, created_at AS "createdAt", expires_at AS "expiresAt", old_last4 AS "oldLast4", old_until AS "oldUntil", revoked_at AS "revokedAt"';

/** A key as one of its tokens finds it: the current token until the key expires, the old one until its overlap ends. */
export interface TokenRow extends KeyRecord {
  readonly tokenDigest: Buffer;
  readonly endsAt: string | null;
}

/** Selects keys by the digests of their tokens. `matches` compares a digest with the parameter $1. */
export const selectByToken = (matches: string): string =>
  `SELECT ${keyColumns}, digest AS "tokenDigest", expires_at AS "endsAt" FROM api_key WHERE digest ${matches} AND revoked_at IS NULL
  UNION ALL
  SELECT ${keyColumns}, old_digest, old_until FROM api_key WHERE old_digest ${matches} AND revoked_at IS NULL`;

/** Returns the key of a token, or null if the token does not work any more. */
export function keyOfToken({ endsAt, ...key }: Omit<TokenRow, 'tokenDigest'>, at: string): KeyRecord | null {
  return endsAt === null || endsAt > at ? key : null;
}

const isActive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :at)';

/** Inserts a key. The result is null if `address` already has an active key in this environment. */
export const insertKey = (key: KeyRecord, address: string, token: { digest: Buffer; pepper: string }) =>
  queryOne(
    `INSERT INTO api_key (id, environment, email, address, name, digest, last4, requests_per_day, requests_per_minute, addresses, documents, grants, created_at, expires_at, pepper)
    VALUES (:id, :environment, :email, :address, :name, :digest, :last4, :requestsPerDay, :requestsPerMinute, :addresses, :documents, :grants, :createdAt, :expiresAt, :pepper) ON CONFLICT DO NOTHING RETURNING id`,
    { ...key, address, ...token },
  );

export const selectActiveKey = (address: string, environment: Environment, at: string) =>
  queryOne<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE address = :address AND environment = :environment AND ${isActive}`,
    { address, environment, at },
  );

/** Revokes the key of an address if the key has expired, so that the address may have another. */
export const revokeExpiredKey = (address: string, environment: Environment, at: string) =>
  query(
    'UPDATE api_key SET revoked_at = expires_at WHERE address = :address AND environment = :environment AND revoked_at IS NULL AND expires_at <= :at',
    { address, environment, at },
  );

/** Finds keys by id, by the digest of a token, or by last four characters. An old token counts while it works. */
export const selectKeysMatching = (selector: string, digest: Buffer, at: string) =>
  query<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE id = :selector OR digest = :digest OR last4 = :selector
    OR ((old_digest = :digest OR old_last4 = :selector) AND old_until > :at) ORDER BY created_at, id`,
    { selector, digest, at },
  );

export const selectAllKeys = () => query<KeyRecord>(`SELECT ${keyColumns} FROM api_key ORDER BY created_at, id`);

/** Changes the limits of a key. The result is null if the key is revoked or expired. */
export const updateLimits = (id: string, { requestsPerDay, requestsPerMinute, addresses }: KeyLimits, at: string) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET requests_per_day = :requestsPerDay, requests_per_minute = :requestsPerMinute, addresses = :addresses WHERE id = :id AND ${isActive} RETURNING ${keyColumns}`,
    { id, requestsPerDay, requestsPerMinute, addresses, at },
  );

/** Changes what a key may read. The result is null if the key does not work, or if its grants are not `before`. */
export const updateGrants = (id: string, grants: string, before: string, at: string) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET grants = :grants WHERE id = :id AND grants = :before AND ${isActive} RETURNING ${keyColumns}`,
    { id, grants, before, at },
  );

/**
 * Gives a key a new token. The old one works until `until`, or no more. The result is null if the key does not work or
 * has another token by now.
 */
export const updateToken = (
  { id, last4: before }: KeyRecord,
  { until, ...token }: { digest: Buffer; pepper: string; last4: string; until: string | null; at: string },
) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET digest = :digest, pepper = :pepper, last4 = :last4, ${until === null ? 'old_digest = NULL, old_last4 = NULL' : 'old_digest = digest, old_last4 = last4'}, old_until = :until
    WHERE id = :id AND last4 = :before AND ${isActive} RETURNING ${keyColumns}`,
    { id, before, until, ...token },
  );

/** Finds an active key whose token was issued with another pepper. Older versions did not store which. */
export const selectKeyOfOtherPepper = (pepper: string, at: string) =>
  queryOne<KeyRecord>(`SELECT ${keyColumns} FROM api_key WHERE pepper <> :pepper AND ${isActive} LIMIT 1`, {
    pepper,
    at,
  });

/** Revokes a key. The result is the key, or null if no active key has this id. */
export const revokeKey = (id: string, at: string) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL RETURNING ${keyColumns}`,
    { id, at },
  );

const requestColumns = `id, environment, email, name, description, created_at AS "createdAt", state, decided_at AS "decidedAt", decided_by AS "decidedBy",
  reason, key_id AS "keyId", delivered_at AS "deliveredAt", delivery_fault AS "deliveryError"`;

/** A key request as it is submitted. `address` is the normalized email address. */
export type NewRequest = Pick<KeyRequest, 'id' | 'environment' | 'email' | 'name' | 'description' | 'createdAt'> & {
  readonly address: string;
};

/** Inserts a key request. The result is null if the address already has a pending request. */
export const insertRequest = (request: NewRequest) =>
  queryOne(
    `INSERT INTO key_request (id, environment, email, address, name, description, created_at, state)
    VALUES (:id, :environment, :email, :address, :name, :description, :createdAt, 'pending') ON CONFLICT DO NOTHING RETURNING id`,
    { ...request },
  );

export const selectRequest = (id: string) =>
  queryOne<KeyRequest>(`SELECT ${requestColumns} FROM key_request WHERE id = :id`, { id });

export const selectPendingRequest = (address: string, environment: Environment) =>
  queryOne<KeyRequest>(
    `SELECT ${requestColumns} FROM key_request WHERE address = :address AND environment = :environment AND state = 'pending'`,
    { address, environment },
  );

export const selectRequests = (state?: RequestState) =>
  query<KeyRequest>(
    `SELECT ${requestColumns} FROM key_request ${state ? 'WHERE state = :state' : ''} ORDER BY created_at, id`,
    { ...(state && { state }) },
  );

/** Decides a key request. Of concurrent decisions, only the first takes effect, and the others get null. */
export const decideRequest = (
  id: string,
  decision: { state: RequestState; at: string; by: string; reason?: string; keyId?: string },
) =>
  queryOne<KeyRequest>(
    `UPDATE key_request SET state = :state, decided_at = :at, decided_by = :by, reason = :reason, key_id = :keyId
    WHERE id = :id AND state = 'pending' RETURNING ${requestColumns}`,
    { id, ...decision },
  );

/** Marks a request as undelivered, until an email with the new token of its key was sent. */
export const resetDelivery = (id: string) =>
  queryOne<KeyRequest>(
    `UPDATE key_request SET delivered_at = NULL, delivery_fault = NULL WHERE id = :id RETURNING ${requestColumns}`,
    { id },
  );

/**
 * Stores whether an email was sent. Null if the key has another token than the emailed one, whose email counts instead.
 */
export const updateDelivery = (
  id: string,
  digest: Buffer | null,
  delivery: { deliveredAt: string } | { deliveryError: string },
) =>
  queryOne<KeyRequest>(
    `UPDATE key_request SET delivered_at = :deliveredAt, delivery_fault = :deliveryError
    WHERE id = :id AND (key_id IS NULL OR key_id IN (SELECT id FROM api_key WHERE digest = :digest)) RETURNING ${requestColumns}`,
    { id, digest, ...delivery },
  );
