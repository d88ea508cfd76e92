import { directRoute } from './direct-route';
import type { DirectRoute } from './direct-route';
import { compilePlan } from './plan-runner';
import type { PlanParts, PlanRunner, PlansKept } from './plan-runner';

/** A way to an operation's answer past the engine: all of it from one subgraph, or by its plan. Neither where it has to be the engine. */
export interface FastRoute {
  readonly direct: DirectRoute | null;
  readonly run: PlanRunner | null;
}

export function fastRoute(parts: PlanParts, kept: PlansKept): FastRoute {
  const direct = directRoute(parts);
  return { direct, run: direct ? null : compilePlan(parts, kept) };
}
