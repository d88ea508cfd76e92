export interface EmbedOptions {
  /** Rejects the call when it is aborted. A computation that has begun may continue in the background. */
  signal?: AbortSignal;
  /** Receives the time that this process has spent on the texts, in milliseconds. */
  onComputed?: (ms: number) => void;
}

/** Computes a vector of length 1 for each text, in order. Cosines tell how close meanings are. */
export interface Embedder {
  /** Identifies everything that changes the vectors of queries, such as the model. */
  readonly id: string;
  /** Identifies everything that changes passage vectors. Vectors with different passage ids must not be compared. */
  readonly passageId: string;
  readonly dimensions: number;
  /** The number of queries that the embedder computes at the same time. Any further query waits. */
  readonly parallelQueries: number;
  /** Embeds queries. The same text always gets the same vector. */
  embedQueries(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Embeds passages: the texts, such as verses, that are compared with queries. */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Loads a local model, so that the first query need not wait. Does nothing for a remote endpoint. */
  warm(): Promise<void>;
  /** Returns whether the circuit breaker of a remote endpoint is open or half-open. */
  isCircuitOpen?: () => boolean;
  /** Sends a free request. Rejects if the endpoint is unreachable, has status 5xx or rejects the key. */
  probe?: () => Promise<void>;
  close(): Promise<void>;
}

/** `busy`: the queue is full now. `unavailable`: may recover by itself. `misconfigured`: a setting or file is wrong. */
type EmbedderFailure = 'busy' | 'unavailable' | 'misconfigured';

export interface EmbedderError extends Error {
  readonly failure: EmbedderFailure;
}

const errorName = 'EmbedderError';

/** Creates the error of a failed call. The operator reads it: it may name hosts and files, but never an API key. */
export const embedderError = (failure: EmbedderFailure, message: string): EmbedderError =>
  Object.assign(new Error(message), { name: errorName, failure });

export const isEmbedderError = (error: unknown): error is EmbedderError =>
  error instanceof Error && error.name === errorName;
