import type { Metrics } from '@lectern/telemetry';

/** failed: its vector could not be had; no-vectors: the edition has nothing to compare with, and nothing was embedded. */
export type SemanticQueryOutcome = 'answered' | 'no-vectors' | 'failed';

/** What search by meaning counts. The names are part of the interface of its operators: docs/operating.md lists them. */
export function createSearchMetrics(metrics: Metrics) {
  const questions = metrics.histogram({
    name: 'lectern_embedding_calls_seconds',
    help: 'Semantic questions of a known edition, each an embedding call, by outcome (answered, no-vectors, failed), in seconds.',
    labels: ['outcome'],
  });
  const embeddings = metrics.histogram({
    name: 'lectern_embedding_model_seconds',
    help: 'Questions that the model or the endpoint was asked to embed, by outcome (embedded, failed), in seconds; the others came from memory.',
    labels: ['outcome'],
  });
  const remembered = metrics.counter({
    name: 'lectern_question_answers_total',
    help: 'Semantic questions by whether their verses were at hand (hit) or had to be compared (miss).',
    labels: ['result'],
  });
  return {
    question: (outcome: SemanticQueryOutcome, seconds: number): void => questions({ outcome }, seconds),
    embedding: (outcome: 'embedded' | 'failed', seconds: number): void => embeddings({ outcome }, seconds),
    remembered: (result: 'hit' | 'miss'): void => remembered({ result }),
    watchEmbedder(isLeftAlone: () => boolean): void {
      metrics.gauge(
        {
          name: 'lectern_embeddings_breaker_open',
          help: '1 while the embedding endpoint is left alone because it failed too often.',
        },
        () => [{ labels: {}, value: Number(isLeftAlone()) }],
      );
    },
  };
}

export type SearchMetrics = ReturnType<typeof createSearchMetrics>;
