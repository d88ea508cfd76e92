import type { Logger } from '@lectern/serving';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { KeyRecord } from '../keys-types';
import { KeyRequestError } from '../keys-types';
import { keyColumns } from './key-queries';
import type { KeyStore, SqlScript } from './key-store';
import { createLookupBatcher } from './lookup-batcher';
import type { TimedQuery } from './migrate-postgres';
import { migratePostgres } from './migrate-postgres';

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** The most connections of this process. */
  connections: number;
  /** How long the look-up of a key may take, connecting included. */
  timeoutMs: number;
  log: Logger;
}

/** What an operator does may take longer than a look-up, as it may wait for another operator's. */
const workTimeoutMs = 5_000;
const lookupText = `SELECT ${keyColumns}, encode(digest, 'hex') AS "digestText" FROM api_key WHERE digest = ANY($1::bytea[])`;

/** Keys in a PostgreSQL database that gateways on several machines share. Rejects, in one line, when it does not answer or is not ours. */
export async function openPostgresStore({ url, connections, timeoutMs, log }: PostgresOptions): Promise<KeyStore> {
  const place = databaseLocation(url);
  // Loaded here, for it takes 14 MB and most deployments have a file.
  const { Pool, types } = await import('pg');
  const dateOf: (text: string) => Date = types.getTypeParser(types.builtins.TIMESTAMPTZ);
  const instantOf = (text: string): string => dateOf(text).toISOString();
  const config: PoolConfig = {
    connectionString: url,
    application_name: 'lectern',
    max: connections,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Each is half of what a look-up has: it may have to connect, and then to ask.
    connectionTimeoutMillis: Math.ceil(timeoutMs / 2),
    query_timeout: Math.ceil(timeoutMs / 2),
    statement_timeout: workTimeoutMs,
    idle_in_transaction_session_timeout: workTimeoutMs,
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.TIMESTAMPTZ ? instantOf : types.getTypeParser(oid, format),
    },
  };
  const explained = (error: unknown): unknown => explain(error, place);

  const pool = new Pool(config);
  // A connection that breaks while nobody uses it is replaced by the next that is needed; without this the process would end.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a connection to the key store was lost'));
  // One that breaks under a query tells the query, which is enough; without this too the process would end.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    await migratePostgres(pool);
  } catch (error) {
    await pool.end();
    throw explained(error);
  }

  const ask = async (digests: readonly Buffer[]) => {
    const { rows } = await pool.query<KeyRecord & { digestText: string }>({
      name: 'key-by-digest',
      text: lookupText,
      values: [digests],
    });
    return new Map(rows.map(({ digestText, ...key }) => [digestText, key]));
  };
  /**
   * A connection that broke unnoticed shows so only when it is used, at once, and so may the next. What has done nothing yet is tried over
   * another, as long as there is time left for it.
   */
  const overAnother = async <Result>(
    attempt: () => Promise<Result>,
    tries = connections + 1,
    until = performance.now() + timeoutMs / 4,
  ): Promise<Result> => {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 1 || !isBroken(error) || performance.now() > until) throw error;
      return overAnother(attempt, tries - 1, until);
    }
  };
  const begun = (begin: string) =>
    overAnother(async () => {
      const client = await pool.connect();
      try {
        await client.query(begin);
        return client;
      } catch (error) {
        client.release(true);
        throw error;
      }
    });
  const within = async <Result>(begin: string, work: SqlScript<Result>): Promise<Result> => {
    try {
      return await transaction(await begun(begin), work);
    } catch (error) {
      throw explained(error);
    }
  };

  return {
    keyByDigest: createLookupBatcher((digests) =>
      overAnother(() => ask(digests)).catch((error: unknown) => Promise.reject(explained(error))),
    ),
    read: (work) => within('BEGIN READ ONLY', work),
    // Spelt out: the rules count on a statement that waited for another's to see what that one did.
    write: (work) => within('BEGIN ISOLATION LEVEL READ COMMITTED', work),
    close: () => endWithin(pool, timeoutMs),
  };
}

/** On a client that has begun. */
async function transaction<Result>(client: PoolClient, work: SqlScript<Result>): Promise<Result> {
  try {
    const result = await run(client, work);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A refusal is the asker's fault. After any other nobody knows in which state the connection is: it is not kept.
    const isSound =
      isRefusal(error) &&
      (await client.query('ROLLBACK').then(
        () => true,
        () => false,
      ));
    client.release(!isSound);
    throw error;
  }
}

async function run<Result>(client: PoolClient, work: SqlScript<Result>): Promise<Result> {
  let step = work.next([]);
  while (step.done !== true) {
    const { text, values } = step.value;
    const query: TimedQuery = { text, values: [...values], query_timeout: workTimeoutMs };
    step = work.next((await client.query(query)).rows);
  }
  return step.value;
}

/** A connection that hangs does not hold up the end of the process. */
async function endWithin(pool: Pool, timeoutMs: number): Promise<void> {
  const late = new Promise<void>((resolve) => void setTimeout(resolve, timeoutMs).unref());
  await Promise.race([pool.end(), late]);
}

const isRefusal = (error: unknown): boolean => error instanceof KeyRequestError;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)) || codeOf(error);

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: 08 connection, 53 resources, 57P administrator's shutdown and start-up. */
const isLost = (error: unknown): boolean =>
  /^(08|53|57P)/.test(codeOf(error)) ||
  /^E[A-Z]+$/.test(codeOf(error)) ||
  /connection terminated|not queryable|timeout/i.test(messageOf(error));

/** The connection was there and is no more; not that the server takes none, or says nothing. */
const isBroken = (error: unknown): boolean =>
  /^(57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /connection terminated unexpectedly|not queryable/i.test(messageOf(error));

function explain(error: unknown, place: string): unknown {
  if (isRefusal(error)) return error;
  if (isLost(error))
    return new Error(
      `The key store at ${place} does not answer (${messageOf(error)}). See that PostgreSQL runs there and that DATABASE_URL is right.`,
      { cause: error },
    );
  return new Error(`The key store at ${place} cannot be used (${messageOf(error)}).`, { cause: error });
}

/** Where the database is, without the password. Throws where DATABASE_URL is no such URL. */
export function databaseLocation(url: string): string {
  const parsed = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new Error(
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/lectern, with what is not a letter or digit in the password percent-encoded.',
    );
  return `${parsed.host}${parsed.pathname}`;
}
