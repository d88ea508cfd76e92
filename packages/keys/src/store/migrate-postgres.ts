import type { Pool, QueryConfig } from 'pg';
import { postgresSchemaSteps } from './postgres-schema-steps';

/** Any number will do, as long as it stays the same: processes that start at once wait for one another at it. */
const lockNumber = 5_148_322_713;
const waitMs = 60_000;

/** With a deadline of its own in place of the pool's. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/** Brings the database to the newest layout, in one transaction. */
export async function migratePostgres(pool: Pool): Promise<void> {
  const client = await pool.connect();
  const ask = async (text: string, values: unknown[] = []) => {
    const query: TimedQuery = { text, values, query_timeout: waitMs };
    return (await client.query<{ version: number | null }>(query)).rows;
  };
  let done = false;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = ${waitMs}`);
    await ask('SELECT pg_advisory_xact_lock($1)', [lockNumber]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS keys_layout (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    );
    const [row] = await ask('SELECT max(version) AS version FROM keys_layout');
    const version = row?.version ?? 0;
    if (version > postgresSchemaSteps.length)
      throw new Error(
        `it has layout ${version}, this version of Lectern reads up to ${postgresSchemaSteps.length}: a newer version has been here`,
      );
    for (const [index, step] of postgresSchemaSteps.entries()) {
      if (index < version) continue;
      await ask(step);
      await ask('INSERT INTO keys_layout (version) VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
    done = true;
  } finally {
    client.release(!done);
  }
}
