import { errors } from '@lectern/errors';
import { asError, type WorkContext } from '@lectern/serving';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';

/** More than the four Gospels have together, but only about a sixth of a whole Bible. */
const maxVersesPerRequest = 5_000;

/** Creates the budget for the verses that one request holds in all its fields. */
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

/** Creates the budget for the field values that one request returns. */
export function createValueBudget(max: number) {
  let returned = 0;
  /** Created once, because thousands of fields may fail with it. */
  let spent: Error | null = null;
  return {
    /** Adds `count` values. Throws `valueBudgetSpent` if the sum exceeds the maximum. */
    consume(count: number): void {
      returned += count;
      if (returned > max) throw (spent ??= errors.valueBudgetSpent(max));
    },
  };
}

/** They share one SQL statement for each translation, and take a few milliseconds together. */
const representationsPerStep = 500;

type Resolver = GraphQLFieldResolver<unknown, WorkContext>;

/** Lets the work budget of a request pause or stop every field of the query type. */
export function boundQueryResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve) field.resolve = name === '_entities' ? boundEntities(resolve) : boundResolver(resolve);
  }
  return schema;
}

// packages/execution builds `info` only for resolvers with four parameters.
const boundResolver = (resolve: Resolver): Resolver =>
  resolve.length > 3
    ? (source, args, context, info) => context.work.run(() => resolve(source, args, context, info))
    : (source, args, context) =>
        context.work.run(() => (resolve as (...parts: unknown[]) => unknown)(source, args, context));

/** Resolves a long list of representations in steps. Throws `tooManyEntities`. */
function boundEntities(resolve: Resolver): Resolver {
  return (source, { representations }: { representations: readonly unknown[] }, context, info) => {
    if (representations.length > maxVersesPerRequest) throw errors.tooManyEntities(maxVersesPerRequest);
    const resolveStep = (from: number) => {
      const step = { representations: representations.slice(from, from + representationsPerStep) };
      return context.work.run(() => resolve(source, step, context, info) as unknown[]);
    };
    return representations.length <= representationsPerStep
      ? resolveStep(0)
      : resolveInSteps(representations.length, resolveStep);
  };
}

/** If an entity fails, the list contains the error in its place, which graphql-js reports there. */
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
