import { errors, isPublicError } from '@lectern/errors';
import { createSkipIncludeVariants } from '@lectern/execution';
import type { WorkScheduler } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import { type Awaitable, settleMaybe, thenMaybe } from '../shared/awaitable';
import type { SubgraphFetch } from '../transport/replica-fetch';
import { maxErrors } from '../transport/response';
import { fetchOrNull, unavailableResponse } from './measured-fetch';
import { createNormalize, type NormalizedOperation } from './normalize';
import type {
  CompiledOperation,
  ExecutableOperation,
  ExecutableRequest,
  ExecutionContext,
  ExecutionResult,
  RawError,
  Variables,
} from './operation';
import { type Completion, compileCompletion, type UnknownEntities } from './plan/completion';
import type { ExecuteNode } from './plan/fetch';
import type { PassThrough, Plan, PlanOperation } from './plan-operation';

interface ExecutorOptions {
  /** The schema that clients see. */
  readonly schema: GraphQLSchema;
  readonly planOperation: PlanOperation;
  readonly supergraph: DocumentNode;
  readonly fetchOf: (subgraph: string) => SubgraphFetch;
  readonly scheduler: WorkScheduler;
  readonly metrics: GatewayMetrics;
}

/** An operation with one combination of values of @skip and @include. */
interface Variant {
  readonly normalized: NormalizedOperation;
  readonly complete: Completion;
  plan: Plan | null;
  failure: unknown;
}

const noEntities: UnknownEntities = new WeakSet();

/**
 * Plans an operation once for each combination of values of @skip and @include, fetches, merges, and completes the data
 * against the schema of the clients.
 */
export function createExecutor(options: ExecutorOptions) {
  const { schema, planOperation, supergraph, metrics } = options;
  const normalize = createNormalize(schema, supergraph);
  const { finish, passThrough, executePlan } = createExecution(options);

  const planVariant = (operation: ExecutableOperation, variant: Variant): Awaitable<Plan> => {
    metrics.plan(variant.plan ? 'hit' : 'miss');
    if (variant.plan) return variant.plan;
    if (variant.failure) throw variant.failure;
    return settleMaybe(
      () => planOperation(operation, variant.normalized),
      (plan) => (variant.plan ??= plan),
      (error) => {
        // Planning that took too long may succeed later.
        if (!isPublicError(error)) variant.failure = error;
        throw error;
      },
    );
  };

  /** Prepares an operation for execution. Its variants are planned when a request first needs them. */
  return (operation: ExecutableOperation): CompiledOperation => {
    const variantFor = createSkipIncludeVariants<Variant>({
      document: operation.document,
      operation: operation.definition,
      grow: operation.grow,
      compile(conditions, onField) {
        const normalized = normalize(operation, conditions);
        return { normalized, complete: compileCompletion(schema, normalized, onField), plan: null, failure: null };
      },
    });
    const chooseVariant = (variables: Readonly<Variables>): Variant => {
      const variant = variantFor(variables);
      if (!variant) throw new Error('a variable of @skip or @include is neither true nor false');
      return variant;
    };
    return {
      plan: () => thenMaybe(planVariant(operation, chooseVariant(includeAll(operation.definition))), () => {}),
      execute(request, context) {
        const variant = chooseVariant(request.coercedVariables);
        return thenMaybe(planVariant(operation, variant), (plan) => {
          if (plan.kind === 'pass-through') return passThrough(variant, plan.fetch, request, context);
          if (plan.kind === 'query-plan') return executePlan(variant, plan.execute, request, context);
          metrics.execution('apollo-gateway');
          return thenMaybe(plan.execute(request, context), ({ data, errors: received = [] }) => {
            if (data) return finish(variant, data, received, context);
            // @apollo/gateway can make all data null without an error.
            const { message, extensions } = errors.subgraphUnavailable();
            const found = received.length > 0 ? received : [{ message, extensions: { ...extensions } }];
            return { data: null, errors: found.map((error) => restorePath(error, variant.normalized)) };
          });
        });
      },
    };
  };
}

