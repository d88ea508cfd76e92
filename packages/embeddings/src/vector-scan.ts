import type { WorkBudget } from '@lectern/serving';
import { embedderError } from './embedder';
import { createRespawningThread } from './respawning-thread';

/** Consecutive rows of a vectors file or a phrases file, which are compared with queries. */
export interface ScanTable {
  /** The position of the first row in the file, in bytes. */
  rowsAt: number;
  count: number;
}

interface ScanFile {
  file: string;
  /** Identifies this version of the file: its inode, size and modification time. */
  fileIdentity: string;
  dimensions: number;
}

/** What workers/scan-vectors.mjs receives as `workerData`. */
export interface ScanData extends ScanFile {
  /** The tables. `bonuses` is shared memory, with a bonus of each row for each query of a batch. */
  tables: (ScanTable & { bonuses: Float32Array })[];
}

/** A request to workers/scan-vectors.mjs. Its bonuses are in the shared memory of `ScanData`. */
export interface ScanRequest {
  table: number;
  queries: Pick<ScanQuery, 'vector' | 'limit'>[];
}

/** A sparse vector: some rows with their values, in no order. The value of any other row is 0. */
export interface RowValues {
  rows: Uint32Array;
  values: Float32Array;
}

export const noValues: RowValues = { rows: new Uint32Array(), values: new Float32Array() };

export interface ScanQuery {
  /** The vector of the query, of length 1. */
  vector: Float32Array;
  /** The minimum number of rows to find. Rows whose rounded score may equal that of the last one are also found. */
  limit: number;
  /** Added to the cosines before the best rows are chosen. The values of a repeated row are added. */
  bonus?: RowValues | null;
  /** The computing time that the request of this query has left. Absent if no client waits for the result. */
  work?: WorkBudget | undefined;
}

export interface ScanMatches {
  /** The indexes of the rows in the table. They are ascending, so the best rows do not come first. */
  indices: Uint32Array<ArrayBuffer>;
  cosines: Float64Array<ArrayBuffer>;
  bonuses: Float32Array<ArrayBuffer>;
}

interface PendingQuery extends ScanQuery {
  readonly clients: readonly string[];
  resolve(matches: ScanMatches): void;
  reject(error: unknown): void;
}

/** Four queries in one pass take hardly longer than one. With more, none would become faster. */
const maxBatchSize = 4;

const maxPendingQueries = 5_000;

/** Compares queries with all rows of a table, exactly, in a respawning thread that all tables share. */
export async function createVectorScan(file: ScanFile, tables: readonly ScanTable[]) {
  // Bonuses are in shared memory, because messages with one for most verses would create much garbage.
  const shared = tables.map((table) => ({
    ...table,
    bonuses: new Float32Array(new SharedArrayBuffer(maxBatchSize * table.count * Float32Array.BYTES_PER_ELEMENT)),
  }));
  const data = { ...file, tables: shared } satisfies ScanData;
  const thread = createRespawningThread<ScanRequest, { matches: ScanMatches[]; ms: number }>('scan-vectors.mjs', data);
  await thread.ready();
  let closed = false;

  /** The queue of each table. Up to `maxBatchSize` of its queries are compared in one pass. */
  const finders = shared.map(({ count, bonuses }, table) => {
    const pending: PendingQuery[] = [];
    let isRunning = false;

    const compareBatch = async (batch: readonly PendingQuery[]): Promise<void> => {
      for (const [index, { bonus }] of batch.entries()) {
        const { rows, values } = bonus ?? noValues;
        for (let at = 0; at < rows.length; at += 1) {
          const cell = index * count + (rows[at] ?? 0);
          bonuses[cell] = (bonuses[cell] ?? 0) + (values[at] ?? 0);
        }
      }
      try {
        const queries = batch.map(({ vector, limit }) => ({ vector, limit }));
        const { matches, ms } = await thread.send({ table, queries });
        const share = ms / batch.length;
        for (const [index, { work, resolve }] of batch.entries()) {
          work?.add(share);
          resolve(matches[index] ?? noMatches());
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      bonuses.fill(0, 0, batch.length * count);
    };

    /** Takes the next queries from the queue. Leaves out those whose request has no time left. */
    const takeBatch = (): PendingQuery[] => {
      const batch: PendingQuery[] = [];
      while (pending.length > 0 && batch.length < maxBatchSize) {
        const next = pending[0]?.work?.takeNext(pending) ?? pending.shift();
        const spent = next?.work?.spent();
        if (spent) next?.reject(spent);
        else if (next) batch.push(next);
      }
      return batch;
    };

    const runBatches = async (): Promise<void> => {
      isRunning = true;
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await compareBatch(batch);
      isRunning = false;
    };

    return (query: ScanQuery): Promise<ScanMatches> =>
      new Promise((resolve, reject) => {
        if (closed) throw embedderError('unavailable', 'the vectors are closed');
        if (pending.length >= maxPendingQueries)
          throw embedderError('busy', `${maxPendingQueries} queries wait already`);
        pending.push({ ...query, clients: query.work?.clients ?? [], resolve, reject });
        if (!isRunning) void runBatches();
      });
  });

  return {
    /** Resolves with the rows that are nearest to a query. `table` is the index of the table. */
    find: async (table: number, query: ScanQuery): Promise<ScanMatches> => finders[table]?.(query) ?? noMatches(),
    async close(): Promise<void> {
      closed = true;
      await thread.close();
    },
  };
}

export const noMatches = (): ScanMatches => ({
  indices: new Uint32Array(),
  cosines: new Float64Array(),
  bonuses: new Float32Array(),
});
