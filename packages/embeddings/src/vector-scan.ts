import { embedderError } from './embedder';
import type { VerseValues } from './lexical-overlap';
import { createRespawningThread } from './worker-thread';

/** The `workerData` that workers/scan.mjs receives. */
export interface ScanData {
  /** The path of the vectors file. */
  file: string;
  /** The identity of this version of the file: inode, size and modification time. */
  fileIdentity: string;
  /** The position of the first row in the file, in bytes. */
  rowsAt: number;
  /** The number of verses. */
  count: number;
  dimensions: number;
  /** The shared memory with a bonus per verse, for each query of a batch. */
  bonuses: Float32Array;
}

/** A request to workers/scan.mjs. The bonuses of the queries are in the shared memory. */
export interface ScanRequest {
  queries: Pick<ScanQuery, 'vector' | 'limit'>[];
}

/** A response of workers/scan.mjs, with one match list per query. */
export interface ScanResponse {
  matches: ScanMatches[];
}

export interface ScanQuery {
  /** The vector of the query, of length 1. */
  vector: Float32Array;
  /**
   * The minimum number of verses to find. Verses whose rounded score may equal the score of the
   * last verse are found too.
   */
  limit: number;
  /**
   * The bonuses that are added to the cosines of these verses before the best verses are chosen.
   */
  bonus?: VerseValues | null;
}

export interface ScanMatches {
  /** The positions of the verses, ascending and so not ranked. */
  indices: Uint32Array<ArrayBuffer>;
  /** The exact cosines, without the bonus. */
  cosines: Float64Array<ArrayBuffer>;
  /** The bonus of each verse. */
  bonuses: Float32Array<ArrayBuffer>;
}

interface PendingQuery {
  query: ScanQuery;
  resolve(matches: ScanMatches): void;
  reject(error: unknown): void;
}

/**
 * The number of queries compared in one pass. A pass with four queries takes hardly longer than
 * with one. With more queries, the time per query stays the same.
 */
const maxBatchSize = 4;

const maxPendingQueries = 5_000;

/**
 * Compares queries with every verse, in a worker thread that is respawned if it ends. The result is
 * exact: none of the best verses is missing.
 */
export async function createVectorScan(data: Omit<ScanData, 'bonuses'>) {
  // The memory is shared with the worker thread: a query of common words has a bonus for most
  // verses, and messages with these bonuses would be garbage to collect.
  const bonuses = new Float32Array(new SharedArrayBuffer(maxBatchSize * data.count * Float32Array.BYTES_PER_ELEMENT));
  const thread = createRespawningThread<ScanRequest, ScanResponse>('scan.mjs', { ...data, bonuses } satisfies ScanData);
  await thread.ready();
  let closed = false;
  const pending: PendingQuery[] = [];
  let isRunning = false;

  const writeBonuses = (batch: readonly PendingQuery[]): void => {
    for (const [index, { query }] of batch.entries()) {
      if (!query.bonus) continue;
      const { positions, values } = query.bonus;
      for (let at = 0; at < positions.length; at += 1)
        bonuses[index * data.count + (positions[at] ?? 0)] = values[at] ?? 0;
    }
  };

  const clearBonuses = (batch: readonly PendingQuery[]): void => {
    for (const [index, { query }] of batch.entries()) {
      if (!query.bonus) continue;
      const { positions } = query.bonus;
      for (let at = 0; at < positions.length; at += 1) bonuses[index * data.count + (positions[at] ?? 0)] = 0;
    }
  };

  const runBatches = async (): Promise<void> => {
    isRunning = true;
    while (pending.length > 0) {
      const batch = pending.splice(0, maxBatchSize);
      writeBonuses(batch);
      try {
        await thread.ready();
        const { matches } = await thread.send({
          queries: batch.map(({ query: { vector, limit } }) => ({ vector, limit })),
        });
        for (const [index, { resolve }] of batch.entries()) resolve(matches[index] ?? noMatches());
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      clearBonuses(batch);
    }
    isRunning = false;
  };

  return {
    find(query: ScanQuery): Promise<ScanMatches> {
      if (closed) return Promise.reject(embedderError('unavailable', 'the vectors are closed'));
      if (pending.length >= maxPendingQueries)
        return Promise.reject(embedderError('busy', `${maxPendingQueries} queries wait already`));
      return new Promise((resolve, reject) => {
        pending.push({ query, resolve, reject });
        if (!isRunning) void runBatches();
      });
    },
    async close(): Promise<void> {
      closed = true;
      await thread.close();
    },
  };
}

const noMatches = (): ScanMatches => ({
  indices: new Uint32Array(),
  cosines: new Float64Array(),
  bonuses: new Float32Array(),
});
