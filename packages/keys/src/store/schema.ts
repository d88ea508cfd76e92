import type { Pool, PoolClient, QueryConfig } from 'pg';

interface Dialect {
  readonly instant: string;
  readonly bytes: string;
  /** The SQL type of a sum that may exceed 2,147,483,647. */
  readonly sum: string;
  /** The SQL type of an automatically increasing primary key. */
  readonly serialKey: string;
  /** The text after the list of columns in CREATE TABLE. */
  readonly tableOptions: string;
}

/** Creates the list of steps that create and upgrade the tables. A released step must never change. */
const createSteps = ({ instant, bytes, sum, serialKey, tableOptions }: Dialect) =>
  [
    `CREATE TABLE api_key (
      id TEXT PRIMARY KEY,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      email TEXT NOT NULL,
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      digest ${bytes} NOT NULL UNIQUE,
      last4 TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      revoked_at ${instant}
    ) ${tableOptions};
    CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;`,

    `ALTER TABLE api_key ADD COLUMN requests_per_day INTEGER CHECK (requests_per_day > 0);

    CREATE TABLE key_request (
      id TEXT PRIMARY KEY,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      email TEXT NOT NULL,
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
      decided_at ${instant},
      decided_by TEXT,
      reason TEXT,
      key_id TEXT REFERENCES api_key (id) DEFERRABLE INITIALLY DEFERRED,
      delivered_at ${instant},
      delivery_fault TEXT,
      CHECK ((state = 'pending') = (decided_at IS NULL)),
      CHECK ((state = 'approved') = (key_id IS NOT NULL))
    ) ${tableOptions};
    CREATE UNIQUE INDEX one_request_an_address ON key_request (address, environment) WHERE state = 'pending';
    CREATE INDEX key_request_by_key ON key_request (key_id);

    CREATE TABLE audit_entry (
      id ${serialKey},
      at ${instant} NOT NULL,
      by_whom TEXT NOT NULL,
      act TEXT NOT NULL,
      key_id TEXT,
      request_id TEXT,
      note TEXT NOT NULL
    ) ${tableOptions};

    CREATE TABLE operator_session (
      digest ${bytes} PRIMARY KEY,
      proof ${bytes} NOT NULL,
      expires_at ${instant} NOT NULL
    ) ${tableOptions};`,

    'ALTER TABLE api_key ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0)',

    `ALTER TABLE api_key ADD COLUMN documents TEXT NOT NULL DEFAULT 'any' CHECK (documents IN ('any', 'trusted'))`,

    `ALTER TABLE api_key ADD COLUMN grants TEXT NOT NULL DEFAULT ''`,

    `ALTER TABLE api_key ADD COLUMN expires_at ${instant};
    ALTER TABLE api_key ADD COLUMN old_digest ${bytes};
    ALTER TABLE api_key ADD COLUMN old_last4 TEXT;
    ALTER TABLE api_key ADD COLUMN old_until ${instant};
    ALTER TABLE api_key ADD COLUMN pepper TEXT;
    ALTER TABLE api_key ADD COLUMN addresses TEXT;
    CREATE UNIQUE INDEX key_by_old_digest ON api_key (old_digest);`,

    `CREATE TABLE verses_served (
      day TEXT NOT NULL,
      key TEXT NOT NULL,
      translation TEXT NOT NULL,
      verses ${sum} NOT NULL,
      PRIMARY KEY (day, key, translation)
    ) ${tableOptions};`,
  ] as const;

export const sqliteSteps: readonly string[] = createSteps({
  instant: 'TEXT',
  bytes: 'BLOB',
  sum: 'INTEGER',
  serialKey: 'INTEGER PRIMARY KEY',
  tableOptions: 'STRICT',
});

const [keysStep, requestsStep, ...laterSteps] = createSteps({
  instant: 'TIMESTAMPTZ',
  bytes: 'BYTEA',
  sum: 'BIGINT',
  serialKey: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  tableOptions: '',
});

/** The first release with PostgreSQL already had key requests, so its first step creates both tables. */
const postgresSteps: readonly string[] = [`${keysStep}\n${requestsStep}`, ...laterSteps];

/** An arbitrary advisory lock, at which processes that start at the same time wait for each other. */
const lockNumber = 5_148_322_713;
const timeoutMs = 60_000;

/** A query with a deadline of its own, in place of the pool's deadline. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/** Upgrades the tables in one transaction. If there is nothing to do, no right to create tables is needed. */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isCommitted = false;
  try {
    // With READ COMMITTED, a process that has waited for the lock sees the tables of the other.
    await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${timeoutMs}`);
    await rejectOtherEncodings(client);
    if ((await readVersion(client)) !== postgresSteps.length) await upgrade(client);
    await client.query('COMMIT');
    isCommitted = true;
  } finally {
    client.release(!isCommitted);
  }
}

async function upgrade(client: PoolClient): Promise<void> {
  await client.query(timed(`SELECT pg_advisory_xact_lock(${lockNumber})`));
  await client.query(
    'CREATE TABLE IF NOT EXISTS keys_layout (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())',
  );
  const applied = await readVersion(client);
  for (const [index, step] of postgresSteps.slice(applied).entries()) {
    await client.query(timed(step));
    await client.query(`INSERT INTO keys_layout (version) VALUES (${applied + index + 1})`);
  }
}

async function readVersion(client: PoolClient): Promise<number> {
  const table = await readValue<boolean>(client, `SELECT to_regclass('keys_layout') IS NOT NULL AS value`);
  const version = table
    ? await readValue<number>(client, 'SELECT coalesce(max(version), 0) AS value FROM keys_layout')
    : 0;
  if (version > postgresSteps.length)
    throw new Error(
      `it has layout ${version}, this version of Lectern reads up to ${postgresSteps.length}: a newer version of Lectern has upgraded it`,
    );
  return version;
}

/** SQL_ASCII does not convert text, and other encodings lack most characters. */
async function rejectOtherEncodings(client: PoolClient): Promise<void> {
  const encoding = await readValue<string>(client, `SELECT current_setting('server_encoding') AS value`);
  if (!['UTF8', 'SQL_ASCII'].includes(encoding))
    throw new Error(
      `its encoding is ${encoding}, which lacks characters of people's names: create a database with ENCODING 'UTF8' TEMPLATE template0`,
    );
}

const timed = (text: string): TimedQuery => ({ text, query_timeout: timeoutMs });

/** Returns the column `value` of the only row of a query. */
async function readValue<Value>(client: PoolClient, text: string): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(timed(text));
  return rows[0]?.value as Value;
}
