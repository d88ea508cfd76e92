import type { WorkScheduler } from '@lectern/serving';
import type { GatewayMetrics } from '../../gateway-metrics';
import type { ExecutableOperation } from '../operation';
import type { QueryPlan } from './apollo-query-plan-types';

/** The memory of a plan for each character of its JSON, in bytes: 10 to 16, as measured. */
const bytesPerPlanCharacter = 16;

/**
 * Stores the plan in its operation, and adds its size to the operation's entry in the operation
 * cache.
 */
export function storePlan(operation: ExecutableOperation, plan: QueryPlan): void {
  operation.plan = plan;
  operation.grow(JSON.stringify(plan).length * bytesPerPlanCharacter);
}

/**
 * Creates the cache of plans that @apollo/gateway reads and writes. This adapter itself stores no
 * plans: each plan is stored in its operation, which is in the operation cache. The keys are the
 * hashes of operations. Planning blocks the event loop for up to 35 ms, so other requests are
 * served before and after an operation is planned.
 */
export function createApolloPlanCacheAdapter(
  { nextTurn }: Pick<WorkScheduler, 'nextTurn'>,
  metrics: Pick<GatewayMetrics, 'plan'>,
) {
  /** The operations that @apollo/gateway is executing, by hash. */
  const executing = new Map<string, ExecutableOperation>();

  return {
    /** Makes the operation's plan available to `get` and `set` until the execution ends. */
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
