import { errorMessage, type Logger } from '@lectern/serving';
import type { ClientBase, PoolClient, PoolConfig } from 'pg';
import { KeyRequestError, KeyStoreUnavailableError } from '../types';

/** PostgreSQL's code read_only_sql_transaction: the server is a standby, or accepts no changes. */
const readOnly = '25006';

/** PostgreSQL's code protocol_violation. PgBouncer rejects connections with this code, whatever the reason is. */
const protocolViolation = '08P01';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => errorMessage(error) || codeOf(error);

/**
 * Compares codes, because messages are in the server's language: 08 connection, 28 a rejected user, 40 conflicting
 * transactions, 53 resources, 57P a shutdown; 25P03, 55P03 and 57014 are timeouts.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const isUnavailable = (error: unknown): boolean =>
  /^(08|28|40|53|57P|25P03|55P03|57014|E[A-Z]+$)/.test(codeOf(error)) ||
  /connection terminated|not queryable|timeout|no response within/i.test(messageOf(error));

/** Whether an open connection has broken. Not if the server accepts none or does not respond. */
const isBrokenConnection = (error: unknown): boolean =>
  /^(57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /connection terminated unexpectedly|not queryable/i.test(messageOf(error));

/** Converts an error to one for the operator, without the password. Returns a KeyRequestError unchanged. */
export function describeError(error: unknown, location: string): unknown {
  if (error instanceof KeyRequestError) return error;
  const [store, code, message] = [`The key store at ${location}`, codeOf(error), messageOf(error)];
  const unavailable = (text: string) => new KeyStoreUnavailableError(`${store} ${text}`, { cause: error });
  if (code === readOnly) return unavailable(`is read-only (${message}). DATABASE_URL must lead to the primary server.`);
  if (code === protocolViolation)
    return unavailable(`rejected the connection: ${message}. docs/run.md says what PgBouncer needs.`);
  if (isUnavailable(error))
    return unavailable(
      `does not respond (${message}). Check that PostgreSQL runs there and that DATABASE_URL is right.`,
    );
  return new Error(`${store} cannot be used (${message}).`, { cause: error });
}

/** Returns the host, port and name of the database, without the password. Throws if `url` is not a PostgreSQL URL. */
export function databaseLocation(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Error(
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/lectern, with special characters in the password percent-encoded.',
    );
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** The maximum duration of a statement of a script, in milliseconds: scripts may wait for locks. */
export const scriptTimeoutMs = 5_000;

/**
 * Connects to the primary server. `stepTimeoutMs` bounds each step: getting a connection, preparing it, and running a
 * statement, which the server cancels.
 */
export async function createPostgresPool(url: string, connections: number, stepTimeoutMs: number, log: Logger) {
  // The import is dynamic, because `pg` takes 14 MB of memory and most deployments use SQLite.
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
  // The pool emits an error when an idle connection breaks. Without this listener, the process would end.
  pool.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the key store was lost'));
  // A connection emits an error if it breaks during a query. The query rejects too, so the error is ignored here.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  /** Repeats an attempt if the pool gave it a broken connection. All connections of the pool may be broken. */
  async function withConnectionRetry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + stepTimeoutMs / 2;
    for (let retries = connections; ; retries -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (retries === 0 || !isBrokenConnection(error) || performance.now() > until) throw error;
      }
    }
  }

  async function connectAndBegin(begin: string): Promise<PoolClient> {
    const client = await pool.connect();
    try {
      await client.query(begin);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    pool,
    withConnectionRetry,
    /** Returns a connection on which the statement `begin` has opened a transaction. */
    beginTransaction: (begin: string): Promise<PoolClient> => withConnectionRetry(() => connectAndBegin(begin)),
    /** Closes the pool. Waits at most `stepTimeoutMs` for connections that do not close. */
    async end(): Promise<void> {
      const deadline = new Promise<void>((resolve) => void setTimeout(resolve, stepTimeoutMs).unref());
      await Promise.race([pool.end(), deadline]);
    },
  };
}

export type PostgresPool = Awaited<ReturnType<typeof createPostgresPool>>;

/** Sets the date format that `pg` reads, and rejects a standby, to which the address may lead after a failover. */
async function prepareConnection(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    `SELECT set_config('DateStyle', 'ISO', false), pg_is_in_recovery() AS "isStandby"`,
  );
  if (rows[0]?.isStandby)
    throw Object.assign(new Error('the server is a standby, which may not know the latest revocations'), {
      code: readOnly,
    });
}
