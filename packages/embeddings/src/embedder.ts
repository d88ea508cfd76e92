export interface EmbedOptions {
  /**
   * If this signal is aborted, the call is rejected. A computation that has begun may finish in the
   * background.
   */
  signal?: AbortSignal;
}

/**
 * Computes vectors of length 1 from texts. The cosine of two vectors says how close the meanings of
 * two texts are.
 */
export interface Embedder {
  /**
   * Names the model and everything else that changes the vectors of queries. Embedders with the
   * same id compute the same vectors of queries.
   */
  readonly id: string;
  /**
   * The id of everything that changes the vectors of passages. Embedders with the same passage id
   * compute the same vectors of passages, and their queries can be compared with these vectors. The
   * vectors of embedders with different passage ids must not be compared.
   */
  readonly passageId: string;
  readonly dimensions: number;
  /**
   * Embeds queries. Returns one vector per text, in order. The same text always gets the same
   * vector.
   */
  embedQueries(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Embeds passages, the texts that queries are compared with. Returns one vector per text, in
   * order.
   */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Loads a local model, so that the first query is fast. Rejects if the model cannot be loaded.
   * Does nothing for a remote endpoint.
   */
  warm(): Promise<void>;
  /**
   * Returns true while the circuit breaker of a remote endpoint is open or half-open. The method is
   * absent for a local model.
   */
  isCircuitOpen?: () => boolean;
  /**
   * Sends a request that costs nothing to a remote endpoint. Rejects with the reason if the
   * endpoint does not respond, responds with status 5xx or rejects the API key. The method is
   * absent for a local model.
   */
  probe?: () => Promise<void>;
  close(): Promise<void>;
}

/**
 * The reason why a text has no vector. `busy`: the queue is full, so retry in a moment.
 * `unavailable`: the embedder may recover by itself. `misconfigured`: the embedder recovers only
 * after somebody changes a setting or a file.
 */
export type EmbedderFailure = 'busy' | 'unavailable' | 'misconfigured';

export interface EmbedderError extends Error {
  readonly failure: EmbedderFailure;
}

const errorName = 'EmbedderError';

/**
 * Creates an EmbedderError. The message is for the operator, may name hosts and files, and never
 * contains an API key.
 */
export const embedderError = (failure: EmbedderFailure, message: string): EmbedderError =>
  Object.assign(new Error(message), { name: errorName, failure });

export const isEmbedderError = (error: unknown): error is EmbedderError =>
  error instanceof Error && error.name === errorName && 'failure' in error;
