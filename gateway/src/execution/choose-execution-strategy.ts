import type { GraphQLSchema } from 'graphql';
import type { ExecutableOperation, ExecutionStrategy } from './operation';
import type { QueryPlan } from './plan/apollo-query-plan-types';
import type { ExecuteQueryPlan } from './plan/executor';
import { compileQueryPlan } from './plan/executor';
import type { RewrittenOperation } from './reserved-names';
import { createPassThrough } from './strategy';

/**
 * Chooses the cheapest strategy that can execute an operation. `rewritten` is the operation with
 * the names that @apollo/gateway needs. The plan is the plan of `rewritten`.
 */
export function chooseExecutionStrategy(
  schema: GraphQLSchema,
  operation: ExecutableOperation,
  rewritten: RewrittenOperation,
  { node }: QueryPlan,
): ExecutionStrategy {
  const passThrough = node && createPassThrough(operation, node);
  if (passThrough) return { kind: 'pass-through', passThrough };
  const execute = node && compileQueryPlan(schema, { ...rewritten, grow: operation.grow }, node);
  return execute
    ? { kind: 'query-plan', execute: rewritten.isRenamed ? withClientNames(rewritten, execute) : execute }
    : { kind: 'apollo-gateway' };
}

/**
 * Wraps the execution of a plan for an operation with rewritten names. Renames the variables, and
 * restores the client's names in the paths of errors. The projection restores the names in the
 * data.
 */
const withClientNames =
  ({ renameVariables, restoreNames }: RewrittenOperation, execute: ExecuteQueryPlan): ExecuteQueryPlan =>
  async (request) => {
    const result = await execute({
      ...request,
      variables: renameVariables(request.variables),
      coercedVariables: renameVariables({ ...request.coercedVariables }) ?? {},
    });
    return result && { ...result, errors: restoreNames({ errors: result.errors }).errors };
  };
