import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { KeyRecord } from '../keys-types';
import { KeyRequestError, KeyStoreUnavailableError } from '../keys-types';
import { keyColumns } from './key-queries';
import { createLookupBatcher } from './lookup-batcher';
import type { TimedQuery } from './migrate-postgres';
import { migratePostgres } from './migrate-postgres';
import type { KeyStore, SqlScript } from './sql-script-store';

export interface PostgresOptions {
  /** The URL of the database: postgres://user:password@host:port/database */
  url: string;
  /** The maximum number of connections of this process. */
  connections: number;
  /** The time within which a key lookup must end, in milliseconds. It includes the time to connect. */
  timeoutMs: number;
  log: Logger;
}

/**
 * The maximum duration of a statement in a script (statements in one transaction), in milliseconds. It
 * is longer than that of a key lookup, because a script may wait for a lock that another script holds.
 */
const scriptTimeoutMs = 5_000;
const lookupText = `SELECT ${keyColumns}, encode(digest, 'hex') AS "digestText" FROM api_key WHERE digest = ANY($1::bytea[])`;

/**
 * Opens the keys in a PostgreSQL database that gateways on several machines share. Rejects, with a
 * message of one line, if the database does not respond or belongs to another program.
 */
export async function openPostgresStore({ url, connections, timeoutMs, log }: PostgresOptions): Promise<KeyStore> {
  const location = databaseLocation(url);
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
    // Connecting and querying each have half of the lookup's deadline, because a lookup may have to
    // connect before it sends its query.
    connectionTimeoutMillis: Math.ceil(timeoutMs / 2),
    query_timeout: Math.ceil(timeoutMs / 2),
    statement_timeout: scriptTimeoutMs,
    idle_in_transaction_session_timeout: scriptTimeoutMs,
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.TIMESTAMPTZ ? parseInstant : types.getTypeParser(oid, format),
    },
  };

  const pool = new Pool(config);
  // Emitted when an idle connection breaks. Without a listener the process would end. The pool opens
  // a new connection when needed, and the next query reports an outage of the database.
  pool.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the key store was lost'));
  // A connection emits `error` if it breaks while a query uses it. Without a listener the process
  // would end. The listener does nothing, because the query rejects too.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    await migratePostgres(pool);
  } catch (error) {
    await pool.end();
    throw describeError(error, location);
  }

  const outage = createOutageReporter(log, {
    began: 'the key store is unavailable: requests and pages that need it are rejected with 503',
    ended: 'the key store is available again',
  });
  /** Reports the beginning or the end of an outage, and describes errors for the operator. */
  const reported = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      const value = await result;
      outage.end();
      return value;
    } catch (error) {
      const described = describeError(error, location);
      if (described instanceof KeyStoreUnavailableError) outage.begin(described);
      throw described;
    }
  };

  const selectByDigests = async (digests: readonly Buffer[]) => {
    const { rows } = await pool.query<KeyRecord & { digestText: string }>({
      name: 'key-by-digest',
      text: lookupText,
      values: [digests],
    });
    return new Map(rows.map(({ digestText, ...key }) => [digestText, key]));
  };

  /**
   * Retries an attempt that failed because its pooled connection was already broken. Other pooled
   * connections may be broken too, so attempts may begin for a quarter of the lookup's deadline.
   */
  const withConnectionRetry = async <Result>(
    attempt: () => Promise<Result>,
    maxAttempts = connections + 1,
    until = performance.now() + timeoutMs / 4,
  ): Promise<Result> => {
    try {
      return await attempt();
    } catch (error) {
      if (maxAttempts === 1 || !isBrokenConnection(error) || performance.now() > until) throw error;
      return withConnectionRetry(attempt, maxAttempts - 1, until);
    }
  };

  /** Returns a connection on which the statement `begin` has opened a transaction. */
  const beginTransaction = (begin: string): Promise<PoolClient> =>
    withConnectionRetry(async () => {
      const client = await pool.connect();
      try {
        await client.query(begin);
        return client;
      } catch (error) {
        client.release(true);
        throw error;
      }
    });

  const runInTransaction = <Result>(begin: string, script: SqlScript<Result>): Promise<Result> =>
    reported(beginTransaction(begin).then((client) => runAndCommit(client, script)));

  return {
    keyByDigest: createLookupBatcher((digests) => reported(withConnectionRetry(() => selectByDigests(digests)))),
    read: (script) => runInTransaction('BEGIN READ ONLY', script),
    // The isolation level is explicit, because the scripts rely on it: under READ COMMITTED, a
    // statement that has waited for a lock sees what the other transaction committed.
    write: (script) => runInTransaction('BEGIN ISOLATION LEVEL READ COMMITTED', script),
    close: () => endPool(pool, timeoutMs),
  };
}

/** Runs the script on a connection with an open transaction, and releases the connection. */
async function runAndCommit<Result>(client: PoolClient, script: SqlScript<Result>): Promise<Result> {
  try {
    const result = await run(client, script);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // After a KeyRequestError the connection is usable. After any other error the state of the
    // connection is unknown, so the connection is destroyed.
    const isUsable =
      error instanceof KeyRequestError &&
      (await client.query('ROLLBACK').then(
        () => true,
        () => false,
      ));
    client.release(!isUsable);
    throw error;
  }
}

async function run<Result>(client: PoolClient, script: SqlScript<Result>): Promise<Result> {
  let step = script.next([]);
  while (step.done !== true) {
    const { text, values } = step.value;
    const timedQuery: TimedQuery = { text, values: [...values], query_timeout: scriptTimeoutMs };
    step = script.next((await client.query(timedQuery)).rows);
  }
  return step.value;
}

/** Ends the pool. Waits at most `timeoutMs` for connections that do not close. */
async function endPool(pool: Pool, timeoutMs: number): Promise<void> {
  const deadline = new Promise<void>((resolve) => void setTimeout(resolve, timeoutMs).unref());
  await Promise.race([pool.end(), deadline]);
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)) || codeOf(error);

/**
 * Returns true if the database is unavailable.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: class 08 is connection
 * exceptions, 53 insufficient resources, 57P operator intervention such as a shutdown.
 */
const isUnavailable = (error: unknown): boolean =>
  /^(08|53|57P)/.test(codeOf(error)) ||
  /^E[A-Z]+$/.test(codeOf(error)) ||
  /connection terminated|not queryable|timeout/i.test(messageOf(error));

/**
 * Returns true if an open connection broke. Returns false if the server refuses connections or does
 * not respond.
 */
const isBrokenConnection = (error: unknown): boolean =>
  /^(57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /connection terminated unexpectedly|not queryable/i.test(messageOf(error));

/** Returns an error for the operator that names the database without its password. */
function describeError(error: unknown, location: string): unknown {
  if (error instanceof KeyRequestError) return error;
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
