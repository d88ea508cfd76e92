import { randomUUID } from 'node:crypto';
import { insertKey, type SqlScript, selectActiveKey } from './store/queries';
import { digestOf, generateToken } from './token';
import { type KeyLimits, type KeyRecord, KeyRequestError, type NewKey } from './types';
import { normalizeEmail } from './validation';

export type KeyHolder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'documents' | 'grants'> & KeyLimits;

export function createKeyIssuer(pepper: string) {
  /** Inserts a new key. Throws a KeyRequestError with the text `conflict` if an active key has the email address. */
  function* insert(
    { key, token }: NewKey,
    conflict: (other: KeyRecord | null) => string,
    field?: 'email',
  ): SqlScript<void> {
    const address = normalizeEmail(key.email);
    if (yield* insertKey(key, address, digestOf(token, pepper))) return;
    throw new KeyRequestError(conflict(yield* selectActiveKey(address, key.environment)), field);
  }

  return {
    generate(
      { environment, email, name, requestsPerDay, requestsPerMinute, documents, grants }: KeyHolder,
      createdAt: string,
    ) {
      const token = generateToken(environment, pepper);
      const holder = { environment, email, name, requestsPerDay, requestsPerMinute, documents, grants };
      return { key: { id: randomUUID(), ...holder, last4: token.slice(-4), createdAt, revokedAt: null }, token };
    },
    insert,
    /**
     * Inserts a key that replaces a revoked key. If another active key has the same address, the insertion fails, and
     * its error undoes the revocation. Such keys exist, because earlier versions did not compare domains in ASCII.
     */
    insertReplacement: (issued: NewKey): SqlScript<void> =>
      insert(issued, (other) => {
        const { environment, email } = issued.key;
        const which = other ? ` (${other.id}, ${other.email}, ends in ${other.last4})` : '';
        return `Another ${environment} key has the address ${email} too${which}, so nothing was changed. Revoke that key first: keys revoke ${other?.id ?? 'ID'}`;
      }),
  };
}

export type KeyIssuer = ReturnType<typeof createKeyIssuer>;

export const describeKey = (key: KeyRecord | null): string => (key ? ` (${key.id}, ends in ${key.last4})` : '');
