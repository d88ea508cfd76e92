import type { Environment } from '../token';
import type { AuditEntry, KeyLimits, KeyRecord, KeyRequest, RequestState } from '../types';

type SqlValue = string | number | null | Buffer;

/** One statement in the SQL that SQLite and PostgreSQL share. Parameters are $1, $2 and so on. */
export interface SqlStatement {
  readonly text: string;
  readonly values: SqlValue[];
}

/**
 * A sequence of SQL statements with logic between them: a generator that yields statements and
 * receives their rows. A script is written once and runs in both stores: synchronously in SQLite,
 * asynchronously in PostgreSQL.
 */
export type SqlScript<Result> = Generator<SqlStatement, Result, readonly unknown[]>;

/** A script of one statement. Its result is the rows. */
export function* query<Row>(text: string, ...values: SqlValue[]): SqlScript<readonly Row[]> {
  return (yield { text, values }) as readonly Row[];
}

export interface KeyStore {
  /**
   * Finds the key with this digest in its current state. Throws or rejects with a
   * KeyStoreUnavailableError if the store is unavailable or does not respond in time.
   */
  keyByDigest(digest: Buffer): KeyRecord | null | Promise<KeyRecord | null>;
  /** Runs a script that only reads. */
  read<Result>(script: SqlScript<Result>): Promise<Result>;
  /** Runs a script in one transaction. If the script throws, the transaction is rolled back. */
  write<Result>(script: SqlScript<Result>): Promise<Result>;
  close(): Promise<void>;
}

export const insertAudit = ({ at, by, act, keyId, requestId, note }: AuditEntry): SqlScript<readonly unknown[]> =>
  query(
    'INSERT INTO audit_entry (at, by_whom, act, key_id, request_id, note) VALUES ($1, $2, $3, $4, $5, $6)',
    at,
    by,
    act,
    keyId,
    requestId,
    note,
  );

/** Selects the latest entries of the audit log, newest first. */
export const selectLatestAudit = (limit: number): SqlScript<readonly AuditEntry[]> =>
  query<AuditEntry>(
    'SELECT at, by_whom AS "by", act, key_id AS "keyId", request_id AS "requestId", note FROM audit_entry ORDER BY id DESC LIMIT $1',
    limit,
  );

/** The columns of a KeyRecord, with its property names. */
export const keyColumns =
  'id, environment, email, name, last4, requests_per_day AS "requestsPerDay", requests_per_minute AS "requestsPerMinute", documents, created_at AS "createdAt", revoked_at AS "revokedAt"';

export interface KeyRow extends KeyRecord {
  /** The normalized email address, for comparison. */
  readonly address: string;
  readonly digest: Buffer;
}

/**
 * Inserts a key. Returns false, and inserts nothing, if the address has an active key in this
 * environment.
 */
export function* insertKey(key: KeyRow): SqlScript<boolean> {
  const inserted = yield* query(
    'INSERT INTO api_key (id, environment, email, address, name, digest, last4, requests_per_day, requests_per_minute, documents, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING id',
    key.id,
    key.environment,
    key.email,
    key.address,
    key.name,
    key.digest,
    key.last4,
    key.requestsPerDay,
    key.requestsPerMinute,
    key.documents,
    key.createdAt,
  );
  return inserted.length === 1;
}

/** Returns the active key of an address. */
export function* selectActiveKey(address: string, environment: Environment): SqlScript<KeyRecord | null> {
  const [key] = yield* query<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE address = $1 AND environment = $2 AND revoked_at IS NULL`,
    address,
    environment,
  );
  return key ?? null;
}

/** Returns the keys with this id, this digest of the whole token, or these last four characters. */
export const selectKeysMatching = (keySelector: string, digest: Buffer): SqlScript<readonly KeyRecord[]> =>
  query<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE id = $1 OR digest = $2 OR last4 = $3 ORDER BY created_at, id`,
    keySelector,
    digest,
    keySelector,
  );

export const selectAllKeys = (): SqlScript<readonly KeyRecord[]> =>
  query<KeyRecord>(`SELECT ${keyColumns} FROM api_key ORDER BY created_at, id`);

/** Sets a key's limits. Returns the updated key, or null if the key is revoked. */
export function* updateLimits(
  id: string,
  { requestsPerDay, requestsPerMinute }: KeyLimits,
): SqlScript<KeyRecord | null> {
  const [key] = yield* query<KeyRecord>(
    `UPDATE api_key SET requests_per_day = $1, requests_per_minute = $2 WHERE id = $3 AND revoked_at IS NULL RETURNING ${keyColumns}`,
    requestsPerDay,
    requestsPerMinute,
    id,
  );
  return key ?? null;
}

