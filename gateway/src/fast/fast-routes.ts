import { createCompiledKept } from '@lectern/execution';
import type { OperationDefinitionNode } from 'graphql';
import { directRoute } from './direct-route';
import type { DirectRoute } from './direct-route';
import { compilePlan } from './plan-runner';
import type { PlanParts, PlanRunner, PlansKept } from './plan-runner';

/** A way to an operation's answer past the engine: all of it from one subgraph, or by its plan. Neither where it has to be the engine. */
export interface FastRoute {
  readonly direct: DirectRoute | null;
  readonly run: PlanRunner | null;
}

export type FastRoutes = ReturnType<typeof createFastRoutes>;

/** What the plans of operations have told, kept with each operation and as long as that. */
export function createFastRoutes() {
  const routes = new WeakMap<OperationDefinitionNode, FastRoute>();
  const plansKept: PlansKept = createCompiledKept();
  return {
    /** Of every operation that the engine was asked for. */
    learn(parts: PlanParts): void {
      if (routes.has(parts.operation)) return;
      const direct = directRoute(parts);
      routes.set(parts.operation, { direct, run: direct ? null : compilePlan(parts, plansKept) });
    },
    /** Undefined until the operation's plan is known. */
    of: (operation: OperationDefinitionNode): FastRoute | undefined => routes.get(operation),
  };
}
