export interface EmbedOptions {
  /** Rejects the call when aborted. A computation that has begun may finish in the background. */
  signal?: AbortSignal;
  /** Called with the time that this process took for the texts, in milliseconds. */
  onComputed?: (ms: number) => void;
}

/**
 * Computes vectors of length 1 from texts, one per text, in order. The cosine of two vectors says
 * how close the meanings of two texts are.
 */
export interface Embedder {
  /** Names the model and everything else that changes the vectors of queries. */
  readonly id: string;
  /**
   * Names everything that changes the vectors of passages. The vectors of embedders with different
   * passage ids must not be compared.
   */
  readonly passageId: string;
  readonly dimensions: number;
  /** The number of queries that the embedder computes at the same time. More concurrent queries would only wait. */
  readonly parallelQueries: number;
  /** Embeds queries. The same text always gets the same vector. */
  embedQueries(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Embeds passages: the texts with which queries are compared. */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Loads a local model, so that the first query is fast. Does nothing for a remote endpoint. */
  warm(): Promise<void>;
  /** Whether the circuit breaker of a remote endpoint is open or half-open. */
  isCircuitOpen?: () => boolean;
  /**
   * Sends a request that costs nothing to a remote endpoint. Rejects with the reason if the
   * endpoint does not respond, responds with status 5xx or rejects the API key.
   */
  probe?: () => Promise<void>;
  close(): Promise<void>;
}

/**
 * The reason why a text has no vector. `busy`: the queue is full, so retry in a moment.
 * `unavailable`: the embedder may recover by itself. `misconfigured`: the embedder recovers only
 * after somebody changes a setting or a file.
 */
type EmbedderFailure = 'busy' | 'unavailable' | 'misconfigured';

export interface EmbedderError extends Error {
  readonly failure: EmbedderFailure;
}

const errorName = 'EmbedderError';

/**
 * Creates the error of a failed call. The message is for the operator. It may name hosts and files, and never contains
 * an API key.
 */
export const embedderError = (failure: EmbedderFailure, message: string): EmbedderError =>
  Object.assign(new Error(message), { name: errorName, failure });

export const isEmbedderError = (error: unknown): error is EmbedderError =>
  error instanceof Error && error.name === errorName;
