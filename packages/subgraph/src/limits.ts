import { errors } from '@lectern/errors';
import { asError, type WorkContext } from '@lectern/serving';
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';

/**
 * The maximum number of verses that one request may hold: more than the four Gospels have together,
 * but only about a sixth of a whole Bible.
 */
export const maxVersesPerRequest = 5_000;

/**
 * Creates the budget for the verses that one request holds in all its fields. Create a new budget
 * for each request.
 */
export function createVerseBudget(max: number = maxVersesPerRequest) {
  let held = 0;
  return {
    /** Adds `count` verses. Throws `verseBudgetSpent` and adds nothing if the verses do not fit. */
    hold(count: number): void {
      if (held + count > max) throw errors.verseBudgetSpent(max);
      held += count;
    },
  };
}

/**
 * Creates the budget for the field values that one request returns. Create a new budget for each
 * request.
 */
export function createValueBudget(max: number) {
  let returned = 0;
  /** The error is created once, because thousands of fields may fail with it. */
  let spent: Error | null = null;
  return {
    /**
     * Adds `count` values. Throws `valueBudgetSpent` if the sum exceeds the maximum, and on every
     * later call.
     */
    consume(count: number): void {
      returned += count;
      if (returned > max) throw (spent ??= errors.valueBudgetSpent(max));
    },
  };
}

/**
 * `_entities` resolves at most this many representations at a time. These representations share one
 * SQL statement for each translation, and take a few milliseconds together.
 */
const representationsPerStep = 500;

type Resolver = GraphQLFieldResolver<unknown, WorkContext>;

/**
 * Wraps the resolver of every field of the query type, so that the request's work budget can pause
 * or stop the field. Both compiled operations and graphql-js call the wrapped resolvers.
 */
export function boundQueryResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve) field.resolve = name === '_entities' ? boundEntities(resolve) : boundResolver(resolve);
  }
  return schema;
}

// packages/execution builds `info` only for resolvers with four parameters. So the wrapper has the
// fourth parameter only if the resolver has it.
const boundResolver = (resolve: Resolver): Resolver =>
  resolve.length > 3
    ? (source, args, context, info) => context.work.run(() => resolve(source, args, context, info))
    : (source, args, context) =>
        context.work.run(() => (resolve as (...parts: unknown[]) => unknown)(source, args, context));

/**
 * Wraps the resolver of `_entities`, so that a long list of representations is resolved in steps.
 * The wrapper throws `tooManyEntities` for more representations than one request may have.
 */
function boundEntities(resolve: Resolver): Resolver {
  return (source, args: { representations: readonly unknown[] }, context: WorkContext, info: GraphQLResolveInfo) => {
    const { representations } = args;
    if (representations.length > maxVersesPerRequest) throw errors.tooManyEntities(maxVersesPerRequest);
    const resolveStep = (from: number) =>
      context.work.run(
        () =>
          resolve(
            source,
            { representations: representations.slice(from, from + representationsPerStep) },
            context,
            info,
          ) as unknown[],
      );
    return representations.length <= representationsPerStep
      ? resolveStep(0)
      : resolveInSteps(representations.length, resolveStep);
  };
}

/**
 * Resolves the representations step by step. If an entity fails, the list contains the error in its
 * place, which graphql-js reports for this item of the list.
 */
async function resolveInSteps(
  count: number,
  resolveStep: (from: number) => unknown[] | Promise<unknown[]>,
): Promise<unknown[]> {
  const entities: unknown[] = [];
  for (let from = 0; from < count; from += representationsPerStep) {
    for (const result of await Promise.allSettled(await resolveStep(from)))
      entities.push(result.status === 'fulfilled' ? result.value : asError(result.reason));
  }
  return entities;
}