/** Revokes a key. Returns the revoked key, or null if the key was already revoked. */
export function* revokeKey(id: string, at: string): SqlScript<KeyRecord | null> {
  const [key] = yield* query<KeyRecord>(
    `UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING ${keyColumns}`,
    at,
    id,
  );
  return key ?? null;
}

const columns = `id, environment, email, name, description, created_at AS "createdAt", state, decided_at AS "decidedAt", decided_by AS "decidedBy",
  reason, key_id AS "keyId", delivered_at AS "deliveredAt", delivery_fault AS "deliveryError"`;

export type RequestRow = Pick<KeyRequest, 'id' | 'environment' | 'email' | 'name' | 'description' | 'createdAt'> & {
  /** The normalized email address, for comparison. */
  readonly address: string;
};

/**
 * Inserts a request. Returns false, and inserts nothing, if the address has a pending request in
 * this environment.
 */
export function* insertRequest(request: RequestRow): SqlScript<boolean> {
  const inserted = yield* query(
    "INSERT INTO key_request (id, environment, email, address, name, description, created_at, state) VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending') ON CONFLICT DO NOTHING RETURNING id",
    request.id,
    request.environment,
    request.email,
    request.address,
    request.name,
    request.description,
    request.createdAt,
  );
  return inserted.length === 1;
}

export function* selectRequest(id: string): SqlScript<KeyRequest | null> {
  const [request] = yield* query<KeyRequest>(`SELECT ${columns} FROM key_request WHERE id = $1`, id);
  return request ?? null;
}

export function* selectPendingRequest(address: string, environment: Environment): SqlScript<KeyRequest | null> {
  const [request] = yield* query<KeyRequest>(
    `SELECT ${columns} FROM key_request WHERE address = $1 AND environment = $2 AND state = 'pending'`,
    address,
    environment,
  );
  return request ?? null;
}

export const selectRequests = (state?: RequestState): SqlScript<readonly KeyRequest[]> =>
  state === undefined
    ? query<KeyRequest>(`SELECT ${columns} FROM key_request ORDER BY created_at, id`)
    : query<KeyRequest>(`SELECT ${columns} FROM key_request WHERE state = $1 ORDER BY created_at, id`, state);

interface Decision {
  readonly id: string;
  readonly state: 'approved' | 'rejected';
  readonly at: string;
  readonly by: string;
  readonly reason: string | null;
  readonly keyId: string | null;
}

/**
 * Decides a pending request. Returns null if the request is already decided: of concurrent
 * decisions, only the first takes effect.
 */
export function* decideRequest({ id, state, at, by, reason, keyId }: Decision): SqlScript<KeyRequest | null> {
  const [request] = yield* query<KeyRequest>(
    `UPDATE key_request SET state = $1, decided_at = $2, decided_by = $3, reason = $4, key_id = $5 WHERE id = $6 AND state = 'pending' RETURNING ${columns}`,
    state,
    at,
    by,
    reason,
    keyId,
    id,
  );
  return request ?? null;
}

/**
 * Replaces the key of the request for which the old key was issued. Returns null if there is no
 * such request. `isEmailed` says that the new key is emailed next, so the request counts as
 * undelivered until then.
 */
export function* replaceRequestKey({
  oldKeyId,
  newKeyId,
  isEmailed,
}: {
  oldKeyId: string;
  newKeyId: string;
  isEmailed: boolean;
}): SqlScript<KeyRequest | null> {
  const clearDelivery = isEmailed ? ', delivered_at = NULL, delivery_fault = NULL' : '';
  const [request] = yield* query<KeyRequest>(
    `UPDATE key_request SET key_id = $1${clearDelivery} WHERE key_id = $2 RETURNING ${columns}`,
    newKeyId,
    oldKeyId,
  );
  return request ?? null;
}

/**
 * Stores whether the email with the outcome was sent: the time, or the error.
 * Returns null if the request has another key by now, because the email of that key counts instead.
 */
export function* updateDelivery({
  id,
  keyId,
  deliveredAt,
  error,
}: {
  id: string;
  keyId: string | null;
  deliveredAt: string | null;
  error: string | null;
}): SqlScript<KeyRequest | null> {
  const [request] = yield* query<KeyRequest>(
    `UPDATE key_request SET delivered_at = $1, delivery_fault = $2 WHERE id = $3 AND COALESCE(key_id, '') = $4 RETURNING ${columns}`,
    deliveredAt,
    error,
    id,
    keyId ?? '',
  );
  return request ?? null;
}
