import { embedderError } from './embedder';
import type { RowValues } from './overlap';
import { createRespawningThread } from './thread';

/** Consecutive rows of a vectors file or phrases file, with which queries are compared. */
export interface ScanTable {
  /** The position of the first row in the file, in bytes. */
  rowsAt: number;
  /** The number of rows. */
  count: number;
}

/** The file with the tables of a scan. */
interface ScanFile {
  /** The path of the vectors file or phrases file. */
  file: string;
  /** The identity of this version of the file: inode, size and modification time. */
  fileIdentity: string;
  dimensions: number;
}

/** The `workerData` that workers/scan-vectors.mjs receives. */
export interface ScanData extends ScanFile {
  /** The tables. `bonuses` is shared memory with one bonus per row, for each query of a batch. */
  tables: (ScanTable & { bonuses: Float32Array })[];
}

/**
 * A request to workers/scan-vectors.mjs. The bonuses of its queries are in the shared memory of
 * `ScanData`.
 */
export interface ScanRequest {
  /** The index of the table. */
  table: number;
  queries: Pick<ScanQuery, 'vector' | 'limit'>[];
}

/** A response of workers/scan-vectors.mjs, with one match list per query. */
interface ScanResponse {
  matches: ScanMatches[];
}

export interface ScanQuery {
  /** The vector of the query, of length 1. */
  vector: Float32Array;
  /**
   * The minimum number of rows to find. Further rows are found if their rounded score may equal the
   * score of the last row.
   */
  limit: number;
  /** The bonuses of some rows, which are added to their cosines before the best rows are chosen. */
  bonus?: RowValues | null;
}

export interface ScanMatches {
  /** The positions of the rows in the table, ascending and so not ranked. */
  indices: Uint32Array<ArrayBuffer>;
  /** The exact cosines, without the bonus. */
  cosines: Float64Array<ArrayBuffer>;
  /** The bonus of each row. */
  bonuses: Float32Array<ArrayBuffer>;
}

interface PendingQuery {
  query: ScanQuery;
  resolve(matches: ScanMatches): void;
  reject(error: unknown): void;
}

/**
 * The maximum number of queries compared in one pass. A pass with four queries takes hardly longer
 * than with one. With more than four queries, the time per query would stay the same.
 */
const maxBatchSize = 4;

const maxPendingQueries = 5_000;

/**
 * Compares queries with every row of a table, in a worker thread that is respawned if it ends. All
 * tables of a file share the thread. The result is exact: none of the best rows is missing.
 */
export async function createVectorScan(file: ScanFile, tables: readonly ScanTable[]) {
  // The bonuses are in memory that is shared with the worker thread. A query of common words has a
  // bonus for most verses. If messages contained them, the garbage collector would have much to do.
  const shared = tables.map((table) => ({
    ...table,
    bonuses: new Float32Array(new SharedArrayBuffer(maxBatchSize * table.count * Float32Array.BYTES_PER_ELEMENT)),
  }));
  const thread = createRespawningThread<ScanRequest, ScanResponse>('scan-vectors.mjs', {
    ...file,
    tables: shared,
  } satisfies ScanData);
  await thread.ready();
  let closed = false;
  const finders = shared.map(({ count, bonuses }, table) =>
    createFinder({ table, count, bonuses, thread, isClosed: () => closed }),
  );
  return {
    /**
     * Resolves with the rows of a table that are nearest to a query. `table` is the index of the
     * table.
     */
    find(table: number, query: ScanQuery): Promise<ScanMatches> {
      const find = finders[table];
      return find ? find(query) : Promise.reject(new Error(`there is no table ${table}`));
    },
    async close(): Promise<void> {
      closed = true;
      await thread.close();
    },
  };
}

type ScanThread = ReturnType<typeof createRespawningThread<ScanRequest, ScanResponse>>;

interface FinderParts {
  table: number;
  count: number;
  bonuses: Float32Array;
  thread: ScanThread;
  isClosed: () => boolean;
}

/**
 * Creates the queue of one table. Up to `maxBatchSize` queries that wait together are compared in
 * one pass.
 */
function createFinder({ table, count, bonuses, thread, isClosed }: FinderParts) {
  const pending: PendingQuery[] = [];
  let isRunning = false;

  /** Writes the bonuses of a batch to the shared memory, or zeros in their place. */
  const writeBonuses = (batch: readonly PendingQuery[], { clear }: { clear: boolean }): void => {
    for (const [index, { query }] of batch.entries()) {
      if (!query.bonus) continue;
      const { rows, values } = query.bonus;
      for (let at = 0; at < rows.length; at += 1)
        bonuses[index * count + (rows[at] ?? 0)] = clear ? 0 : (values[at] ?? 0);
    }
  };

  const runBatches = async (): Promise<void> => {
    isRunning = true;
    while (pending.length > 0) {
      const batch = pending.splice(0, maxBatchSize);
      writeBonuses(batch, { clear: false });
      try {
        await thread.ready();
        const { matches } = await thread.send({
          table,
          queries: batch.map(({ query: { vector, limit } }) => ({ vector, limit })),
        });
        for (const [index, { resolve }] of batch.entries()) resolve(matches[index] ?? noMatches());
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      writeBonuses(batch, { clear: true });
    }
    isRunning = false;
  };

  return (query: ScanQuery): Promise<ScanMatches> => {
    if (isClosed()) return Promise.reject(embedderError('unavailable', 'the vectors are closed'));
    if (pending.length >= maxPendingQueries)
      return Promise.reject(embedderError('busy', `${maxPendingQueries} queries wait already`));
    return new Promise((resolve, reject) => {
      pending.push({ query, resolve, reject });
      if (!isRunning) void runBatches();
    });
  };
}

export const noMatches = (): ScanMatches => ({
  indices: new Uint32Array(),
  cosines: new Float64Array(),
  bonuses: new Float32Array(),
});
