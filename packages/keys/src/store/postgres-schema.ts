import type { Pool, PoolClient, QueryConfig } from 'pg';
import { postgresSteps } from './schema';

/** An arbitrary constant: processes that start together wait for each other at this lock. */
const lockNumber = 5_148_322_713;
const timeoutMs = 60_000;

/** A query with its own deadline instead of the pool's. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/** In one transaction. With the newest layout, the user needs no right to create tables. */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isCommitted = false;
  try {
    // A process that has waited for the lock has to see the tables that the other process created.
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

/** SQL_ASCII converts nothing. Other encodings than UTF8 lack most characters. */
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
