import type { DocumentNode, GraphQLSchema } from 'graphql';
import { directRoute } from './direct-route';
import type { DirectRoute } from './direct-route';
import type { PlanNode } from './plan-node';
import { compilePlan } from './plan-runner';
import type { PlanRunner } from './plan-runner';

/** A way to an operation's answer past the engine: all of it from one subgraph, or by its plan. Neither where it has to be the engine. */
export interface FastRoute {
  readonly direct: DirectRoute | null;
  readonly run: PlanRunner | null;
}

export function fastRoute(plan: PlanNode | undefined, schema: GraphQLSchema, document: DocumentNode, operationName: string | null): FastRoute {
  const direct = directRoute(plan, document, operationName);
  return { direct, run: direct ? null : compilePlan(plan, schema, document, operationName) };
}
