import type { Logger } from '@lectern/serving';
import type { ClientBase, Pool, PoolClient, PoolConfig } from 'pg';
import { createStandbyError, isBrokenConnection } from './postgres-errors';

export interface PostgresPoolOptions {
  /** The URL of the database: postgres://user:password@host:port/database */
  url: string;
  /** The maximum number of connections of this pool. */
  connections: number;
  /**
   * The time within which each step must end, in milliseconds: getting a connection, the statement
   * that prepares a new connection, and one statement. The server then cancels the statement.
   */
  stepTimeoutMs: number;
  log: Logger;
}

/**
 * The maximum duration of a statement in a script (statements in one transaction), in milliseconds.
 * It is longer than that of a key lookup, because a script may wait for a lock that another script
 * holds.
 */
export const scriptTimeoutMs = 5_000;

/** A pool of connections to the primary server of one database. */
export interface PostgresPool {
  readonly pool: Pool;
  /**
   * Retries an attempt that failed because its pooled connection was already broken. Other pooled
   * connections may be broken too, so attempts may begin for half of the time of a step.
   */
  withConnectionRetry<Result>(attempt: () => Promise<Result>): Promise<Result>;
  /** Returns a connection on which the statement `begin` has opened a transaction. */
  beginTransaction(begin: string): Promise<PoolClient>;
  /** Ends the pool. Waits at most the time of a step for connections that do not close. */
  end(): Promise<void>;
}

export async function createPostgresPool({
  url,
  connections,
  stepTimeoutMs,
  log,
}: PostgresPoolOptions): Promise<PostgresPool> {
  // Imported on demand: `pg` takes 14 MB of memory, and most deployments use SQLite.
  const { Pool, types } = await import('pg');
  const parseDate: (text: string) => Date = types.getTypeParser(types.builtins.TIMESTAMPTZ);
  const parseInstant = (text: string): string => parseDate(text).toISOString();
  const config: PoolConfig = {
    connectionString: url,
    application_name: 'lectern',
    max: connections,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    connectionTimeoutMillis: stepTimeoutMs,
    query_timeout: stepTimeoutMs,
    statement_timeout: stepTimeoutMs,
    idle_in_transaction_session_timeout: scriptTimeoutMs,
    onConnect: prepareConnection,
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.TIMESTAMPTZ ? parseInstant : types.getTypeParser(oid, format),
    },
  };

  const pool = new Pool(config);
  // Emitted when an idle connection breaks. Without a listener the process would end. The pool
  // opens a new connection when needed, and the next query reports an outage of the database.
  pool.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the key store was lost'));
  // A connection emits `error` if it breaks while a query uses it. Without a listener the process
  // would end. The listener does nothing, because the query rejects too.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  const withConnectionRetry = async <Result>(
    attempt: () => Promise<Result>,
    maxAttempts = connections + 1,
    until = performance.now() + stepTimeoutMs / 2,
  ): Promise<Result> => {
    try {
      return await attempt();
    } catch (error) {
      if (maxAttempts === 1 || !isBrokenConnection(error) || performance.now() > until) throw error;
      return withConnectionRetry(attempt, maxAttempts - 1, until);
    }
  };

  return {
    pool,
    withConnectionRetry: (attempt) => withConnectionRetry(attempt),
    beginTransaction: (begin) => withConnectionRetry(() => connectAndBegin(pool, begin)),
    end: () => endPool(pool, stepTimeoutMs),
  };
}

/**
 * Prepares a new connection: dates as `pg` reads them, whatever the server's default. Throws if the
 * server is a standby, to which the address of the primary may lead after a failover.
 */
async function prepareConnection(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    `SELECT set_config('DateStyle', 'ISO', false), pg_is_in_recovery() AS "isStandby"`,
  );
  if (rows[0]?.isStandby) throw createStandbyError();
}

async function connectAndBegin(pool: Pool, begin: string): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function endPool(pool: Pool, timeoutMs: number): Promise<void> {
  const deadline = new Promise<void>((resolve) => void setTimeout(resolve, timeoutMs).unref());
  await Promise.race([pool.end(), deadline]);
}
