import { setImmediate as nextTurn } from 'node:timers/promises';
import { Supergraph } from '@apollo/federation-internals';
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway';
import { errors } from '@lectern/errors';
import { errorBody, type Logger, type WorkScheduler } from '@lectern/serving';
import { noSpan } from '@lectern/telemetry';
import { parse } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import type { SubgraphFetch } from '../transport/replica-fetch';
import { createAliasRewriting } from './alias-rewriting';
import type { TraceContext } from './chosen-operation';
import type { OnEmbeddingCalls, PrefetchedResponse } from './measured-fetch';
import { fetchOrNull, measuredFetch, takePrefetched, unavailableResponse } from './measured-fetch';
import type { QueryPlan } from './plan/fetch';
import { createPlannerThread, type PlannerThreadOptions, plannerConfig } from './plan/planner-thread';
import { sortFields } from './plan/projection';
import type { RawResponse } from './response';
import { chooseExecutionStrategy, type ExecutableOperation, type ExecutableRequest } from './strategy';

interface ApolloGatewayOptions {
  supergraphSdl: string;
  /** Returns the fetch function of the subgraph that the supergraph locates at this URL. */
  subgraph: (name: string, url: string) => SubgraphFetch;
  /** Whether an operation, once planned, may be executed by a strategy other than @apollo/gateway. */
  choosesStrategies: boolean;
  scheduler: WorkScheduler;
  planning?: PlanningBounds;
  metrics: GatewayMetrics;
  onEmbeddingCalls?: OnEmbeddingCalls;
  log: Logger;
}

export type PlanningBounds = Omit<PlannerThreadOptions, 'supergraphSdl'>;

export type ApolloGatewayExecutor = Awaited<ReturnType<typeof openApolloGateway>>;

/** The context that the caller passes to @apollo/gateway, which passes it on to its data sources. */
interface DataSourceContext extends TraceContext {
  readonly operation: ExecutableOperation;
  readonly prefetched: PrefetchedResponse[];
  /**
   * `plan` fetches nothing. `plan-or-execute` executes only if planning finds no cheaper strategy. `execute` always
   * executes.
   */
  readonly mode: 'plan' | 'plan-or-execute' | 'execute';
}

const hasCheaperStrategy = ({ strategy }: ExecutableOperation): boolean =>
  strategy !== null && strategy.kind !== 'apollo-gateway';

/**
 * The maximum `planningSize` of an operation that is planned in this thread: 100 fields, or fewer with conditions
 * (@skip or @include). Measured: planning such an operation takes up to 35 ms in a new process, and 15 ms after the
 * planner has planned many operations.
 */
const maxPlanningSize = 100;

/** An estimate of the memory of a plan, in bytes for each character of its JSON. Measured: 10 to 16. */
const bytesPerPlanCharacter = 16;

/** The constructor of @apollo/gateway requires this cache, but @apollo/gateway does not use it. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

/**
 * Opens @apollo/gateway over one supergraph. It plans operations, and executes the operations that
 * have no other strategy. Only this file imports @apollo/gateway. Rejects with the reason if the
 * supergraph is invalid.
 */
