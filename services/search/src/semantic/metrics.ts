import type { Metrics } from '@lectern/telemetry';

/** What happened to a query. `no-vectors`: no searched translation has vectors, so the query was not embedded. */
export type SemanticQueryOutcome = 'succeeded' | 'no-vectors' | 'failed';

/** Creates the metrics of semantic search, which docs/metrics.md describes. */
export function createSemanticMetrics(metrics: Metrics) {
  const semanticQueries = metrics.histogram({
    name: 'lectern_embedding_call_duration_seconds',
    help: 'Semantic queries of a known translation, each counted as an embedding call, by outcome (succeeded, no-vectors, failed).',
    labels: ['outcome'],
  });
  const embeddings = metrics.histogram({
    name: 'lectern_embedding_model_duration_seconds',
    help: 'Queries that the model or the endpoint embedded, by outcome (embedded, failed). Cached vectors are not counted.',
    labels: ['outcome'],
  });
  const cacheRequests = metrics.counter({
    name: 'lectern_semantic_cache_requests_total',
    help: 'Semantic queries by whether their ranked verses were cached (hit) or had to be computed (miss).',
    labels: ['result'],
  });
  return {
    semanticQuery: (outcome: SemanticQueryOutcome, seconds: number): void => semanticQueries({ outcome }, seconds),
    embedding: (outcome: 'embedded' | 'failed', seconds: number): void => embeddings({ outcome }, seconds),
    cacheRequest: (result: 'hit' | 'miss'): void => cacheRequests({ result }),
    observeSemanticSearch: (isAvailable: () => boolean): void =>
      metrics.gauge(
        {
          name: 'lectern_semantic_search_unavailable',
          help: '1 while queries cannot be embedded: the model is missing, the endpoint does not respond, or its circuit breaker is open.',
          aggregator: 'max',
        },
        () => [{ labels: {}, value: Number(!isAvailable()) }],
      ),
  };
}

export type SemanticMetrics = ReturnType<typeof createSemanticMetrics>;
