import type { Logger } from '@lectern/serving';
import type { ClientBase, Pool, PoolClient, PoolConfig } from 'pg';
import { KeyRequestError, KeyStoreUnavailableError } from '../types';

/** The code `read_only_sql_transaction`: the server is a standby, or accepts no changes. */
const readOnly = '25006';

/**
 * The code `protocol_violation`. PgBouncer rejects connections with it for any reason, such as a
 * startup parameter that it does not accept or a database that it does not know.
 */
const protocolViolation = '08P01';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)) || codeOf(error);

/** Creates the error of a connection to a standby server. */
const createStandbyError = (): Error =>
  Object.assign(new Error('the server is a standby, which may not know the latest revocations'), { code: readOnly });

/**
 * Returns true if the database is unavailable.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: class 08 is connection
 * exceptions, 28 a rejected user, 40 a conflict with another transaction, 53 insufficient
 * resources, 57P operator intervention such as a shutdown. 25P03, 55P03 and 57014 are the server's
 * timeouts. Errors of the server are recognized by code, because their messages are in the server's
 * language.
 */
const isUnavailable = (error: unknown): boolean =>
  /^(08|28|40|53|57P|25P03|55P03|57014)/.test(codeOf(error)) ||
  /^E[A-Z]+$/.test(codeOf(error)) ||
  /connection terminated|not queryable|timeout|no response within/i.test(messageOf(error));

/**
 * Returns true if an open connection broke. Returns false if the server refuses connections or does
 * not respond.
 */
const isBrokenConnection = (error: unknown): boolean =>
  /^(57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /connection terminated unexpectedly|not queryable/i.test(messageOf(error));

/**
 * Returns an error for the operator that names the database without its password. Returns a
 * KeyRequestError unchanged.
 */
export function describeError(error: unknown, location: string): unknown {
  if (error instanceof KeyRequestError) return error;
  if (codeOf(error) === readOnly)
    return new KeyStoreUnavailableError(
      `The key store at ${location} is read-only (${messageOf(error)}). DATABASE_URL must lead to the primary server.`,
      { cause: error },
    );
  if (codeOf(error) === protocolViolation)
    return new KeyStoreUnavailableError(
      `The key store at ${location} rejected the connection: ${messageOf(error)}. docs/operating.md says what PgBouncer needs.`,
      { cause: error },
    );
  if (isUnavailable(error))
    return new KeyStoreUnavailableError(
      `The key store at ${location} does not respond (${messageOf(error)}). Check that PostgreSQL runs there and that DATABASE_URL is right.`,
      { cause: error },
    );
  return new Error(`The key store at ${location} cannot be used (${messageOf(error)}).`, { cause: error });
}

/**
 * Returns host, port and database name, without the password. Throws if DATABASE_URL is not a
 * PostgreSQL URL.
 */
export function databaseLocation(url: string): string {
  const parsed = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new Error(
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/lectern, with special characters in the password percent-encoded.',
    );
  return `${parsed.host}${parsed.pathname}`;
}

interface PostgresPoolOptions {
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
