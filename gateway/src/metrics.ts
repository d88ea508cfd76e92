import { redactKeys } from '@lectern/serving';
import type { Metrics } from '@lectern/telemetry';
import { createHttpServerMetrics } from '@lectern/telemetry';
import type { TrustedDocumentsState } from './documents/trusted';
import type { ComparedSchema } from './supergraph/schemas';
import type { VersionSkew } from './transport/datasets';
import type { SubgraphsHealth } from './transport/subgraphs';

/**
 * The maximum number of operation names that get their own label in the metrics. Clients choose the
 * operation names, so the metrics of all names could take any amount of memory.
 */
const maxOperationNames = 100;
// No GraphQL name contains a parenthesis, so these labels differ from every operation name.
const anonymous = '(anonymous)';
const other = '(other)';

/**
 * Creates the function that returns the label of an operation name. The first 100 names get their
 * own label, and all further names share the label `(other)`. The name of an anonymous operation is
 * null.
 */
function createOperationNameLabels(): (operationName: string | null) => string {
  const labels = new Map<string, string>();
  return (operationName) => {
    if (operationName === null) return anonymous;
    const known = labels.get(operationName);
    if (known !== undefined) return known;
    if (labels.size >= maxOperationNames) return other;
    // A client may send an API key as an operation name, because the key is a valid name in
    // GraphQL.
    const label = redactKeys(operationName);
    labels.set(operationName, label);
    return label;
  };
}

interface MeasuredRequest {
  /** The operation. Null if the request was rejected or failed. */
  operation: ExecutedOperation | null;
  /**
   * The outcome of a request. `ok`: data without errors. `partial`: data and errors. `rejected`:
   * the operation was not executed. `failed`: an internal error.
   */
  outcome: 'ok' | 'partial' | 'rejected' | 'failed';
  seconds: number;
}

/**
 * The name of an operation as the document writes it, null for an anonymous operation, and the type
 * of the operation: query, mutation or subscription.
 */
export interface ExecutedOperation {
  readonly name: string | null;
  readonly type: string;
}

/** The state of the gateway that its gauges show. */
export interface GatewayState {
  graph: () => GraphState;
  /** Returns the subgraphs whose schemas have been compared with the supergraph. */
  comparedSchemas: () => readonly ComparedSchema[];
  /** Returns whether the newest supergraph was rejected. */
  isSupergraphRejected: () => boolean;
  /**
   * Returns whether Redis is unavailable, so that rate limits are counted in memory. Null if the
   * gateway uses no Redis.
   */
  isRedisUnavailable: (() => boolean) | null;
  /**
   * Returns the state of the trusted documents, which are queries that the operator has published.
   * Null if the gateway has none.
   */
  trustedDocuments: (() => TrustedDocumentsState) | null;
}

/** The state of the graph that is served. */
export interface GraphState {
  readonly responseCache: { readonly responses: number; readonly bytes: number };
  readonly replicas: readonly ReplicaState[];
  /** The dataset versions (digests of the Bible texts) by subgraph if they differ, else null. */
  readonly versionSkew: VersionSkew | null;
  readonly health: SubgraphsHealth;
}

/** The state of one replica, which is one URL of a subgraph. */
export interface ReplicaState {
  readonly subgraph: string;
  readonly url: string;
  /**
   * Whether the replica's circuit is not closed: the gateway sends requests to other replicas, if
   * there are any with a closed circuit.
   */
  readonly isCircuitOpen: boolean;
}

/**
 * The metrics of the gateway. Their names are a contract with operators: docs/observability.md
 * lists them.
 */
