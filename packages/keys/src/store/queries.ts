import type { Environment } from '../token';
import type { AuditEntry, KeyLimits, KeyRecord, KeyRequest, RequestState } from '../types';

type SqlValue = string | number | null | Buffer;

/** A statement in SQL that both SQLite and PostgreSQL accept. Its parameters are $1, $2 and so on. */
export interface SqlStatement {
  readonly text: string;
  readonly values: SqlValue[];
}

/**
 * SQL statements with logic between them: a generator that yields statements and receives their
 * rows. A script runs in both stores: synchronously in SQLite, asynchronously in PostgreSQL.
 */
export type SqlScript<Result> = Generator<SqlStatement, Result, readonly unknown[]>;

export interface KeyStore {
  /** Looks up a key. Throws or rejects with a KeyStoreUnavailableError if the store does not respond in time. */
  keyByDigest(digest: Buffer): KeyRecord | null | Promise<KeyRecord | null>;
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
  'id, environment, email, name, last4, requests_per_day AS "requestsPerDay", requests_per_minute AS "requestsPerMinute", documents, grants, created_at AS "createdAt", revoked_at AS "revokedAt"';

/** Inserts a key. The result is null if `address` already has an active key in this environment. */
export const insertKey = (key: KeyRecord, address: string, digest: Buffer) =>
  queryOne(
    `INSERT INTO api_key (id, environment, email, address, name, digest, last4, requests_per_day, requests_per_minute, documents, grants, created_at)
    VALUES (:id, :environment, :email, :address, :name, :digest, :last4, :requestsPerDay, :requestsPerMinute, :documents, :grants, :createdAt) ON CONFLICT DO NOTHING RETURNING id`,
    { ...key, address, digest },
  );

export const selectActiveKey = (address: string, environment: Environment) =>
  queryOne<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE address = :address AND environment = :environment AND revoked_at IS NULL`,
    { address, environment },
  );

/**
 * Finds the keys whose id is the selector, whose token has this digest, or whose last four characters are the selector.
 */
export const selectKeysMatching = (selector: string, digest: Buffer) =>
  query<KeyRecord>(
    `SELECT ${keyColumns} FROM api_key WHERE id = :selector OR digest = :digest OR last4 = :selector ORDER BY created_at, id`,
    { selector, digest },
  );

export const selectAllKeys = () => query<KeyRecord>(`SELECT ${keyColumns} FROM api_key ORDER BY created_at, id`);

/** Changes the limits of a key. The result is null if the key is revoked. */
export const updateLimits = (id: string, { requestsPerDay, requestsPerMinute }: KeyLimits) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET requests_per_day = :requestsPerDay, requests_per_minute = :requestsPerMinute WHERE id = :id AND revoked_at IS NULL RETURNING ${keyColumns}`,
    { id, requestsPerDay, requestsPerMinute },
  );

/** Changes what a key may read. The result is null if the key is revoked, or if its grants are not `before`. */
export const updateGrants = (id: string, grants: string, before: string) =>
  queryOne<KeyRecord>(
    `UPDATE api_key SET grants = :grants WHERE id = :id AND grants = :before AND revoked_at IS NULL RETURNING ${keyColumns}`,
    { id, grants, before },
  );

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

/**
 * Assigns a new key to the request of an old key. The result is null if the old key was not issued for a request. With
 * `isEmailed`, the request counts as undelivered until an email with the new key was sent.
 */
export const replaceRequestKey = (oldKeyId: string, newKeyId: string, { isEmailed }: { isEmailed: boolean }) =>
  queryOne<KeyRequest>(
    `UPDATE key_request SET key_id = :newKeyId${isEmailed ? ', delivered_at = NULL, delivery_fault = NULL' : ''}
    WHERE key_id = :oldKeyId RETURNING ${requestColumns}`,
    { oldKeyId, newKeyId },
  );

/**
 * Stores whether an email was sent. The result is null if the request now has another key: the email with that key
 * counts instead.
 */
export const updateDelivery = (
  { id, keyId }: KeyRequest,
  delivery: { deliveredAt: string } | { deliveryError: string },
) =>
  queryOne<KeyRequest>(
    `UPDATE key_request SET delivered_at = :deliveredAt, delivery_fault = :deliveryError
    WHERE id = :id AND COALESCE(key_id, '') = :keyId RETURNING ${requestColumns}`,
    { id, keyId: keyId ?? '', ...delivery },
  );
