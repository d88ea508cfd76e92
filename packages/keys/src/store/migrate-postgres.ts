import type { Pool, PoolClient, QueryConfig } from 'pg';
import { postgresSchemaSteps } from './postgres-schema-steps';

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
