import { randomUUID } from 'node:crypto';
import type { KeyRecord } from './keys-types';
import type { KeyRow } from './store/key-queries';
import { digestOf, generateToken } from './token';
import { normalizeEmail } from './validate-fields';

/** For whom a key is made. */
export type KeyHolder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'requestsPerDay'>;

export interface GeneratedKey {
  readonly key: KeyRecord;
  /** What the store keeps of it. */
  readonly row: KeyRow;
  readonly token: string;
}

export type GenerateKey = (holder: KeyHolder, at: string) => GeneratedKey;

/** Makes keys that are in no store yet. */
export const createKeyGenerator =
  (pepper: string): GenerateKey =>
  ({ environment, email, name, requestsPerDay }, at) => {
    const token = generateToken(environment, pepper);
    const key = {
      id: randomUUID(),
      environment,
      email,
      name,
      last4: token.slice(-4),
      requestsPerDay,
      createdAt: at,
      revokedAt: null,
    };
    return { key, token, row: { ...key, address: normalizeEmail(email), digest: digestOf(token, pepper) } };
  };
