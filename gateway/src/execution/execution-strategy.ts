import type { Grow } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { ExecutionStrategy } from './executable-operation';
import type { ChosenOperation } from './execution-types';
import { createPassThrough } from './pass-through';
import type { QueryPlan } from './plan/plan-nodes';
import { compileQueryPlan } from './plan/query-plan-executor';

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
