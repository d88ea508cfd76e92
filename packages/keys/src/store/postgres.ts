import { createOutageReporter, type Logger, withTimeout } from '@lectern/serving';
import type { PoolClient } from 'pg';
import { type KeyRecord, KeyRequestError, KeyStoreUnavailableError } from '../types';
import type { PostgresPool } from './postgres-pool';
import { createPostgresPool, databaseLocation, describeError, scriptTimeoutMs } from './postgres-pool';
import { type KeyStore, keyOfToken, type SqlScript, selectByToken, type TokenRow } from './queries';
import { migratePostgres, type TimedQuery } from './schema';

interface PostgresOptions {
  /** The URL of the database: postgres://user:password@host:port/database. */
  url: string;
  /** The maximum number of connections of this process, at least 2. */
  connections: number;
  /** The maximum time for looking up a key, in milliseconds, including the time to connect. */
  timeoutMs: number;
  log: Logger;
}

const lookupText = selectByToken('= ANY($1::bytea[])');

// With READ COMMITTED, a statement that has waited for a lock sees what other transactions have committed.
const beginWrite = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const beginRead = `${beginWrite} READ ONLY; SET LOCAL statement_timeout = ${scriptTimeoutMs}`;

/** Opens the key store in PostgreSQL. Rejects with a message of one line if the database cannot be used or upgraded. */
export async function openPostgresStore({ url, connections, timeoutMs, log }: PostgresOptions): Promise<KeyStore> {
  const location = databaseLocation(url);
  // Otherwise writes that wait for a lock or a slow disk could take all connections.
  const writeConnections = Math.max(1, Math.floor(connections / 4));
  // A lookup may have to connect, prepare and query, each in half of the deadline, which bounds their sum. The server
  // cancels slow queries, so that none waits for a lock after its caller has given up.
  const readMs = Math.ceil(timeoutMs / 2);
  const reading = await createPostgresPool(url, connections - writeConnections, readMs, log);
  const writing = await createPostgresPool(url, writeConnections, Math.max(readMs, scriptTimeoutMs), log);
  const close = async () => {
    await Promise.all([reading.end(), writing.end()]);
  };
  try {
    await migratePostgres(writing.pool);
  } catch (error) {
    await close();
    throw describeError(error, location);
  }

  const reportRead = createErrorReport(location, log, {
    began: 'the key store is unavailable: requests and pages that need it are rejected with 503',
    ended: 'the key store is available again',
  });
  const reportWrite = createErrorReport(location, log, {
    began: 'the key store cannot be written: pages that change it are rejected with 503',
    ended: 'the key store can be written again',
  });
  return {
    keyByDigest: createLookupBatcher((digests) =>
      reportRead(
        withTimeout(
          reading.withConnectionRetry(() => selectByDigests(reading, digests)),
          timeoutMs,
        ),
      ),
    ),
    read: (script) => reportRead(runInTransaction(reading, beginRead, script)),
    write: (script) => reportWrite(runInTransaction(writing, beginWrite, script)),
    close,
  };
}

/**
 * Joins the lookups of one turn of the event loop into one query, sent after the last has begun, so that none returns
 * an older state.
 */
function createLookupBatcher(
  findAll: (digests: readonly Buffer[]) => Promise<ReadonlyMap<string, Omit<TokenRow, 'tokenDigest'>>>,
) {
  let batch: { digests: Buffer[]; keys: ReturnType<typeof findAll> } | null = null;

  const openBatch = () => {
    const digests: Buffer[] = [];
    const keys = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      batch = null;
      return findAll(digests);
    });
    return { digests, keys };
  };

  return async (digest: Buffer, at: string): Promise<KeyRecord | null> => {
    batch ??= openBatch();
    const { digests, keys } = batch;
    digests.push(digest);
    const row = (await keys).get(digest.toString('hex'));
    return row ? keyOfToken(row, at) : null;
  };
}

/** Returns the keys with these digests. The keys of the map are the digests in hexadecimal. */
async function selectByDigests({ pool }: PostgresPool, digests: readonly Buffer[]) {
  const { rows } = await pool.query<TokenRow>({
    name: 'key-by-digest',
    text: lookupText,
    values: [digests],
  });
  return new Map(rows.map(({ tokenDigest, ...row }) => [tokenDigest.toString('hex'), row]));
}

function createErrorReport(location: string, log: Logger, messages: { began: string; ended: string }) {
  const outage = createOutageReporter(log, messages);
  return async <Result>(result: Promise<Result>): Promise<Result> => {
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
}

async function runInTransaction<Result>(
  { beginTransaction }: PostgresPool,
  begin: string,
  script: SqlScript<Result>,
): Promise<Result> {
  const client = await beginTransaction(begin);
  try {
    const result = await run(client, script);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // After another error than a KeyRequestError, the connection's state is unknown, so it is destroyed.
    const isRolledBack = async () =>
      client.query('ROLLBACK').then(
        () => true,
        () => false,
      );
    client.release(!(error instanceof KeyRequestError && (await isRolledBack())));
    throw error;
  }
}

async function run<Result>(client: PoolClient, script: SqlScript<Result>): Promise<Result> {
  let step = script.next([]);
  while (step.done !== true) {
    const timedQuery: TimedQuery = { ...step.value, query_timeout: scriptTimeoutMs };
    step = script.next((await client.query(timedQuery)).rows);
  }
  return step.value;
}
