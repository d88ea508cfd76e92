import type { WorkScheduler } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { GatewayMetrics } from '../metrics';
import { type Awaitable, settleMaybe } from '../shared/awaitable';
import type { ApolloGatewayExecutor } from './apollo-gateway';
import type { TraceContext } from './chosen-operation';
import { executeIntrospection, separateIntrospection } from './introspection';
import { fetchOrNull, type PrefetchedResponse, unavailableResponse } from './measured-fetch';
import type { ExecuteQueryPlan } from './plan/compile';
import type { ExecutionResult } from './response';
import type { ExecutableOperation, ExecutableRequest, IntrospectionStrategy, PassThrough } from './strategy';
import { passThroughRequest } from './strategy';

export interface ExecutionContext extends TraceContext {
  /** Whether the result must have parsed `data` instead of `rawBody`, because the caller adds introspection fields. */
  readonly needsFields?: boolean;
}

/**
 * Chooses the strategy of an operation before its first request. An operation with introspection fields has its
 * strategy without a plan.
 */
export async function planOperation({ plan }: ApolloGatewayExecutor, operation: ExecutableOperation): Promise<void> {
  operation.strategy ??= separateIntrospection(operation);
  if (!operation.strategy) await plan(operation);
}

/**
 * Creates the function that executes an operation with its strategy. @apollo/gateway executes the operation, with the
 * responses fetched so far, in two cases: a subgraph sends no data for a whole operation, or a response does not fit
 * the schema.
 */
export function createExecuteOperation(
  apolloGateway: ApolloGatewayExecutor,
  metrics: GatewayMetrics,
  scheduler: WorkScheduler,
) {
  const executeByApolloGateway = (
    request: ExecutableRequest,
    context: TraceContext,
    prefetched: PrefetchedResponse[],
  ): Promise<ExecutionResult> => {
    metrics.execution('apollo-gateway');
    return apolloGateway.execute(request, context, prefetched);
  };

  const executePassThrough = (
    passThrough: PassThrough,
    request: ExecutableRequest,
    context: ExecutionContext,
  ): Awaitable<ExecutionResult> => {
    const { subgraph } = passThrough;
    // The members are listed, because copying `context` with `...` would add microseconds to most requests.
    const { requestId, keyId, span, onHint, work, needsFields = false } = context;
    // If the subgraph sent no data, @apollo/gateway determines which fields are null and how far each null
    // propagates. @apollo/gateway uses this response and does not fetch again.
    const fallBack = (response: SubgraphResponse | null) =>
      executeByApolloGateway(request, context, [{ subgraph, request: null, response }]);
    const succeed = (response: SubgraphResponse) => {
      if (!response.rawBody && !response.data) return fallBack(response);
      metrics.execution('pass-through');
      return response;
    };
    const options = { requestId, keyId, span, onHint, work, acceptsRawBody: !needsFields };
    const fetch = () => apolloGateway.fetchOf(subgraph)(passThroughRequest(passThrough, request.variables), options);
    return settleMaybe<SubgraphResponse, ExecutionResult>(fetch, succeed, () => fallBack(null));
  };

  const executeQueryPlan = async (
    execute: ExecuteQueryPlan,
    request: ExecutableRequest,
    context: TraceContext,
  ): Promise<ExecutionResult> => {
    const prefetched: PrefetchedResponse[] = [];
    // Merging uses the budget but is never stopped by it, so that all fetched data is sent.
    const work = (context.work ?? scheduler.createBudget()).withoutLimit();
    // Many fetches of a plan begin in one turn of the event loop, and a subgraph in this process
    // parses and validates a new operation synchronously. So the work budget lets other requests
    // run between the fetches.
    const fetch = async (subgraph: string, subgraphRequest: SubgraphRequest) => {
      const response = await work.run(() => fetchOrNull(apolloGateway.fetchOf(subgraph), subgraphRequest, context));
      prefetched.push({ subgraph, request: subgraphRequest, response });
      return response ?? unavailableResponse(subgraphRequest);
    };
    const { variables, coercedVariables } = request;
    const result = await execute({ variables, coercedVariables, fetch, work });
    if (!result) return executeByApolloGateway(request, context, prefetched);
    metrics.execution('query-plan');
    return result;
  };

  const introspect = async (
    strategy: IntrospectionStrategy,
    request: ExecutableRequest,
    context: TraceContext,
  ): Promise<ExecutionResult> => {
    if (!strategy.data) metrics.execution('introspection');
    const response = strategy.data
      ? await execute({ ...request, operation: strategy.data }, { ...context, needsFields: true })
      : { data: {} };
    return executeIntrospection(apolloGateway.schema, scheduler, request, strategy, response);
  };

  /**
   * Executes the first request of an operation. If its plan allows a cheaper strategy, that strategy is used at once,
   * because @apollo/gateway would block the event loop while it copies a large response.
   */
  const executeFirst = async (request: ExecutableRequest, context: ExecutionContext): Promise<ExecutionResult> => {
    request.operation.strategy = separateIntrospection(request.operation);
    const response = request.operation.strategy ? null : await apolloGateway.planOrExecute(request, context);
    if (!response) return execute(request, context);
    metrics.execution('apollo-gateway');
    return response;
  };

  const execute = (request: ExecutableRequest, context: ExecutionContext): Awaitable<ExecutionResult> => {
    const { strategy } = request.operation;
    switch (strategy?.kind) {
      case 'introspection':
        return introspect(strategy, request, context);
      case 'pass-through':
        return executePassThrough(strategy, request, context);
      case 'query-plan':
        return executeQueryPlan(strategy.execute, request, context);
      case 'apollo-gateway':
        return executeByApolloGateway(request, context, []);
      case undefined:
        return executeFirst(request, context);
    }
  };
  return execute;
}
