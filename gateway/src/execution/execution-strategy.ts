import type { Grow } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { ChosenOperation } from './execution-types';
import type { PassThrough } from './pass-through';
import { createPassThrough } from './pass-through';
import type { QueryPlan } from './plan/plan-nodes';
import type { ExecuteQueryPlan } from './plan/query-plan-executor';
import { compileQueryPlan } from './plan/query-plan-executor';

/** The strategy of executing an operation whose plan is known (docs/execution.md). */
export type ExecutionStrategy =
  /** The strategy in which one subgraph executes the whole operation. */
  | { readonly kind: 'pass-through'; readonly passThrough: PassThrough }
  /** The strategy in which the gateway executes the compiled query plan. */
  | { readonly kind: 'query-plan'; readonly execute: ExecuteQueryPlan }
  | { readonly kind: 'apollo-gateway' };

/** Chooses the cheapest strategy that can execute an operation with this plan. */
export function chooseStrategy(
  schema: GraphQLSchema,
  operation: ChosenOperation & { readonly grow: Grow },
  { node }: QueryPlan,
): ExecutionStrategy {
  const passThrough = node && createPassThrough(operation, node);
  if (passThrough) return { kind: 'pass-through', passThrough };
  const execute = node && compileQueryPlan(schema, operation, node);
  return execute ? { kind: 'query-plan', execute } : { kind: 'apollo-gateway' };
}
