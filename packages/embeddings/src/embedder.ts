export interface EmbedOptions {
  /** Ends the waiting; work that has begun may go on unseen. */
  signal?: AbortSignal;
}

/** From text to meaning: vectors of length 1 whose cosine says how near two texts are. */
export interface Embedder {
  /** Names the model and everything that changes its vectors. Vectors of two ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector for each text, in order, made the way this model wants a question. The same text always gets the same vector. */
  embedQueries(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** One vector for each text, in order, made the way this model wants what questions are compared with. */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Loads what the first question would wait for. Call it at start, and need not wait for it; rejects with the reason why it cannot. */
  warm(): Promise<void>;
  /** Whether it is not asked for a while because it failed too often. Absent where it is always asked. */
  isCircuitOpen?: () => boolean;
  close(): Promise<void>;
}

/**
 * Why there is no vector. `busy`: too many texts wait, ask again in a moment. `unavailable`: it may work again later without
 * anybody doing anything. `misconfigured`: it will not work before somebody changes a setting or a file.
 */
export type EmbedderFailure = 'busy' | 'unavailable' | 'misconfigured';

export interface EmbedderError extends Error {
  readonly failure: EmbedderFailure;
}

const errorName = 'EmbedderError';

/** The message is for the operator and may name hosts and files; it never holds a key. */
export const embedderError = (failure: EmbedderFailure, message: string): EmbedderError =>
  Object.assign(new Error(message), { name: errorName, failure });

export const isEmbedderError = (error: unknown): error is EmbedderError =>
  error instanceof Error && error.name === errorName && 'failure' in error;