export async function openApolloGateway(options: ApolloGatewayOptions) {
  const { supergraphSdl, subgraph, choosesStrategies, scheduler, planning, metrics, onEmbeddingCalls, log } = options;
  const fetches = new Map<string, SubgraphFetch>();
  const urls = new Map<string, string>();

  /**
   * Stores a plan in its operation, adds the plan's bytes to the operation cache, and chooses the execution strategy.
   */
  const storePlan = (operation: ExecutableOperation, plan: QueryPlan): void => {
    operation.plan = plan;
    operation.grow(JSON.stringify(plan).length * bytesPerPlanCharacter);
    if (choosesStrategies && operation.rewritten)
      operation.strategy ??= chooseExecutionStrategy(schema, operation, operation.rewritten, plan);
  };
  const plans = createPlanCache(scheduler, metrics, storePlan);
  // @apollo/gateway logs lines as `info` at its start that operators do not need, so these are logged as `debug`.
  const quietLog = {
    debug: log.debug.bind(log),
    info: log.debug.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
  };
  // Without this variable, the constructor of @apollo/gateway reports usage to Apollo and sends network requests to
  // detect the cloud provider.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  // Building, loading and parsing a supergraph each block the event loop. When a supergraph is
  // replaced, other requests are served between these steps.
  Supergraph.build(supergraphSdl, { validateSupergraph: true });
  await nextTurn();
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: false,
    buildService({ name, url = '' }) {
      const fetch = measuredFetch(name, subgraph(name, url), { metrics, onEmbeddingCalls, log });
      fetches.set(name, fetch);
      urls.set(name, url);
      return createDataSource(name, fetch);
    },
    queryPlannerConfig: { ...plannerConfig, cache: plans },
    // If true, a client could request the query plan with a header.
    __exposeQueryPlanExperimental: false,
    logger: quietLog,
  });
  const { schema, executor } = await gateway.load();
  await nextTurn();
  const supergraph = parse(supergraphSdl, { noLocation: true });
  const rewriteAliases = createAliasRewriting(schema, supergraph);
  const planner = createPlannerThread({ supergraphSdl, ...planning });

  /**
   * Plans a large operation in the planner thread. Resolves with an error response if planning takes too long, else
   * with null.
   */
  const planIfLarge = async (operation: ExecutableOperation, keyId = ''): Promise<RawResponse | null> => {
    if (operation.plan || operation.planningSize <= maxPlanningSize) return null;
    metrics.plan('miss');
    operation.rewritten ??= rewriteAliases(operation);
    const result = await planner.plan(keyId, operation.hash, operation.rewritten.document);
    if (result.kind === 'too-expensive') return { data: null, ...errorBody(errors.requestTooExpensive(result.maxMs)) };
    await scheduler.nextTurn();
    if (!operation.plan) storePlan(operation, result.plan);
    await scheduler.nextTurn();
    return null;
  };

  const run = async (
    { operation, variables }: ExecutableRequest,
    context: Omit<DataSourceContext, 'operation'>,
  ): Promise<RawResponse> => {
    operation.rewritten ??= rewriteAliases(operation);
    const { document, definition, renameVariables, restoreNames } = operation.rewritten;
    return restoreNames(
      await plans.using(operation, () =>
        executor({
          // @apollo/gateway caches plans by query hash and operation name. Without an operation name, the key is the
          // query hash alone.
          request: { variables: renameVariables(variables) ?? undefined },
          queryHash: operation.hash,
          document,
          operation: definition,
          operationName: definition.name?.value ?? null,
          context: { ...context, operation } satisfies DataSourceContext,
          schema,
          source: '',
          logger: quietLog,
          metrics: {},
          cache: noCache,
          schemaHash: '' as never,
          overallCachePolicy: undefined,
        }),
      ),
    );
  };
  const withSortedFields = ({ operation, coercedVariables }: ExecutableRequest, response: RawResponse): RawResponse =>
    response.data ? { ...response, data: sortFields(schema, operation, coercedVariables, response.data) } : response;

  return {
    /** The schema that clients see. It lacks the directives of the supergraph. */
    schema,
    supergraph,
    subgraphs: urls as ReadonlyMap<string, string>,
    fetchOf(name: string): SubgraphFetch {
      const fetch = fetches.get(name);
      if (!fetch) throw new Error(`the supergraph has no subgraph ${name}`);
      return fetch;
    },
    /**
     * Plans an operation that has no strategy yet. Resolves with null if planning chose a strategy other than
     * @apollo/gateway. Otherwise resolves with the response, which is an error if planning takes too long.
     */
    async planOrExecute(request: ExecutableRequest, context: TraceContext): Promise<RawResponse | null> {
      const failed = await planIfLarge(request.operation, context.keyId);
      if (failed) return failed;
      if (hasCheaperStrategy(request.operation)) return null;
      const response = await run(request, { ...context, prefetched: [], mode: 'plan-or-execute' });
      return hasCheaperStrategy(request.operation) ? null : withSortedFields(request, response);
    },
    /** Plans an operation without executing it. Rejects if this is impossible or takes too long. */
    async plan(operation: ExecutableOperation): Promise<void> {
      if (await planIfLarge(operation)) throw new Error('planning takes too long');
      if (operation.strategy) return;
      const request = { operation, variables: null, coercedVariables: {} };
      await run(request, { requestId: 'plan', span: noSpan, prefetched: [], mode: 'plan' });
    },
    /**
     * Executes an operation. Takes responses that another strategy has already fetched from `prefetched`, and removes
     * each one that it uses.
     */
    async execute(request: ExecutableRequest, context: TraceContext, prefetched: PrefetchedResponse[]) {
      return withSortedFields(request, await run(request, { ...context, prefetched, mode: 'execute' }));
    },
    async close(): Promise<void> {
      await planner.close();
      await gateway.stop();
    },
  };
}

/**
 * Creates the object through which @apollo/gateway sends requests to a subgraph. Its `process` never rejects: if the
 * subgraph is unavailable, each requested field has an error.
 */
function createDataSource(name: string, fetch: SubgraphFetch): GraphQLDataSource {
  return {
    async process({ request: { query = '', variables, operationName }, context }) {
      const { operation, mode, prefetched, requestId, keyId, span, onHint, work } = context as DataSourceContext;
      if (mode === 'plan' || (mode === 'plan-or-execute' && hasCheaperStrategy(operation))) return { data: null };
      const request = { query, variables, operationName };
      const found = takePrefetched(prefetched, name, request);
      const fetched = found
        ? found.response
        : await fetchOrNull(fetch, request, { requestId, keyId, span, onHint, work });
      return (fetched ?? unavailableResponse(request)) as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}

/**
 * Creates the cache of plans that @apollo/gateway reads and writes by the hashes of operations.
 * Each plan is stored in its operation, which is in the operation cache. Planning blocks the event
 * loop for up to 35 ms, so other requests are served before and after an operation is planned.
 */
function createPlanCache(
  { nextTurn }: WorkScheduler,
  metrics: GatewayMetrics,
  storePlan: (operation: ExecutableOperation, plan: QueryPlan) => void,
) {
  /** The operations that are executing, by their hashes. */
  const executing = new Map<string, ExecutableOperation>();

  return {
    /** Lets @apollo/gateway read and write the operation's plan (with `get` and `set`) until the execution ends. */
    async using<Result>(operation: ExecutableOperation, execute: () => Promise<Result>): Promise<Result> {
      executing.set(operation.hash, operation);
      try {
        return await execute();
      } finally {
        executing.delete(operation.hash);
      }
    },
    async get<Plan extends QueryPlan>(hash: string): Promise<Plan | undefined> {
      if (!executing.get(hash)?.plan) await nextTurn();
      // During the wait, another request may have planned the same operation.
      const plan = executing.get(hash)?.plan ?? undefined;
      metrics.plan(plan ? 'hit' : 'miss');
      return plan as Plan | undefined;
    },
    async set(hash: string, plan: QueryPlan): Promise<void> {
      const operation = executing.get(hash);
      if (!operation || operation.plan) return;
      storePlan(operation, plan);
      await nextTurn();
    },
    delete: async (): Promise<boolean> => false,
    clear: (): void => {},
  };
}
