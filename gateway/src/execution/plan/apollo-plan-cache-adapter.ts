import type { WorkScheduler } from '@lectern/serving';
import type { GatewayMetrics } from '../../gateway-metrics';
import type { ExecutableOperation } from '../executable-operation';
import type { QueryPlan } from './plan-nodes';

/** Bytes of memory per character of a plan's JSON. Measured: 10 to 16. */
const bytesPerPlanCharacter = 16;

/** Stores the plan with its operation, in the operation cache. */
export function storePlan(operation: ExecutableOperation, plan: QueryPlan): void {
  operation.plan = plan;
  operation.grow(JSON.stringify(plan).length * bytesPerPlanCharacter);
}

/**
 * The cache that @apollo/gateway's planner reads and writes. The cache itself stores no plans: each
 * plan is stored with its operation, in the operation cache. The keys are the hashes of operations.
 * Planning blocks the event loop for up to 50 ms, so each plan is made in a turn of the event loop
 * of its own.
 */
export function createApolloPlanCacheAdapter({ nextTurn }: Pick<WorkScheduler, 'nextTurn'>, metrics: Pick<GatewayMetrics, 'plan'>) {
  /** The operations that @apollo/gateway is executing, by hash. */
  const executing = new Map<string, ExecutableOperation>();

  return {
    /** Makes the operation's plan available to the planner until the execution ends. */
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
      // The plan may be known by now, because another request may have planned the operation
      // meanwhile.
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
