import { isPublicError } from '@lectern/errors';
import { errorMessage, type Logger, type WorkScheduler } from '@lectern/serving';
import { parse } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import { settleMaybe } from '../shared/awaitable';
import { checkFeatures, readSubgraphUrls } from '../supergraph/directives';
import type { SubgraphFetch } from '../transport/replica-fetch';
import type { openApolloGateway } from './apollo-gateway';
import { createExecuteOperation } from './execute';
import { createExecutor } from './executor';
import { measuredFetch, type OnEmbeddingCalls } from './measured-fetch';
import { createPlanOperation, type PlanOperation } from './plan-operation';
import { loadPlannerAddon, openPlanner } from './planner';

interface OpenOptions {
  readonly supergraphSdl: string;
  /** Returns the fetch function of the subgraph that the supergraph locates at this URL. */
  readonly subgraph: (name: string, url: string) => SubgraphFetch;
  readonly executionStrategy: 'auto' | 'standard';
  /** The maximum number of plan nodes of one operation that run at the same time: 16 by default. */
  readonly maxParallelNodes?: number;
  readonly scheduler: WorkScheduler;
  readonly metrics: GatewayMetrics;
  readonly onEmbeddingCalls?: OnEmbeddingCalls;
  readonly log: Logger;
}

/**
 * Opens the query-plan executor over one supergraph, or @apollo/gateway with EXECUTION_STRATEGY=standard and without
 * the planner's native code. Rejects if the supergraph is invalid.
 */
export async function openExecutor(options: OpenOptions) {
  const { supergraphSdl, executionStrategy, maxParallelNodes = 16, scheduler, metrics, log } = options;
  const supergraph = parse(supergraphSdl, { noLocation: true });
  checkFeatures(supergraph);
  const subgraphs = readSubgraphUrls(supergraph);
  const fetches = new Map<string, SubgraphFetch>();
  for (const [name, url] of subgraphs) fetches.set(name, measuredFetch(name, options.subgraph(name, url), options));
  const fetchOf = (name: string): SubgraphFetch => {
    const fetch = fetches.get(name);
    if (!fetch) throw new Error(`the supergraph has no subgraph ${name}`);
    return fetch;
  };
  let apollo: ReturnType<typeof openApolloGateway> | null = null;
  // Loading @apollo/gateway takes time and memory, so it is loaded only where it is used.
  const openApollo = () => {
    const loaded = require('./apollo-gateway') as { openApolloGateway: typeof openApolloGateway };
    return (apollo ??= loaded.openApolloGateway(supergraphSdl, { supergraph, fetchOf, log }));
  };
  const openPlanning = async () => {
    const addon = executionStrategy === 'auto' ? loadPlannerAddon() : null;
    if (addon) {
      const planner = await openPlanner(addon, supergraphSdl, supergraph);
      const planOperation = createPlanOperation(planner, supergraph, maxParallelNodes);
      return {
        schema: planner.schema,
        planOperation: withFallback(planOperation, openApollo, log),
        async close() {
          planner.close();
          await apollo?.then(({ close }) => close());
        },
      };
    }
    if (executionStrategy === 'auto')
      log.warn('the query planner has no binary for this platform, so @apollo/gateway executes every operation');
    return openApollo();
  };
  const { schema, planOperation, close } = await openPlanning();
  const compile = createExecutor({ schema, planOperation, supergraph, fetchOf, scheduler, metrics });
  return {
    ...createExecuteOperation({ schema, compile, metrics, scheduler }),
    /** The schema that clients see. It lacks the directives of the supergraph. */
    schema,
    supergraph,
    subgraphs,
    close,
  };
}

/** Lets @apollo/gateway plan the few operations without a plan, such as a list of entities under two aliases. */
const withFallback =
  (planOperation: PlanOperation, openApollo: () => ReturnType<typeof openApolloGateway>, log: Logger): PlanOperation =>
  (operation, normalized) =>
    settleMaybe(
      () => planOperation(operation, normalized),
      (plan) => plan,
      async (error) => {
        const reason = errorMessage(error);
        // The supergraph has no way to a field, so @apollo/gateway has no right answer either.
        if (isPublicError(error) || reason.includes('No paths found')) throw error;
        log.warn({ reason }, 'an operation is planned by @apollo/gateway');
        return (await openApollo()).planOperation(operation, normalized);
      },
    );

export type OpenExecutor = Awaited<ReturnType<typeof openExecutor>>;
