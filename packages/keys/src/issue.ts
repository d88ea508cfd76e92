import { randomUUID } from 'node:crypto';
import type { KeyRow, SqlScript } from './store/queries';
import { insertKey, selectActiveKey } from './store/queries';
import { digestOf, generateToken } from './token';
import type { KeyLimits, KeyRecord } from './types';
import { KeyRequestError } from './types';
import { normalizeEmail } from './validation';

export type KeyHolder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'documents'> & KeyLimits;

interface GeneratedKey {
  readonly key: KeyRecord;
  /** The row to insert into the store. The row has a digest instead of the token. */
  readonly row: KeyRow;
  readonly token: string;
}

export type GenerateKey = (holder: KeyHolder, createdAt: string) => GeneratedKey;

/** Returns a function that generates a key with its token. The caller stores the key. */
export const createKeyGenerator =
  (pepper: string): GenerateKey =>
  ({ environment, email, name, requestsPerDay, requestsPerMinute, documents }, createdAt) => {
    const token = generateToken(environment, pepper);
    const key = {
      id: randomUUID(),
      environment,
      email,
      name,
      last4: token.slice(-4),
      requestsPerDay,
      requestsPerMinute,
      documents,
      createdAt,
      revokedAt: null,
    };
    return { key, token, row: { ...key, address: normalizeEmail(email), digest: digestOf(token, pepper) } };
  };

/**
 * Inserts the key that replaces a key which the same script has revoked. Throws if another active
 * key has the address, so that the revocation is undone: keys from before domains were compared in
 * ASCII may have two spellings of one address.
 */
export function* insertReplacementKey(row: KeyRow): SqlScript<void> {
  if (yield* insertKey(row)) return;
  const other = yield* selectActiveKey(row.address, row.environment);
  throw new KeyRequestError(
    `Another ${row.environment} key has the address ${row.email} too${other ? ` (${other.id}, ${other.email}, ends in ${other.last4})` : ''}, so nothing was changed. Revoke that key first: keys revoke ${other?.id ?? 'ID'}`,
  );
}
