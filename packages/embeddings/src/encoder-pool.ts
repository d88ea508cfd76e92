import { embedderError, type EmbedOptions } from './embedder';
import type { EncoderModel } from './encoder-model';
import { startThread, type Thread } from './thread';

export interface EncoderPoolOptions {
  model: EncoderModel;
  /** Models loaded at most, each in a thread of its own that uses one core. */
  threads: number;
  /** Texts that may wait at most; a call that would pass it fails with `busy` at once. */
  queueLength: number;
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

type EncoderThread = Thread<{ texts: string[]; exact: boolean }, { vectors: Float32Array; tokenCounts: number[] }>;

/** Texts that a thread gets in one message: enough to keep it from waiting for the next, few enough that no question waits long behind others. */
const textsTogether = 4;

/** Texts of a long call that a thread takes at once, so that questions get in between. */
export const sliceLength = 32;

/** Runs a sentence encoder in threads. The first is started by the first text (or `load`), the others when there is more than it can do. */
export function createEncoderPool({ model, threads, queueLength }: EncoderPoolOptions) {
  const idle: EncoderThread[] = [];
  const started = new Set<EncoderThread>();
  const queue: Work[] = [];
  let queued = 0;
  let starting = 0;
  let closed = false;

  const next = (): Work[] => {
    const taken: Work[] = [];
    let count = 0;
    const exact = queue[0]?.exact;
    // Waiting questions are shared out among the threads rather than given to the first that is free.
    const most = Math.min(textsTogether, Math.ceil(queued / threads));
    for (let work = queue[0]; work && work.exact === exact && (count === 0 || count + work.texts.length <= most); work = queue[0]) {
      queue.shift();
      taken.push(work);
      count += work.texts.length;
    }
    queued -= count;
    return taken;
  };

  const serve = async (thread: EncoderThread, works: readonly Work[]): Promise<void> => {
    try {
      const { vectors, tokenCounts } = await thread.ask({ texts: works.flatMap(({ texts }) => texts), exact: works[0]?.exact ?? true });
      const size = vectors.length / tokenCounts.length;
      let at = 0;
      for (const work of works) {
        work.settle(work.texts.map((_, index) => ({ vector: vectors.slice((at + index) * size, (at + index + 1) * size), tokenCount: tokenCounts[at + index] ?? 0 })));
        at += work.texts.length;
      }
    } catch (error) {
      const failure = embedderError('unavailable', `the model could not run: ${error instanceof Error ? error.message : String(error)}`);
      for (const work of works) work.settle(failure);
    }
    if (started.has(thread)) idle.push(thread);
    dispatch();
  };

  const start = async (): Promise<Readonly<Record<string, unknown>>> => {
    starting += 1;
    const thread: EncoderThread = startThread('encoder.mjs', model, () => {
      started.delete(thread);
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    started.add(thread);
    try {
      const about = await thread.ready;
      idle.push(thread);
      return about;
    } finally {
      starting -= 1;
    }
  };

  const dispatch = (): void => {
    while (queue.length > 0) {
      const thread = idle.pop();
      if (!thread) break;
      void serve(thread, next());
    }
    if (queue.length > starting && started.size < threads && !closed) start().then(dispatch, failAll);
  };

  const failAll = (error: unknown): void => {
    if (started.size > starting) return;
    const failure = embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    queued = 0;
    for (const work of queue.splice(0)) work.settle(failure);
  };

  /** One piece of work through the queue, until `leave` takes it out or forgets it. */
  const enqueue = (texts: readonly string[], exact: boolean): { done: Promise<Encoded[]>; leave(reason: unknown): void } => {
    let leave: (reason: unknown) => void = () => {};
    const done = new Promise<Encoded[]>((resolve, reject) => {
      const work: Work = { texts, exact, settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)) };
      leave = (reason) => {
        const at = queue.indexOf(work);
        if (at >= 0) {
          queue.splice(at, 1);
          queued -= texts.length;
        }
        reject(reason);
      };
      queue.push(work);
      queued += texts.length;
    });
    return { done, leave };
  };

  const runAll = async (pieces: readonly (readonly string[])[], { exact, signal }: EncodeOptions): Promise<Encoded[]> => {
    signal?.throwIfAborted();
    const works = pieces.map((texts) => enqueue(texts, exact));
    const leave = (): void => works.forEach((work) => work.leave(signal?.reason));
    signal?.addEventListener('abort', leave, { once: true });
    dispatch();
    try {
      return (await Promise.all(works.map(({ done }) => done))).flat();
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };

  const admit = (count: number): void => {
    if (closed) throw embedderError('unavailable', 'the embedder is closed');
    if (queued + count > queueLength) throw embedderError('busy', `the embedder is busy: ${queued} texts wait already, and at most ${queueLength} may`);
  };

  return {
    /** The model's dimensions; loads it when it is not loaded yet. */
    async load(): Promise<number> {
      if (closed) throw embedderError('unavailable', 'the embedder is closed');
      if (idle.length === 0 && started.size < threads) {
        try {
          await start();
        } catch (error) {
          failAll(error);
          throw embedderError('misconfigured', `the model ${model.modelFile} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
        }
        dispatch();
      }
      const [first] = await this.encode(['a'], { exact: true });
      return first?.vector.length ?? 0;
    },
    /** One vector for each text, in order. Exact texts are shared out one by one; others run in slices, of one call as many at a time as there are threads. */
    async encode(texts: readonly string[], options: EncodeOptions): Promise<Encoded[]> {
      if (texts.length === 0) return [];
      if (options.exact) {
        admit(texts.length);
        return runAll(texts.map((text) => [text]), options);
      }
      const slices = Array.from({ length: Math.ceil(texts.length / sliceLength) }, (_, at) => texts.slice(at * sliceLength, (at + 1) * sliceLength));
      const encoded: Encoded[][] = [];
      let given = 0;
      const lane = async (): Promise<void> => {
        for (let at = given++; at < slices.length; at = given++) {
          const slice = slices[at] ?? [];
          admit(slice.length);
          encoded[at] = await runAll([slice], options);
        }
      };
      await Promise.all(Array.from({ length: threads }, lane));
      return encoded.flat();
    },
    /** What waits fails as unavailable. */
    async close(): Promise<void> {
      closed = true;
      const failure = embedderError('unavailable', 'the embedder is closed');
      queued = 0;
      for (const work of queue.splice(0)) work.settle(failure);
      await Promise.all(Array.from(started, (thread) => thread.close()));
    },
  };
}
export type EncoderPool = ReturnType<typeof createEncoderPool>;
