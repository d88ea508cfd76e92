import { errors } from '@lectern/errors';
import type { WorkContext } from '@lectern/serving';
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { maxVersesPerRequest } from './request-budgets';

/**
 * The number of representations that are resolved together: their reads share one SQL statement for
 * each translation, and they take a few milliseconds.
 */
const representationsPerStep = 500;

type Resolver = GraphQLFieldResolver<unknown, WorkContext>;

/**
 * Lets every field of the query type pause and stop with the request's work budget. Both compiled
 * operations and graphql-js call these resolvers.
 */
export function boundQueryResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve) field.resolve = name === '_entities' ? boundEntities(resolve) : boundResolver(resolve);
  }
  return schema;
}

// The number of parameters tells packages/execution whether a resolver reads `info`.
const boundResolver = (resolve: Resolver): Resolver =>
  resolve.length > 3
    ? (source, args, context, info) => context.work.run(() => resolve(source, args, context, info))
    : (source, args, context) =>
        context.work.run(() => (resolve as (...parts: unknown[]) => unknown)(source, args, context));

/** Resolves the representations in steps. Throws `tooManyEntities`. */
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

/** An entity that fails becomes an error in the list, as graphql-js expects it. */
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

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
