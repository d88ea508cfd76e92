import type { Pool, PoolClient, QueryConfig } from 'pg';

/**
 * Steps that create and upgrade the tables of a PostgreSQL database. The table keys_layout has the
 * number of applied steps. A released step never changes, because databases that applied the step
 * exist.
 */
const postgresSchemaSteps: readonly string[] = [
  `CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL UNIQUE,
    last4 TEXT NOT NULL,
    requests_per_day INTEGER CHECK (requests_per_day > 0),
    created_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
  );
  CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;

  CREATE TABLE key_request (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
    decided_at TIMESTAMPTZ,
    decided_by TEXT,
    reason TEXT,
    key_id TEXT REFERENCES api_key (id) DEFERRABLE INITIALLY DEFERRED,
    delivered_at TIMESTAMPTZ,
    delivery_fault TEXT,
    CHECK ((state = 'pending') = (decided_at IS NULL)),
    CHECK ((state = 'approved') = (key_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX one_request_an_address ON key_request (address, environment) WHERE state = 'pending';
  CREATE INDEX key_request_by_key ON key_request (key_id);

  CREATE TABLE audit_entry (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    by_whom TEXT NOT NULL,
    act TEXT NOT NULL,
    key_id TEXT,
    request_id TEXT,
    note TEXT NOT NULL
  );

  CREATE TABLE operator_session (
    digest BYTEA PRIMARY KEY,
    proof BYTEA NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
  );`,

  'ALTER TABLE api_key ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0)',

  `ALTER TABLE api_key ADD COLUMN documents TEXT NOT NULL DEFAULT 'any' CHECK (documents IN ('any', 'trusted'))`,
];

/**
 * An arbitrary constant. Processes that start at the same time wait for each other at this advisory
 * lock.
 */
const lockNumber = 5_148_322_713;
const timeoutMs = 60_000;

/** A query with its own deadline instead of the pool's. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/**
 * Upgrades the database to the newest layout, in one transaction. A database with this layout needs
 * no upgrade, so its user needs no right to create tables.
 */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isCommitted = false;
  try {
    // The isolation level is explicit: a process that has waited for the lock has to see the tables
    // that the other process created.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
    await rejectOtherEncodings(client);
    if ((await readVersion(client)) !== postgresSchemaSteps.length) await upgrade(client);
    await client.query('COMMIT');
    isCommitted = true;
  } finally {
    client.release(!isCommitted);
  }
}

async function upgrade(client: PoolClient): Promise<void> {
  await execute(client, 'SELECT pg_advisory_xact_lock($1)', [lockNumber]);
  await client.query(
    'CREATE TABLE IF NOT EXISTS keys_layout (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())',
  );
  const version = await readVersion(client);
  for (const [index, step] of postgresSchemaSteps.entries()) {
    if (index < version) continue;
    await execute(client, step);
    await execute(client, 'INSERT INTO keys_layout (version) VALUES ($1)', [index + 1]);
  }
}

/**
 * Returns the number of applied steps. Throws if a newer version of Lectern has applied more steps.
 */
async function readVersion(client: PoolClient): Promise<number> {
  const [table] = await execute<{ exists: boolean }>(
    client,
    `SELECT to_regclass('keys_layout') IS NOT NULL AS "exists"`,
  );
  if (!table?.exists) return 0;
  const [row] = await execute<{ version: number | null }>(client, 'SELECT max(version) AS version FROM keys_layout');
  const version = row?.version ?? 0;
  if (version > postgresSchemaSteps.length)
    throw new Error(
      `it has layout ${version}, this version of Lectern reads up to ${postgresSchemaSteps.length}: a newer version of Lectern has upgraded it`,
    );
  return version;
}

/**
 * Throws if the database converts texts to an encoding that lacks most characters. SQL_ASCII
 * converts nothing.
 */
async function rejectOtherEncodings(client: PoolClient): Promise<void> {
  const [row] = await execute<{ encoding: string }>(client, `SELECT current_setting('server_encoding') AS encoding`);
  if (row && !['UTF8', 'SQL_ASCII'].includes(row.encoding))
    throw new Error(
      `its encoding is ${row.encoding}, which lacks characters of people's names: create a database with ENCODING 'UTF8' TEMPLATE template0`,
    );
}

async function execute<Row>(client: PoolClient, text: string, values: unknown[] = []): Promise<readonly Row[]> {
  const timedQuery: TimedQuery = { text, values, query_timeout: timeoutMs };
  return (await client.query(timedQuery)).rows as Row[];
}
