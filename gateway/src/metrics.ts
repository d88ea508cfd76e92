import { redactKeys } from '@lectern/serving';
import type { Metrics } from '@lectern/telemetry';
import type { GraphState } from './graph-state';

export interface ObservedRequest {
  /** As the document calls it; null for none, and where nothing was run. */
  operationName: string | null;
  /** ok: data alone; partial: data and errors; refused: nothing was run; failed: a fault of ours. */
  outcome: 'ok' | 'partial' | 'refused' | 'failed';
  seconds: number;
}

export interface GatewayState {
  graph: () => GraphState;
  /** Whether the newest supergraph is refused. */
  isSupergraphRejected: () => boolean;
  /** Whether limits are counted in memory because Redis does not answer; null without Redis. */
  isRedisUnavailable: (() => boolean) | null;
}

/** Clients name their operations as they like: these many names are told apart, and those that come later are one. */
const mostOperationNames = 100;
const mostLabelCharacters = 100;

/** What the gateway counts. The names are part of the interface of its operators: docs/operating.md lists them. */
export function createGatewayMetrics(metrics: Metrics) {
  const labels = new Map<string, string>();
  const labelOf = (name: string | null): string => {
    if (name === null) return '';
    const known = labels.get(name);
    if (known !== undefined) return known;
    if (labels.size >= mostOperationNames) return 'other';
    // A key is a good name in GraphQL.
    const label = redactKeys(name).slice(0, mostLabelCharacters);
    labels.set(name, label);
    return label;
  };
  const requests = metrics.counter({
    name: 'lectern_requests_total',
    help: 'Requests to /graphql that had a good key, by operation name and outcome (ok, partial, refused, failed).',
    labels: ['operation', 'outcome'],
  });
  const seconds = metrics.histogram({
    name: 'lectern_request_seconds',
    help: 'From the headers of a request to the end of its answer, in seconds.',
    labels: ['outcome'],
  });
  const refusals = metrics.counter({
    name: 'lectern_rejections_total',
    help: 'Errors at the door, by their code: what docs/errors.md lists.',
    labels: ['code'],
  });
  const subgraphSeconds = metrics.histogram({
    name: 'lectern_subgraph_seconds',
    help: 'Calls of subgraphs by outcome (answered, failed), in seconds.',
    labels: ['subgraph', 'outcome'],
  });
  const swaps = metrics.counter({
    name: 'lectern_supergraph_swaps_total',
    help: 'New supergraphs, by whether they are served now (taken) or not (refused); one that stays broken is one.',
    labels: ['outcome'],
  });
  const routes = metrics.counter({
    name: 'lectern_executions_total',
    help: 'Operations by way: direct to one subgraph, planned over several, by the engine (the first time, and where something is wrong), or from the answers that are kept.',
    labels: ['way'],
  });
  const documents = metrics.counter({
    name: 'lectern_documents_total',
    help: 'Documents by whether they were judged before (hit) or had to be parsed (miss).',
    labels: ['result'],
  });
  const plans = metrics.counter({
    name: 'lectern_plans_total',
    help: 'Operations that the planner was asked about, by whether their plan was at hand (hit) or had to be made (miss).',
    labels: ['result'],
  });
  const keptAnswers = metrics.counter({
    name: 'lectern_response_cache_requests_total',
    help: 'Operations whose answer may be kept, by whether it was in this process (hit) or not (miss).',
    labels: ['result'],
  });
  const sharedAnswers = metrics.counter({
    name: 'lectern_response_cache_shared_requests_total',
    help: 'Answers that were not in this process, by whether Redis had them (hit) or not (miss), could not say (failed), or was not asked (skipped).',
    labels: ['result'],
  });

  return {
    request({ operationName, outcome, seconds: took }: ObservedRequest): void {
      requests({ operation: labelOf(operationName), outcome });
      seconds({ outcome }, took);
    },
    refusal: (code: string): void => refusals({ code }),
    subgraphCall: (subgraph: string, outcome: 'answered' | 'failed', took: number): void =>
      subgraphSeconds({ subgraph, outcome }, took),
    swap: (outcome: 'taken' | 'refused'): void => swaps({ outcome }),
    route: (way: 'direct' | 'planned' | 'engine' | 'kept'): void => routes({ way }),
    document: (result: 'hit' | 'miss'): void => documents({ result }),
    plan: (result: 'hit' | 'miss'): void => plans({ result }),
    keptAnswer: (result: 'hit' | 'miss'): void => keptAnswers({ result }),
    sharedAnswer: (result: 'hit' | 'miss' | 'failed' | 'skipped'): void => sharedAnswers({ result }),

    /** What is read when somebody looks, as soon as there is something to read. */
    watch({ graph, isSupergraphRejected, isRedisUnavailable }: GatewayState): void {
      const one = (read: () => number) => () => [{ labels: {}, value: read() }];
      metrics.gauge(
        { name: 'lectern_response_cache_bytes', help: 'The memory that kept answers take, in bytes.' },
        one(() => graph().kept.bytes),
      );
      metrics.gauge(
        { name: 'lectern_response_cache_entries', help: 'The answers that are kept.' },
        one(() => graph().kept.answers),
      );
      metrics.gauge(
        {
          name: 'lectern_supergraph_rejected',
          help: '1 while the newest supergraph is refused and an older one served.',
        },
        one(() => Number(isSupergraphRejected())),
      );
      metrics.gauge(
        {
          name: 'lectern_replica_breaker_open',
          help: '1 while a replica of a subgraph is left out because it failed too often.',
          labels: ['subgraph', 'replica'],
        },
        () =>
          graph().replicas.map(({ subgraph, url, isCircuitOpen }) => ({
            labels: { subgraph, replica: url },
            value: Number(isCircuitOpen),
          })),
      );
      if (isRedisUnavailable)
        metrics.gauge(
          {
            name: 'lectern_redis_breaker_open',
            help: '1 while Redis is left alone because it did not answer, and limits are counted in memory.',
          },
          one(() => Number(isRedisUnavailable())),
        );
    },
  };
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
