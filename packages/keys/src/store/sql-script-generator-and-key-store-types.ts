import type { KeyRecord } from '../keys-types';

export type SqlValue = string | number | null | Buffer;

/** One statement in the SQL that SQLite and PostgreSQL share. Parameters are $1, $2 and so on. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * A sequence of SQL statements with logic between them: a generator that yields statements and
 * receives their rows. A script is written once and runs in both stores: synchronously in SQLite,
 * asynchronously in PostgreSQL.
 */
export type SqlScript<Result> = Generator<SqlStatement, Result, readonly unknown[]>;

/** A script of one statement. Its result is the rows. */
export function* query<Row>(text: string, ...values: SqlValue[]): SqlScript<readonly Row[]> {
  return (yield { text, values }) as readonly Row[];
}

export interface KeyStore {
  /**
   * Finds the key with this digest in its current state. Throws or rejects with a
   * KeyStoreUnavailableError if the store is unavailable or does not respond in time.
   */
  keyByDigest(digest: Buffer): KeyRecord | null | Promise<KeyRecord | null>;
  /** Runs a script that only reads. */
  read<Result>(script: SqlScript<Result>): Promise<Result>;
  /** Runs a script in one transaction. If the script throws, the transaction is rolled back. */
  write<Result>(script: SqlScript<Result>): Promise<Result>;
  close(): Promise<void>;
}
