import type { Embedder } from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';

export interface EmbedderAvailabilityOptions {
  embedder: Pick<Embedder, 'warm' | 'probe' | 'isCircuitOpen'>;
  /** The interval between two probes of an endpoint, in milliseconds. 10 seconds by default. */
  probeEveryMs?: number;
  log: Logger;
}

/**
 * Loads a local model, or probes a remote embedding endpoint at once and then at an interval.
 * `isAvailable` returns whether queries can be embedded, as far as is known. Without probes, only a
 * failing request of a client would show that the endpoint does not respond.
 */
export function watchEmbedder({ embedder, probeEveryMs = 10_000, log }: EmbedderAvailabilityOptions) {
  let isModelMissing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const outage = createOutageReporter(log, {
    began: 'the embedding endpoint does not respond: semanticSearch is unavailable',
    ended: 'the embedding endpoint responds again: semanticSearch is available',
  });

  const probe = async (): Promise<void> => {
    try {
      await embedder.probe?.();
      if (!closed) outage.end();
    } catch (error) {
      if (!closed) outage.begin(error);
    }
    if (!closed) timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };

  embedder.warm().catch((error: unknown) => {
    if (closed) return;
    isModelMissing = true;
    log.error({ err: error }, 'the model for semantic search cannot be loaded: semanticSearch is unavailable');
  });
  if (embedder.probe) void probe();

  return {
    isAvailable: (): boolean => !isModelMissing && !outage.isOngoing() && embedder.isCircuitOpen?.() !== true,
    /** Stops the probes. */
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
