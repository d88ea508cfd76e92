import type { GraphQLSchema } from 'graphql';
import type { ExecutableOperation, ExecutionStrategy } from './executable-operation';
import { createPassThrough } from './pass-through';
import type { QueryPlan } from './plan/plan-nodes';
import { compileQueryPlan } from './plan/query-plan-executor';

/**
 * Chooses the cheapest strategy that can execute an operation with this plan (docs/execution.md).
 */
export function chooseStrategy(
  schema: GraphQLSchema,
  operation: Omit<ExecutableOperation, 'rewritten' | 'strategy'>,
  { node }: QueryPlan,
): ExecutionStrategy {
  const passThrough = node && createPassThrough(operation, node);
  if (passThrough) return { kind: 'pass-through', passThrough };
  const execute = node && compileQueryPlan(schema, operation, node);
  return execute ? { kind: 'query-plan', execute } : { kind: 'apollo-gateway' };
}
