import { type EmbedOptions, embedderError } from './embedder';
import type { EncoderModel } from './read-model-folder';
import { createRespawningThread } from './worker-thread';

export interface EncoderOptions {
  model: EncoderModel;
  /** Cores that share the work on a text. */
  cores: number;
  /** Texts that may wait at most; a call that would pass it fails with `busy` at once. */
  queueLength: number;
}

/** What the thread works with. */
export interface EncoderData extends EncoderModel {
  cores: number;
}

export interface EncodeOptions extends EmbedOptions {
  /** The vector depends on the text alone, to the last bit. Costs padding-free runs, one text at a time. */
  exact: boolean;
}

export interface Encoded {
  vector: Float32Array;
  tokenCount: number;
}

interface Work {
  texts: readonly string[];
  exact: boolean;
  settle(outcome: Encoded[] | Error): void;
}

/** Texts that the thread gets in one message: enough to keep it from waiting for the next, few enough that no question waits long behind others. */
const textsTogether = 4;

/** Texts of a long call that the thread takes at once, so that questions get in between. */
export const sliceLength = 32;

/**
 * Runs a sentence encoder in a thread, which the first text (or `load`) starts, and again should it have ended. One thread, whose work on
 * each text several cores share: a second would be a second model in memory, and a question that comes alone would be no faster.
 */
export function createEncoder({ model, cores, queueLength }: EncoderOptions) {
  const thread = createRespawningThread<
    { texts: string[]; exact: boolean },
    { vectors: Float32Array; tokenCounts: number[] }
  >('encoder.mjs', { ...model, cores } satisfies EncoderData);
  const queue: Work[] = [];
  let queued = 0;
  let working = false;
  let closed = false;

  const next = (): Work[] => {
    const taken: Work[] = [];
    let count = 0;
    const exact = queue[0]?.exact;
    for (
      let work = queue[0];
      work && work.exact === exact && (count === 0 || count + work.texts.length <= textsTogether);
      work = queue[0]
    ) {
      queue.shift();
      taken.push(work);
      count += work.texts.length;
    }
    queued -= count;
    return taken;
  };

  const serve = async (works: readonly Work[]): Promise<void> => {
    try {
      const { vectors, tokenCounts } = await thread.ask({
        texts: works.flatMap(({ texts }) => texts),
        exact: works[0]?.exact ?? true,
      });
      const size = vectors.length / tokenCounts.length;
      let at = 0;
      for (const work of works) {
        work.settle(
          work.texts.map((_, index) => ({
            vector: vectors.slice((at + index) * size, (at + index + 1) * size),
            tokenCount: tokenCounts[at + index] ?? 0,
          })),
        );
        at += work.texts.length;
      }
    } catch (error) {
      const failure = embedderError('unavailable', `the model could not run: ${reason(error)}`);
      for (const work of works) work.settle(failure);
    }
  };

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    while (queue.length > 0) {
      try {
        await thread.ready();
      } catch (error) {
        failAll(cannotLoad(error));
        break;
      }
      await serve(next());
    }
    working = false;
  };

  const cannotLoad = (error: unknown): Error =>
    closed
      ? closedError()
      : embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${reason(error)}`);

  const failAll = (failure: Error): void => {
    queued = 0;
    for (const waiting of queue.splice(0)) waiting.settle(failure);
  };

  /** One piece of work through the queue, until `leave` takes it out or forgets it. */
  const enqueue = (
    texts: readonly string[],
    exact: boolean,
  ): { done: Promise<Encoded[]>; leave(reason: unknown): void } => {
    let leave: (reason: unknown) => void = () => {};
    const done = new Promise<Encoded[]>((resolve, reject) => {
      const piece: Work = {
        texts,
        exact,
        settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      };
      leave = (why) => {
        const at = queue.indexOf(piece);
        if (at >= 0) {
          queue.splice(at, 1);
          queued -= texts.length;
        }
        reject(why);
      };
      queue.push(piece);
      queued += texts.length;
    });
    return { done, leave };
  };

  const runAll = async (
    pieces: readonly (readonly string[])[],
    { exact, signal }: EncodeOptions,
  ): Promise<Encoded[]> => {
    signal?.throwIfAborted();
    const works = pieces.map((texts) => enqueue(texts, exact));
    const leave = (): void => works.forEach((each) => each.leave(signal?.reason));
    signal?.addEventListener('abort', leave, { once: true });
    void work();
    try {
      return (await Promise.all(works.map(({ done }) => done))).flat();
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };

  const admit = (count: number): void => {
    if (closed) throw closedError();
    if (queued + count > queueLength)
      throw embedderError('busy', `the embedder is busy: ${queued} texts wait already, and at most ${queueLength} may`);
  };

  return {
    /** Loads the model, where it is not loaded yet. -> its dimensions */
    async load(): Promise<number> {
      if (closed) throw closedError();
      try {
        return Number((await thread.ready())['dimensions']);
      } catch (error) {
        throw cannotLoad(error);
      }
    },
    /** One vector for each text, in order. Exact texts run one by one, others in slices. */
    async encode(texts: readonly string[], options: EncodeOptions): Promise<Encoded[]> {
      if (texts.length === 0) return [];
      if (options.exact) {
        admit(texts.length);
        return runAll(
          texts.map((text) => [text]),
          options,
        );
      }
      const encoded: Encoded[] = [];
      for (let at = 0; at < texts.length; at += sliceLength) {
        const slice = texts.slice(at, at + sliceLength);
        admit(slice.length);
        encoded.push(...(await runAll([slice], options)));
      }
      return encoded;
    },
    /** What waits fails as unavailable. */
    async close(): Promise<void> {
      closed = true;
      failAll(closedError());
      await thread.close();
    },
  };
}

const closedError = (): Error => embedderError('unavailable', 'the embedder is closed');

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
