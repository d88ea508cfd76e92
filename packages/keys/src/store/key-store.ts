import type { KeyRecord } from '../keys-types';

export type SqlValue = string | number | null | Buffer;

/** One statement in the SQL that SQLite and PostgreSQL share: parameters are $1, $2 ..., names that need capitals are quoted. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * What is done in a store: a generator that yields statements and is handed their rows. The rules are so written once, and run in a
 * store that answers at once, as SQLite does, and in one that answers later, as PostgreSQL does.
 */
export type SqlScript<Result> = Generator<SqlStatement, Result, readonly unknown[]>;

export function* query<Row>(text: string, ...values: SqlValue[]): SqlScript<readonly Row[]> {
  return (yield { text, values }) as readonly Row[];
}

export interface KeyStore {
  /** The key with this digest, as it stands when this is called. Rejects when the store does not answer in time. */
  keyByDigest(digest: Buffer): KeyRecord | null | Promise<KeyRecord | null>;
  /** For work that only reads. */
  read<Result>(work: SqlScript<Result>): Promise<Result>;
  /** One transaction: all of it or, when it throws, nothing. */
  write<Result>(work: SqlScript<Result>): Promise<Result>;
  close(): Promise<void>;
}
