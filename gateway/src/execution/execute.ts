import type { WorkScheduler } from '@lectern/serving';
import type { GraphQLSchema } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import type { Awaitable } from '../shared/awaitable';
import { executeIntrospection, separateIntrospection } from './introspection';
import type {
  CompiledOperation,
  ExecutableOperation,
  ExecutableRequest,
  ExecutionContext,
  ExecutionResult,
} from './operation';

type Compile = (operation: ExecutableOperation) => CompiledOperation;

interface ExecuteParts {
  readonly schema: GraphQLSchema;
  readonly compile: Compile;
  readonly metrics: GatewayMetrics;
  readonly scheduler: WorkScheduler;
}

/** Creates the functions that plan and execute operations. Each operation is prepared by its first request. */
export function createExecuteOperation({ schema, compile, metrics, scheduler }: ExecuteParts) {
  const compileAny: Compile = (operation) => {
    const separated = separateIntrospection(operation);
    if (!separated) return compile(operation);
    const { data, introspection } = separated;
    const compiled = data && compile(data);
    return {
      plan: () => compiled?.plan(),
      async execute(request, context) {
        if (!compiled) metrics.execution('introspection');
        const response = compiled
          ? await compiled.execute({ ...request, operation: data }, { ...context, needsFields: true })
          : { data: {} };
        return executeIntrospection(schema, scheduler, request, introspection, response);
      },
    };
  };
  const compiledOf = (operation: ExecutableOperation): CompiledOperation =>
    (operation.compiled ??= compileAny(operation));

  return {
    plan: (operation: ExecutableOperation): Awaitable<void> => compiledOf(operation).plan(),
    execute: (request: ExecutableRequest, context: ExecutionContext): Awaitable<ExecutionResult> =>
      compiledOf(request.operation).execute(request, context),
  };
}
