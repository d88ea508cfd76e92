import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { getNullableType, isLeafType, isListType, isNonNullType, isObjectType, locatedError } from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields';
import { getFieldDef } from 'graphql/execution/execute';
import { compileAbstract } from './abstract';
import { serializeOf } from './leaf';
import type { Path } from './path';
import { stepsOf } from './path';
import type { OperationParts, Resolve } from './resolver';
import { compileResolver, infoOf } from './resolver';
import type { Complete, OfField, Run } from './run';

interface Field {
  readonly key: string;
  readonly typename: string;
  readonly nodes: readonly FieldNode[];
  readonly isNonNull: boolean;
  readonly resolve: Resolve;
  readonly complete: Complete;
}

export type Selection = readonly Field[];

/** What an operation asks of a type: its resolvers, arguments and completions found out beforehand. The operation has to be valid. */
export const compileSelection = (
  parts: OperationParts,
  type: GraphQLObjectType,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): Selection =>
  [...fields].map(([key, nodes]): Field => {
    parts.onField();
    const definition = definitionOf(parts, type, nodes);
    const of: OfField = {
      nodes,
      place: `${type.name}.${definition.name}`,
      typename: type.name,
      infoAt: infoOf(parts, type, definition, nodes),
    };
    return {
      key,
      nodes,
      typename: type.name,
      isNonNull: isNonNullType(definition.type),
      resolve: compileResolver(parts, type, definition, nodes, key),
      complete: compileCompletion(parts, definition.type, of),
    };
  });

/** What the operation asks of objects of this type. */
const compileSubselection = (parts: OperationParts, type: GraphQLObjectType, { nodes }: OfField): Selection =>
  compileSelection(parts, type, collectSubfields(parts.schema, parts.fragments, parts.conditions, type, nodes));

function definitionOf(
  { schema }: OperationParts,
  type: GraphQLObjectType,
  [node]: readonly FieldNode[],
): GraphQLField<unknown, unknown> {
  const definition = node && getFieldDef(schema, type, node);
  if (!definition)
    throw new Error(`${type.name} has no field ${node?.name.value ?? ''}: the operation was not validated`);
  return definition;
}

function compileCompletion(parts: OperationParts, type: GraphQLOutputType, of: OfField): Complete {
  const complete = compileNullable(parts, getNullableType(type), of);
  if (!isNonNullType(type)) return complete;
  return (run, value, parent, key) => {
    const completed = complete(run, value, parent, key);
    if (completed === null) throw new Error(`Cannot return null for non-nullable field ${of.place}.`);
    return completed;
  };
}

function compileNullable(parts: OperationParts, type: ReturnType<typeof getNullableType>, of: OfField): Complete {
  const complete = compileValue(parts, type as GraphQLOutputType, of);
  return (run, value, parent, key) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    return complete(run, value, parent, key);
  };
}

function compileValue(parts: OperationParts, type: GraphQLOutputType, of: OfField): Complete {
  if (isLeafType(type)) {
    const serialize = serializeOf(type);
    return (_, value) => serialize(value);
  }
  if (isListType(type)) return compileList(parts, type.ofType, of);
  const { typename } = of;
  if (isObjectType(type)) {
    const selection = compileSubselection(parts, type, of);
    return (run, value, prev, key) => executeSelection(run, selection, value, { prev, key, typename });
  }
  if (isNonNullType(type)) throw new Error(`${String(type)} is not nullable`);
  return compileAbstract(parts.schema, type, of, (possible) => {
    const selection = compileSubselection(parts, possible, of);
    return (run, value, path) => executeSelection(run, selection, value, path);
  });
}

function compileList(parts: OperationParts, itemType: GraphQLOutputType, of: OfField): Complete {
  const item = { key: '', typename: of.typename ?? '', nodes: of.nodes, isNonNull: isNonNullType(itemType) };
  const complete = compileCompletion(parts, itemType, { ...of, typename: undefined });

  const completeItem = (run: Run, value: unknown, list: Path, index: number): unknown => {
    try {
      const completed = isPromise(value)
        ? value.then((resolved) => complete(run, resolved, list, index))
        : complete(run, value, list, index);
      return isPromise(completed)
        ? completed.then(undefined, (error: unknown) =>
            failed(run, error, item, { prev: list, key: index, typename: undefined }),
          )
        : completed;
    } catch (error) {
      return failed(run, error, item, { prev: list, key: index, typename: undefined });
    }
  };
  return (run, value, prev, key) => {
    if (!isIterable(value)) throw new Error(`Expected Iterable, but did not find one for field "${of.place}".`);
    const list: Path = { prev, key, typename: of.typename };
    let hasPromise = false;
    const completed: unknown[] = [];
    try {
      for (const each of value) {
        const one = completeItem(run, each, list, completed.length);
        if (isPromise(one)) hasPromise = true;
        completed.push(one);
      }
    } catch (error) {
      // Those under way may reject as well, and a rejection that nobody has heard of would end the process.
      void Promise.allSettled(completed);
      throw error;
    }
    return hasPromise ? Promise.all(completed) : completed;
  };
}

/** All fields of an object. A field that fails is null with its error told; where it must not be null, this throws or rejects. */
export function executeSelection(run: Run, selection: Selection, source: unknown, path: Path | undefined): unknown {
  const results: Record<string, unknown> = {};
  let hasPromise = false;
  try {
    for (const field of selection) {
      const result = executeField(run, field, source, path);
      if (isPromise(result)) hasPromise = true;
      put(results, field.key, result);
    }
  } catch (error) {
    if (!hasPromise) throw error;
    // Those under way may reject as well, which somebody has to wait for.
    return whenAll(results).finally(() => {
      throw error;
    });
  }
  return hasPromise ? whenAll(results) : results;
}

function executeField(run: Run, field: Field, source: unknown, parent: Path | undefined): unknown {
  if (run.errors.isFull()) return null;
  try {
    const result = field.resolve(run, source, parent);
    const completed = isPromise(result)
      ? result.then((resolved) => field.complete(run, resolved, parent, field.key))
      : field.complete(run, result, parent, field.key);
    return isPromise(completed)
      ? completed.then(undefined, (error: unknown) =>
          failed(run, error, field, { prev: parent, key: field.key, typename: field.typename }),
        )
      : completed;
  } catch (error) {
    return failed(run, error, field, { prev: parent, key: field.key, typename: field.typename });
  }
}

function failed(run: Run, fault: unknown, { nodes, isNonNull }: Pick<Field, 'nodes' | 'isNonNull'>, path: Path): null {
  if (run.errors.isFull()) return null;
  const error = locatedError(fault, nodes, stepsOf(path));
  if (isNonNull) throw error;
  run.errors.add(error, path);
  return null;
}

async function whenAll(results: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const values = await Promise.all(Object.values(results));
  const all: Record<string, unknown> = {};
  for (const [index, key] of Object.keys(results).entries()) put(all, key, values[index]);
  return all;
}

/** A client may name a field as it likes. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
