import { errors } from '@lectern/errors';
import {
  createWorkScheduler,
  type Logger,
  stringifyInSteps,
  type WorkBudget,
  type WorkScheduler,
} from '@lectern/serving';
import { GraphQLSchema } from 'graphql';
import { createResponseCache, type ResponseCache, type ResponseCacheSettings } from './cache/response-cache';
import { createInFlightLimiter } from './execution/in-flight-limit';
import type { OnEmbeddingCalls } from './execution/measured-fetch';
import { type OpenExecutor, openExecutor } from './execution/open-executor';
import type { ExecutableRequest, ExecutionResult, TraceContext } from './execution/operation';
import { formatResponse, type WriteJson } from './execution/response';
import type { GatewayMetrics, GraphState } from './metrics';
import type { Awaitable } from './shared/awaitable';
import type { createHttpSubgraphs } from './transport/http-subgraphs';
import { transportWithoutReplicas } from './transport/in-process';
import { readFieldCosts, readSizedFields } from './validation/field-costs';
import type { OperationCost, QueryLimits } from './validation/measure';
import type { Rejection } from './validation/rejection';
import { createOperationValidator, type GraphqlParams } from './validation/validator';

export interface GraphOptions {
  supergraphSdl: string;
  subgraphs: Subgraphs;
  limits: QueryLimits;
  /** `standard`: @apollo/gateway executes operations, apart from introspection (docs/architecture.md). */
  executionStrategy: 'auto' | 'standard';
  operationCacheBytes?: number;
  responseCache: ResponseCacheSettings;
  /** How long an operation waits for the other operations of its API key, in milliseconds. */
  maxKeyWaitMs?: number;
  maxParallelNodes?: number;
  /** The subgraphs whose error messages and codes reach clients, or `*` for all. None by default. */
  exposedErrors?: readonly string[];
  scheduler?: WorkScheduler;
  metrics: GatewayMetrics;
  /** Called with the number of embedding calls (of semantic search) that an API key has made. */
  onEmbeddingCalls?: OnEmbeddingCalls;
  log: Logger;
}

/** Without this bound, an operation could wait for the timeouts of all earlier ones of its key, in milliseconds. */
const defaultMaxKeyWaitMs = 5_000;

/** The connections to the subgraphs, which the graph closes. */
export type Subgraphs = ReturnType<typeof createHttpSubgraphs>;

/** Creates the graph of a supergraph. If the supergraph is invalid, closes the subgraphs and rejects. */
export async function createGraph(options: GraphOptions): Promise<Graph> {
  const { subgraphs, scheduler = createWorkScheduler() } = options;
  let executor: OpenExecutor | null = null;
  try {
    executor = await openExecutor({ ...options, scheduler, subgraph: subgraphs.subgraph });
    subgraphs.checkNames();
    return graphOver(executor, { ...options, scheduler });
  } catch (error) {
    await executor?.close();
    await subgraphs.close();
    throw error;
  }
}

function graphOver(executor: OpenExecutor, options: GraphOptions & { scheduler: WorkScheduler }) {
  const { subgraphs, limits, scheduler, metrics, exposedErrors = [], log } = options;
  const { schema, supergraph } = executor;
  const fieldCosts = readFieldCosts(supergraph);
  const cache = createResponseCache({
    ...options.responseCache,
    datasetGeneration: subgraphs.datasetGeneration,
    metrics,
  });
  const { prepare, checkOperation, isCached } = createOperationValidator({
    schema,
    declaredCosts: { fieldCosts, sizedFields: readSizedFields(supergraph, fieldCosts) },
    limits,
    onLookup: metrics.document,
    maxCacheBytes: options.operationCacheBytes,
  });
  const inFlight = createInFlightLimiter({
    maxCost: limits.complexity,
    maxWaitMs: options.maxKeyWaitMs ?? defaultMaxKeyWaitMs,
  });
  return {
    createBudget: scheduler.createBudget,
    /** The schema that clients see. */
    schema,
    fieldCosts,
    subgraphs: executor.subgraphs,
    prepare: (params: GraphqlParams, work: WorkBudget) =>
      work.prepareDocument(
        params.query,
        () => isCached(params),
        () => prepare(params),
      ),
    /**
     * Resolves with null, or with the `Rejection` that each request with this document gets. Rejects if planning takes
     * too long.
     */
    async checkDocument(query: string): Promise<Rejection | null> {
      const checked = checkOperation({ query, variables: null, operationName: null });
      if (checked.kind === 'rejected') return checked;
      await executor.plan(checked.operation);
      return null;
    },
    cache,
    /** See `GraphStages.limitInFlight`: waits at most 5 seconds for the other operations of the key. */
    limitInFlight: <Result>(work: WorkBudget, { complexity }: OperationCost, run: () => Awaitable<Result>) =>
      inFlight.run(work, complexity, run),
    execute: executor.execute,
    format(result: ExecutionResult, { operation }: ExecutableRequest, { requestId, work }: TraceContext) {
      const writeJson: WriteJson = (value, isLarge) =>
        isLarge
          ? (work ?? scheduler.createBudget()).withoutLimit().runInSteps(stringifyInSteps(value))
          : JSON.stringify(value);
      return formatResponse(result, operation, requestId, { log, writeJson, exposedErrors });
    },
    state: () => stateOf(subgraphs, cache),
    /** Resolves when each subgraph has responded to a first probe or failed. */
    probed: subgraphs.probed,
    /** Resolves with whether a replica of the subgraph responded to its first probe. */
    isSubgraphAvailable: subgraphs.isAvailable,
    async close(): Promise<void> {
      await executor.close();
      await subgraphs.close();
    },
  };
}

/** The stages of a request that use one supergraph: prepare, look up in the cache, execute, format. */
export type Graph = ReturnType<typeof graphOver>;

const stateOf = (subgraphs: Omit<Subgraphs, 'subgraph'>, cache: Pick<ResponseCache, 'size'>): GraphState => ({
  responseCache: cache.size(),
  replicas: subgraphs.replicas(),
  versionSkew: subgraphs.versionSkew(),
  health: subgraphs.health(),
});

const rejectRequest = (): never => {
  throw errors.supergraphUnavailable();
};

const emptyCache: ResponseCache = {
  keyFor: rejectRequest,
  get: rejectRequest,
  set: rejectRequest,
  setCompressed: rejectRequest,
  size: () => ({ responses: 0, bytes: 0 }),
};

/** The graph of a gateway that has no supergraph yet. It rejects every request. */
export const graphWithoutSupergraph: Graph = {
  createBudget: createWorkScheduler().createBudget,
  schema: new GraphQLSchema({}),
  fieldCosts: new Map(),
  subgraphs: new Map(),
  prepare: rejectRequest,
  // The document is checked when the first supergraph is served.
  checkDocument: async () => null,
  cache: emptyCache,
  limitInFlight: rejectRequest,
  execute: rejectRequest,
  format: rejectRequest,
  state: () => stateOf(transportWithoutReplicas, emptyCache),
  probed: transportWithoutReplicas.probed,
  isSubgraphAvailable: transportWithoutReplicas.isAvailable,
  close: transportWithoutReplicas.close,
};