/** Creates the functions that execute a plan and complete its data. */
function createExecution({ fetchOf, scheduler, metrics }: ExecutorOptions) {
  /** Completes the data of the responses, and adds an error at each value that does not fit the schema. */
  const finish = (
    { complete, normalized }: Variant,
    data: Record<string, unknown>,
    received: readonly RawError[],
    { work }: ExecutionContext,
    unknownEntities: UnknownEntities = noEntities,
  ): Awaitable<ExecutionResult> => {
    if (received.length > maxErrors) return { errors: received };
    const steps = complete(data, unknownEntities);
    const first = steps.next();
    // Completion uses the budget but is never stopped by it, so that all fetched data is sent.
    const completed =
      first.done === true ? first.value : (work ?? scheduler.createBudget()).withoutLimit().runInSteps(steps);
    return thenMaybe(completed, ({ data: values, problems, isLarge }) => {
      const named =
        normalized.clientKeys.size === 0 ? received : received.map((error) => restorePath(error, normalized));
      const unavailable = errors.subgraphUnavailable();
      const added = problems
        .filter((path) => !named.some((error) => covers(error, path)))
        .map((path) => ({ message: unavailable.message, path, extensions: { ...unavailable.extensions } }));
      const all = added.length === 0 ? named : [...named, ...added];
      return { data: values, errors: all.length > 0 ? all : undefined, isLarge };
    });
  };

  const passThrough = (
    variant: Variant,
    { subgraph, query, variables: names }: PassThrough,
    { variables }: ExecutableRequest,
    context: ExecutionContext,
  ): Awaitable<ExecutionResult> => {
    // The members are listed, because copying `context` with `...` would add microseconds to most requests.
    const { requestId, keyId, rights, span, headers, onHint, onMaxAge, work, needsFields = false } = context;
    const request: SubgraphRequest = { query };
    for (const name of names)
      if (variables && Object.hasOwn(variables, name)) (request.variables ??= {})[name] = variables[name];
    const succeed = (response: SubgraphResponse): Awaitable<ExecutionResult> => {
      metrics.execution('pass-through');
      if (response.rawBody || (response.isComplete === true && response.data)) return response;
      return finish(variant, response.data ?? {}, response.errors ?? [], context);
    };
    const acceptsRawBody = !needsFields;
    const fetchOptions = { requestId, keyId, rights, span, headers, onHint, onMaxAge, work, acceptsRawBody };
    return settleMaybe<SubgraphResponse, ExecutionResult>(
      () => fetchOf(subgraph)(request, fetchOptions),
      succeed,
      () => succeed(unavailableResponse(request)),
    );
  };

  const executePlan = async (
    variant: Variant,
    execute: ExecuteNode,
    request: ExecutableRequest,
    context: ExecutionContext,
  ): Promise<ExecutionResult> => {
    metrics.execution('query-plan');
    const work = (context.work ?? scheduler.createBudget()).withoutLimit();
    // A plan begins many fetches in one turn, and a subgraph in this process validates a new operation synchronously.
    const fetch = async (subgraph: string, subgraphRequest: SubgraphRequest) =>
      (await work.run(() => fetchOrNull(fetchOf(subgraph), subgraphRequest, context))) ??
      unavailableResponse(subgraphRequest);
    const execution = {
      data: {},
      variables: variant.normalized.renameVariables(request.variables),
      fetch,
      errors: [] as RawError[],
      unknownEntities: new WeakSet<object>(),
    };
    await execute(execution);
    return finish(variant, execution.data, execution.errors, context, execution.unknownEntities);
  };

  return { finish, passThrough, executePlan };
}

/** Returns values with which each condition is true. They need not include all fields. */
const includeAll = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(variableDefinitions.map(({ variable }) => [variable.name.value, true]));

const restorePath = (error: RawError, { clientKeys }: NormalizedOperation): RawError => ({
  ...error,
  path: error.path?.map((step) => clientKeys.get(String(step)) ?? step),
});

/** Returns whether an error already explains a null: its path is part of the other path, or the other way round. */
const covers = ({ path: known }: RawError, path: readonly (string | number)[]): boolean =>
  known === undefined || known.every((step, index) => index >= path.length || step === path[index]);
