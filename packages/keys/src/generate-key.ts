import { randomUUID } from 'node:crypto';
import { digestOf, generateToken } from './key-token';
import type { KeyLimits, KeyRecord } from './keys-types';
import type { KeyRow } from './store/key-queries';
import { normalizeEmail } from './validate-email-name-and-limits';

export type KeyHolder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'documents'> & KeyLimits;

export interface GeneratedKey {
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
