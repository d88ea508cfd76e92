import { redactKeys } from '@lectern/serving';
import { createHttpServerMetrics, type Metrics } from '@lectern/telemetry';
import type { TrustedDocumentsState } from './documents/trusted';
import type { SupergraphState } from './supergraph/live';
import type { SubgraphsHealth, VersionSkew } from './transport/http-subgraphs';

/** Clients choose the names of operations, and each label takes memory. */
const maxOperationNames = 100;
/** The maximum number of translations with a metrics label of their own. */
const maxTranslations = 500;
// No GraphQL name contains a parenthesis, so these labels differ from every operation name.
const anonymous = '(anonymous)';
const other = '(other)';

/** Creates the function that returns the label of an operation name. An anonymous operation has the name null. */
function createOperationNameLabels(): (operationName: string | null) => string {
  const labels = new Map<string, string>();
  return (operationName) => {
    if (operationName === null) return anonymous;
    const known = labels.get(operationName);
    if (known !== undefined) return known;
    if (labels.size >= maxOperationNames) return other;
    // A client may send an API key as an operation name.
    const label = redactKeys(operationName);
    labels.set(operationName, label);
    return label;
  };
}

interface MeasuredRequest {
  /** The operation. Null if the request was rejected or failed. */
  operation: ExecutedOperation | null;
  /** `partial`: data and errors. `rejected`: not executed. `failed`: an internal error. */
  outcome: 'ok' | 'partial' | 'rejected' | 'failed';
  seconds: number;
}

export interface ExecutedOperation {
  /** The operation name in the document. Null for an anonymous operation. */
  readonly name: string | null;
  readonly type: string;
}

interface GatewayState {
  graph: () => GraphState;
  supergraph: () => Pick<SupergraphState, 'sha256' | 'rejected'>;
  /** Returns whether limits are counted in memory because Redis is unavailable. Null if the gateway uses no Redis. */
  isRedisUnavailable: (() => boolean) | null;
  /** Returns the state of the trusted documents. The function is null if the gateway has no trusted documents. */
  trustedDocuments: (() => TrustedDocumentsState) | null;
}

export interface GraphState {
  readonly responseCache: { readonly responses: number; readonly bytes: number };
  readonly replicas: readonly ReplicaState[];
  /** The dataset versions by subgraph, if replicas have different ones. Otherwise null. */
  readonly versionSkew: VersionSkew | null;
  readonly health: SubgraphsHealth;
}

export interface ReplicaState {
  readonly subgraph: string;
  readonly url: string;
  /** Whether the circuit is not closed, so that other replicas receive the requests. */
  readonly isCircuitOpen: boolean;
}

/** Creates the gateway's metrics. Operators depend on their names: docs/metrics.md lists the metrics. */
export function createGatewayMetrics(metrics: Metrics) {
  const labelOf = createOperationNameLabels();
  const operations = metrics.histogram({
    name: 'lectern_operation_duration_seconds',
    help: 'Duration of GraphQL requests with a valid key, by operation and outcome (ok, partial, rejected, failed).',
    labels: ['graphql_operation_name', 'graphql_operation_type', 'outcome'],
  });
  const subgraphSeconds = metrics.histogram({
    name: 'lectern_subgraph_request_duration_seconds',
    help: 'Duration of requests to subgraphs, retries included, by outcome (ok, failed).',
    labels: ['subgraph', 'outcome'],
  });
  const rejections = metrics.counter({
    name: 'lectern_rejections_total',
    help: 'Rejected requests by the code of their first error (docs/errors.md) and the exhausted rate limit, if any.',
    labels: ['code', 'limit'],
  });
  const emails = metrics.counter({
    name: 'lectern_emails_total',
    help: 'Emails with the outcome of a key request (sent, failed).',
    labels: ['outcome'],
  });
  // Creates the counters with 0. Prometheus computes the increase of a counter only from its second value on.
  for (const outcome of ['sent', 'failed']) emails({ outcome }, 0);
  const counter = <Value extends string>(name: string, label: string, help: string): ((value: Value) => void) => {
    const count = metrics.counter({ name, help, labels: [label] });
    return (value) => count({ [label]: value });
  };

  const verses = metrics.counter({
    name: 'lectern_verses_served_total',
    help: 'Verses whose text was sent to keys, by translation, written every 10 seconds as in the key store.',
    labels: ['translation'],
  });
  const translations = new Set<string>();

  return {
    /** Records verses of a translation that were sent. Later translations share a label, because each takes memory. */
    versesServed(translation: string, count: number): void {
      if (translations.size < maxTranslations) translations.add(translation);
      verses({ translation: translations.has(translation) ? translation : other }, count);
    },
    /** Records one HTTP request to /graphql. Null if metrics are turned off. */
    httpRequest: createHttpServerMetrics(metrics),
    /** Records one GraphQL request with a valid key, or one operation that a page executes. */
    request({ operation, outcome, seconds }: MeasuredRequest): void {
      operations(
        {
          graphql_operation_name: operation ? labelOf(operation.name) : '',
          graphql_operation_type: operation?.type ?? '',
          outcome,
        },
        seconds,
      );
    },
    subgraphRequest: (subgraph: string, outcome: 'ok' | 'failed', seconds: number): void =>
      subgraphSeconds({ subgraph, outcome }, seconds),
    /** Records a rejected request. `limit` is the name of the exhausted limit if the code is RATE_LIMITED. */
    rejection: (code: string, limit = ''): void => rejections({ code, limit }),
    /** Records whether an email about a request for an API key was sent. */
    email: (outcome: 'sent' | 'failed'): void => emails({ outcome }),
    supergraphSwap: counter<'served' | 'rejected'>(
      'lectern_supergraph_swaps_total',
      'outcome',
      'New supergraphs by outcome (served, rejected). A supergraph that stays invalid counts once.',
    ),
    execution: counter<'pass-through' | 'query-plan' | 'apollo-gateway' | 'introspection' | 'cached'>(
      'lectern_executions_total',
      'strategy',
      'Operations by execution strategy (pass-through, query-plan, apollo-gateway, introspection), or from the response cache (cached).',
    ),
    document: counter<'hit' | 'miss'>(
      'lectern_documents_total',
      'result',
      'Documents by whether they were in the operation cache (hit) or had to be parsed (miss).',
    ),
    plan: counter<'hit' | 'miss'>(
      'lectern_plans_total',
      'result',
      'Operations by whether their query plan was cached (hit) or had to be made (miss).',
    ),
    cacheLookup: counter<'hit' | 'miss'>(
      'lectern_response_cache_requests_total',
      'result',
      'Queries with the response cache by whether the response was cached in this process (hit) or not (miss).',
    ),
    persistedQuery: counter<'hit' | 'miss' | 'registered'>(
      'lectern_persisted_queries_total',
      'result',
      'Persisted queries: hashes that were found (hit) or not (miss), and queries that were stored (registered).',
    ),
    /** Registers the gauges, which read the state whenever metrics are collected. */
    watch: (state: GatewayState): void => watchState(metrics, state),
  };
}

