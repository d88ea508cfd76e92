import type { Pool, QueryConfig } from 'pg';
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

/** Upgrades the database to the newest layout, in one transaction. */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  const execute = async (text: string, values: unknown[] = []) => {
    const timedQuery: TimedQuery = { text, values, query_timeout: timeoutMs };
    return (await client.query<{ version: number | null }>(timedQuery)).rows;
  };
  let isCommitted = false;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
    await execute('SELECT pg_advisory_xact_lock($1)', [lockNumber]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS keys_layout (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    );
    const [row] = await execute('SELECT max(version) AS version FROM keys_layout');
    const version = row?.version ?? 0;
    if (version > postgresSchemaSteps.length)
      throw new Error(
        `it has layout ${version}, this version of Lectern reads up to ${postgresSchemaSteps.length}: a newer version of Lectern has upgraded it`,
      );
    for (const [index, step] of postgresSchemaSteps.entries()) {
      if (index < version) continue;
      await execute(step);
      await execute('INSERT INTO keys_layout (version) VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
    isCommitted = true;
  } finally {
    client.release(!isCommitted);
  }
}
