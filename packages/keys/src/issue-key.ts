import { randomUUID } from 'node:crypto';
import { insertKey, revokeExpiredKey, type SqlScript, selectActiveKey, updateToken } from './store/queries';
import { digestOf, fingerprintOf, generateToken } from './token';
import { type KeyLimits, type KeyRecord, KeyRequestError, keyStateAt, type NewKey } from './types';
import { normalizeEmail } from './validation';

export type KeyHolder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'documents' | 'grants' | 'expiresAt'> &
  KeyLimits;

export function createKeyIssuer(pepper: string) {
  const secretsOf = (token: string) => ({ digest: digestOf(token, pepper), pepper: fingerprintOf(pepper) });

  /** Inserts a new key. Throws a KeyRequestError with the text `conflict` if an active key has the email address. */
  function* insert(
    { key, token }: NewKey,
    conflict: (other: KeyRecord | null) => string,
    field?: 'email',
  ): SqlScript<void> {
    const address = normalizeEmail(key.email);
    yield* revokeExpiredKey(address, key.environment, key.createdAt);
    if (yield* insertKey(key, address, secretsOf(token))) return;
    throw new KeyRequestError(conflict(yield* selectActiveKey(address, key.environment, key.createdAt)), field);
  }

  return {
    generate(holder: KeyHolder, createdAt: string): NewKey {
      const token = generateToken(holder.environment, pepper);
      const unset = { oldLast4: null, oldUntil: null, revokedAt: null };
      return { key: { id: randomUUID(), ...holder, last4: token.slice(-4), createdAt, ...unset }, token };
    },
    insert,
    /** Gives a key a new token. The old token works until `until`, or no more if this is null. */
    *replaceToken(key: KeyRecord, at: string, until: string | null = null): SqlScript<NewKey> {
      const token = generateToken(key.environment, pepper);
      const updated = yield* updateToken(key, { ...secretsOf(token), last4: token.slice(-4), until, at });
      if (updated) return { key: updated, token };
      throw new KeyRequestError(
        keyStateAt(key, at) === 'active'
          ? `Somebody else has just rotated or revoked key ${key.id}. Look at it again before you change it.`
          : `Key ${key.id} ${describeEnd(key, at)}. Issue a new one: npm run keys -- issue --email ${key.email} --name '${key.name}'`,
      );
    },
  };
}

export type KeyIssuer = ReturnType<typeof createKeyIssuer>;

export const describeKey = (key: KeyRecord | null): string => (key ? ` (${key.id}, ends in ${key.last4})` : '');

/** Says since when a key does not work. A key that seems active was revoked after it was read. */
export const describeEnd = (key: KeyRecord, at: string): string =>
  keyStateAt(key, at) === 'expired'
    ? `has expired (${key.expiresAt})`
    : `is revoked already (${key.revokedAt ?? 'just now'})`;
