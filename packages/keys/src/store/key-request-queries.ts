import type { Environment } from '../key-token';
import type { KeyRequest, RequestState } from '../keys-types';
import type { SqlScript } from './sql-script-generator-and-key-store-types';
import { query } from './sql-script-generator-and-key-store-types';

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

export interface Decision {
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
