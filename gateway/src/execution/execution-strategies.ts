import { createCompiledKept } from '@lectern/execution';
import type { OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { DirectRoute } from './pass-through';
import { directRoute } from './pass-through';
import type { KeptPlan, PlanParts, PlanRunner, PlansKept } from './plan/query-plan-executor';
import { compilePlan } from './plan/query-plan-executor';

/** A way to an operation's answer past the engine: all of it from one subgraph, or by its plan. Neither where it has to be the engine. */
export interface FastRoute {
  readonly direct: DirectRoute | null;
  readonly run: PlanRunner | null;
}

/** Of plans as JSON. Not by the length of documents, with which they are found: a short one may unfold to hundreds of fetches. */
const mostPlanCharacters = 10_000_000;

interface Known extends FastRoute {
  /** Under what the plan is kept. It holds on to nothing. */
  readonly planKey: object;
}

export type FastRoutes = ReturnType<typeof createFastRoutes>;

/** What the plans of operations have told, kept with each operation and as long as that; the plans themselves within a bound of their own. */
export function createFastRoutes() {
  const routes = new WeakMap<OperationDefinitionNode, Known>();
  const plans = new LRUCache<object, KeptPlan>({
    maxSize: mostPlanCharacters,
    sizeCalculation: ({ characters }) => characters,
  });
  const plansKept: PlansKept = createCompiledKept();

  const routeOf = (parts: PlanParts): Known => {
    const planKey = {};
    const direct = directRoute(parts);
    return { direct, run: direct ? null : compilePlan(parts, () => plans.get(planKey), plansKept), planKey };
  };
  return {
    /** Of every operation that the engine was asked for. */
    learn(parts: PlanParts): void {
      const { plan, operation } = parts;
      const known = routes.get(operation) ?? routeOf(parts);
      routes.set(operation, known);
      if (plan && known.run && !plans.has(known.planKey))
        plans.set(known.planKey, { plan, characters: JSON.stringify(plan).length });
    },
    /** Undefined until the operation's plan is known. */
    of: (operation: OperationDefinitionNode): FastRoute | undefined => routes.get(operation),
  };
}
