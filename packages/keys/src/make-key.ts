import { randomUUID } from 'node:crypto';
import { addressOf } from './fields';
import type { KeyRecord } from './records';
import type { KeyRow } from './store/key-rows';
import { digestOf, newToken } from './token';

/** For whom a key is made. */
export type Holder = Pick<KeyRecord, 'environment' | 'email' | 'name' | 'requestsPerDay'>;

export interface MadeKey {
  readonly key: KeyRecord;
  /** What the store keeps of it. */
  readonly row: KeyRow;
  readonly token: string;
}

export type MakeKey = (holder: Holder, at: string) => MadeKey;

/** Makes keys that are in no store yet. */
export const createMakeKey =
  (pepper: string): MakeKey =>
  ({ environment, email, name, requestsPerDay }, at) => {
    const token = newToken(environment, pepper);
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
    return { key, token, row: { ...key, address: addressOf(email), digest: digestOf(token, pepper) } };
  };