function watchState(metrics: Metrics, { graph, supergraph, isRedisUnavailable, trustedDocuments }: GatewayState): void {
  // All workers report the same, such as whether Redis is unavailable, unless `aggregator` says that they are summed.
  const gauge = (name: string, help: string, read: () => number | boolean, aggregator: 'sum' | 'max' = 'max'): void =>
    metrics.gauge({ name, help, aggregator }, () => [{ labels: {}, value: Number(read()) }]);
  gauge(
    'lectern_response_cache_bytes',
    'The memory that cached responses take, in bytes.',
    () => graph().responseCache.bytes,
    'sum',
  );
  gauge(
    'lectern_response_cache_entries',
    'The number of cached responses.',
    () => graph().responseCache.responses,
    'sum',
  );
  metrics.gauge(
    {
      name: 'lectern_supergraph_info',
      help: '1 for the digest of the supergraph that is served.',
      labels: ['sha256'],
      aggregator: 'max',
    },
    () => {
      const { sha256 } = supergraph();
      return sha256 === null ? [] : [{ labels: { sha256 }, value: 1 }];
    },
  );
  metrics.gauge(
    {
      name: 'lectern_supergraph_rejected',
      help: '1 while the newest supergraph is rejected, by its digest and the missing subgraph, if any.',
      labels: ['sha256', 'subgraph'],
      aggregator: 'max',
    },
    () => {
      const rejection = supergraph().rejected;
      const sha256 = rejection?.sha256 ?? '';
      const missing = rejection?.missingSubgraphs ?? [];
      const subgraphs = missing.length > 0 ? missing : [''];
      return subgraphs.map((subgraph) => ({ labels: { sha256, subgraph }, value: Number(rejection !== null) }));
    },
  );
  metrics.gauge(
    {
      name: 'lectern_replica_breaker_open',
      help: '1 while the circuit breaker keeps requests from a replica of a subgraph.',
      labels: ['subgraph', 'replica'],
      aggregator: 'max',
    },
    () =>
      graph().replicas.map(({ subgraph, url, isCircuitOpen }) => ({
        labels: { subgraph, replica: url },
        value: Number(isCircuitOpen),
      })),
  );
  if (trustedDocuments) {
    gauge('lectern_trusted_documents', 'The number of trusted documents.', () => trustedDocuments().documents);
    gauge(
      'lectern_trusted_documents_rejected',
      '1 while the newest manifest of trusted documents is rejected and an older one is used.',
      () => trustedDocuments().rejected !== null,
    );
    gauge(
      'lectern_trusted_documents_invalid',
      'The number of trusted documents that the current supergraph rejects.',
      () => trustedDocuments().invalid.length,
    );
  }
  if (isRedisUnavailable)
    gauge(
      'lectern_redis_breaker_open',
      '1 while Redis is unavailable and rate limits are counted in memory.',
      isRedisUnavailable,
    );
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
