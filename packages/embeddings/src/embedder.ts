export interface EmbedOptions {
  /** Rejects the call when aborted. A computation that has begun may finish in the background. */
  signal?: AbortSignal;
}

/**
 * Computes vectors of length 1 from texts. The cosine of two vectors says how close the meanings of
 * two texts are.
 */
export interface Embedder {
  /**
   * Identifies the model and everything else that changes its vectors. Never compare vectors of two
   * ids.
   */
  readonly id: string;
  readonly dimensions: number;
  /** Returns one vector per text, in order. The same text always gets the same vector. */
  embedQueries(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Returns one vector per text, in order, for texts that queries are compared with. */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Loads the model, so that the first query is fast. Rejects if the model cannot be loaded. */
  warm(): Promise<void>;
  /** True while the circuit breaker of a remote endpoint is open. Undefined for a local model. */
  isCircuitOpen?: () => boolean;
  close(): Promise<void>;
}

/**
 * Why there is no vector. `busy`: the queue is full, so retry in a moment. `unavailable`: may work
 * again by itself. `misconfigured`: works again only after somebody changes a setting or a file.
 */
export type EmbedderFailure = 'busy' | 'unavailable' | 'misconfigured';

export interface EmbedderError extends Error {
  readonly failure: EmbedderFailure;
}

const errorName = 'EmbedderError';

/** The message is for the operator. It may name hosts and files, and never contains an API key. */
export const embedderError = (failure: EmbedderFailure, message: string): EmbedderError =>
  Object.assign(new Error(message), { name: errorName, failure });

export const isEmbedderError = (error: unknown): error is EmbedderError =>
  error instanceof Error && error.name === errorName && 'failure' in error;