export function createGatewayMetrics(metrics: Metrics) {
  const labelOf = createOperationNameLabels();
  const operations = metrics.histogram({
    name: 'lectern_operation_duration_seconds',
    help: 'Duration of GraphQL requests with a valid key, by operation and outcome (ok, partial, rejected, failed).',
    labels: ['graphql_operation_name', 'graphql_operation_type', 'outcome'],
  });
  const rejections = metrics.counter({
    name: 'lectern_rejections_total',
    help: 'Rejected requests by the code of their first error (docs/errors.md).',
    labels: ['code'],
  });
  const subgraphSeconds = metrics.histogram({
    name: 'lectern_subgraph_request_duration_seconds',
    help: 'Duration of requests to subgraphs, retries included, by outcome (ok, failed).',
    labels: ['subgraph', 'outcome'],
  });
  const swaps = metrics.counter({
    name: 'lectern_supergraph_swaps_total',
    help: 'New supergraphs by outcome (served, rejected). A supergraph that stays invalid counts once.',
    labels: ['outcome'],
  });
  const executions = metrics.counter({
    name: 'lectern_executions_total',
    help: 'Operations by execution strategy (pass-through, query-plan, apollo-gateway, introspection), or from the response cache (cached).',
    labels: ['strategy'],
  });
  const documents = metrics.counter({
    name: 'lectern_documents_total',
    help: 'Documents by whether they were in the operation cache (hit) or had to be parsed (miss).',
    labels: ['result'],
  });
  const plans = metrics.counter({
    name: 'lectern_plans_total',
    help: 'Operations that @apollo/gateway executed, by whether their query plan was cached (hit) or had to be made (miss).',
    labels: ['result'],
  });
  const cacheLookups = metrics.counter({
    name: 'lectern_response_cache_requests_total',
    help: 'Cacheable operations by whether the response was cached in this process (hit) or not (miss).',
    labels: ['result'],
  });
  const persistedQueries = metrics.counter({
    name: 'lectern_persisted_queries_total',
    help: 'Persisted queries: hashes that were found (hit) or not (miss), and queries that were stored (registered).',
    labels: ['result'],
  });

  return {
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
    rejection: (code: string): void => rejections({ code }),
    subgraphRequest: (subgraph: string, outcome: 'ok' | 'failed', duration: number): void =>
      subgraphSeconds({ subgraph, outcome }, duration),
    supergraphSwap: (outcome: 'served' | 'rejected'): void => swaps({ outcome }),
    execution: (strategy: 'pass-through' | 'query-plan' | 'apollo-gateway' | 'introspection' | 'cached'): void =>
      executions({ strategy }),
    document: (result: 'hit' | 'miss'): void => documents({ result }),
    plan: (result: 'hit' | 'miss'): void => plans({ result }),
    cacheLookup: (result: 'hit' | 'miss'): void => cacheLookups({ result }),
    persistedQuery: (result: 'hit' | 'miss' | 'registered'): void => persistedQueries({ result }),

    /** Registers the gauges, which read the state whenever metrics are collected. */
    watch: (state: GatewayState): void => watchState(metrics, state),
  };
}

function watchState(
  metrics: Metrics,
  { graph, comparedSchemas, isSupergraphRejected, isRedisUnavailable, trustedDocuments }: GatewayState,
): void {
  const single = (read: () => number) => () => [{ labels: {}, value: read() }];
  metrics.gauge(
    { name: 'lectern_response_cache_bytes', help: 'The memory that cached responses take, in bytes.' },
    single(() => graph().responseCache.bytes),
  );
  metrics.gauge(
    { name: 'lectern_response_cache_entries', help: 'The number of cached responses.' },
    single(() => graph().responseCache.responses),
  );
  metrics.gauge(
    {
      name: 'lectern_supergraph_rejected',
      help: '1 while the newest supergraph is rejected, and an older supergraph or none is served.',
    },
    single(() => Number(isSupergraphRejected())),
  );
  metrics.gauge(
    {
      name: 'lectern_subgraph_schema_differs',
      help: '1 while a subgraph serves another schema than the supergraph was composed from.',
      labels: ['subgraph'],
    },
    () => comparedSchemas().map(({ subgraph, differs }) => ({ labels: { subgraph }, value: Number(differs) })),
  );
  metrics.gauge(
    {
      name: 'lectern_replica_breaker_open',
      help: '1 while the circuit breaker keeps requests from a replica of a subgraph.',
      labels: ['subgraph', 'replica'],
    },
    () =>
      graph().replicas.map(({ subgraph, url, isCircuitOpen }) => ({
        labels: { subgraph, replica: url },
        value: Number(isCircuitOpen),
      })),
  );
  if (trustedDocuments) watchTrustedDocuments(metrics, trustedDocuments);
  if (isRedisUnavailable)
    metrics.gauge(
      {
        name: 'lectern_redis_breaker_open',
        help: '1 while Redis is unavailable and rate limits are counted in memory.',
      },
      single(() => Number(isRedisUnavailable())),
    );
}

function watchTrustedDocuments(metrics: Metrics, state: () => TrustedDocumentsState): void {
  const single = (read: (state: TrustedDocumentsState) => number) => () => [{ labels: {}, value: read(state()) }];
  metrics.gauge(
    { name: 'lectern_trusted_documents', help: 'The number of trusted documents.' },
    single(({ documents }) => documents),
  );
  metrics.gauge(
    {
      name: 'lectern_trusted_documents_rejected',
      help: '1 while the newest manifest of trusted documents is rejected and an older one is used.',
    },
    single(({ rejected }) => Number(rejected !== null)),
  );
  metrics.gauge(
    {
      name: 'lectern_trusted_documents_invalid',
      help: 'The number of trusted documents that the current supergraph rejects.',
    },
    single(({ invalid }) => invalid.length),
  );
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
