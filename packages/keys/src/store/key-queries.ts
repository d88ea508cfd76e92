import type { Environment } from '../key-token';
import type { KeyLimits, KeyRecord } from '../keys-types';
import type { SqlScript } from './sql-script-generator-and-key-store-types';
import { query } from './sql-script-generator-and-key-store-types';

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
