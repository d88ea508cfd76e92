import { errors } from '@lectern/errors';
import { asError, type WorkContext } from '@lectern/serving';
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/** More verses than the four Gospels have together, but only about a sixth of a whole Bible. */
const maxVersesPerRequest = 5_000;

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

export function createValueBudget(max: number) {
  let returned = 0;
  /** The error for an exhausted budget. It is created once, because thousands of fields may fail with it. */
  let spent: Error | null = null;
  return {
    /** Adds `count` values. Throws `valueBudgetSpent` if the sum exceeds the maximum. */
    consume(count: number): void {
      returned += count;
      if (returned > max) throw (spent ??= errors.valueBudgetSpent(max));
    },
  };
}

type SelectedFields = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** A fragment counts each time it is spread, but is visited only once. */
function countSelectedFields({ fieldNodes, fragments }: SelectedFields): number {
  const fragmentCounts = new Map<string, number>();
  const countInFragment = (name: string): number => {
    const count = fragmentCounts.get(name) ?? countBelow(fragments[name]?.selectionSet);
    fragmentCounts.set(name, count);
    return count;
  };
  const countBelow = (set: SelectionSetNode | undefined): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += countInFragment(selection.name.value);
      else count += countBelow(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0);
    }
    return count;
  };
  return fieldNodes.reduce((sum, { selectionSet }) => sum + countBelow(selectionSet), 0);
}

/** Creates the budget for the field values of list items, such as words, in one response. */
export function createItemValueBudget(max: number) {
  const values = createValueBudget(max);
  const fieldCounts = new Map<readonly unknown[], number>();
  return {
    /** Counts the fields selected below the field with the items, `count` times. Throws `valueBudgetSpent`. */
    consume(count: number, info: SelectedFields): void {
      const fieldsPerItem = fieldCounts.get(info.fieldNodes) ?? countSelectedFields(info);
      fieldCounts.set(info.fieldNodes, fieldsPerItem);
      values.consume(count * fieldsPerItem);
    },
  };
}

/** A step takes a few milliseconds, and one SQL statement for each translation. */
const representationsPerStep = 500;

type Resolver = GraphQLFieldResolver<unknown, WorkContext>;

/** Wraps the resolvers of the query type, so that the work budget of a request can pause or stop each of them. */
export function boundQueryResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve) field.resolve = name === '_entities' ? boundEntities(resolve) : boundResolver(resolve);
  }
  return schema;
}

// packages/execution builds `info` only for resolvers with four parameters, so the wrapper has as many as the resolver.
const boundResolver = (resolve: Resolver): Resolver =>
  resolve.length > 3
    ? (source, args, context, info) => context.work.run(() => resolve(source, args, context, info))
    : (source, args, context) =>
        context.work.run(() => (resolve as (...parts: unknown[]) => unknown)(source, args, context));

/** Wraps the resolver of `_entities`: a long list of representations is resolved in steps. Throws `tooManyEntities`. */
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

/** If an entity fails, the list contains the error in its place, where graphql-js reports it. */
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
