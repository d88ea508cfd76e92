import type { KeyRecord } from '../records';

export type Value = string | number | null | Buffer;

/** One statement in the SQL that SQLite and PostgreSQL share: parameters are $1, $2 ..., names that need capitals are quoted. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * What is done in a store: a generator that yields statements and is handed their rows. The rules are so written once, and run in a
 * store that answers at once, as SQLite does, and in one that answers later, as PostgreSQL does.
 */
export type Work<Result> = Generator<Statement, Result, readonly unknown[]>;

export function* rowsOf<Row>(text: string, ...values: Value[]): Work<readonly Row[]> {
  return (yield { text, values }) as readonly Row[];
}

export interface KeyStore {
  /** The key with this digest, as it stands when this is called. Rejects when the store does not answer in time. */
  keyByDigest(digest: Buffer): KeyRecord | null | Promise<KeyRecord | null>;
  /** For work that only reads. */
  read<Result>(work: Work<Result>): Promise<Result>;
  /** One transaction: all of it or, when it throws, nothing. */
  write<Result>(work: Work<Result>): Promise<Result>;
  close(): Promise<void>;
}
