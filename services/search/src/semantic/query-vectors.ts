import type { Embedder } from '@lectern/embeddings';
import { isEmbedderError } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { SearchMetrics } from '../metrics';
import { memoizeAsync } from './memoize-async';

export interface QueryVectorsOptions {
  embedder: Pick<Embedder, 'embedQueries'>;
  /** How long a question may wait for its vector. */
  timeoutMs: number;
  observations: Pick<SearchMetrics, 'embedding'>;
  log: Logger;
  now?: () => number;
}

/** A vector takes 1.5 kB with the built-in model, and no model's takes more than 16 kB. */
const vectorsKept = 2_000;

/** Different questions that wait at a time; an embedder may have a smaller bound of its own. */
const mostUnderWay = 2_000;

const linesApartMs = 10_000;

/** The vector of a question. One that was asked before comes from memory, and equal ones asked at the same time are embedded once. */
export function createQueryVectors({ embedder, timeoutMs, observations, log, now = Date.now }: QueryVectorsOptions) {
  const tell = createFailureLog(log, now);
  let underWay = 0;

  const embed = async (question: string): Promise<Float32Array> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const began = performance.now();
    try {
      const [vector] = await embedder.embedQueries([question], { signal });
      if (!vector) throw new Error('the embedder gave no vector');
      observations.embedding('embedded', (performance.now() - began) / 1_000);
      return vector;
    } catch (error) {
      observations.embedding('failed', (performance.now() - began) / 1_000);
      if (!signal.aborted && !isEmbedderError(error)) throw error;
      tell(signal.aborted ? `no vector within ${timeoutMs} ms` : String(error));
      throw errors.embeddingUnavailable();
    }
  };

  return memoizeAsync(vectorsKept, async (question) => {
    if (underWay >= mostUnderWay) {
      tell(`${mostUnderWay} questions wait already`);
      throw errors.embeddingUnavailable();
    }
    underWay += 1;
    return embed(question).finally(() => {
      underWay -= 1;
    });
  });
}

/** The operator hears of the first failure at once, and then of how many there were; a line for each would drown the log when it matters. */
function createFailureLog(log: Logger, now: () => number) {
  let [saidAt, unsaid] = [Number.NEGATIVE_INFINITY, 0];
  return (reason: string): void => {
    unsaid += 1;
    if (now() - saidAt < linesApartMs) return;
    log.warn({ reason, questions: unsaid }, 'questions could not be embedded');
    [saidAt, unsaid] = [now(), 0];
  };
}
