import type { FieldNode, GraphQLAbstractType, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { defaultTypeResolver, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { collectSubfields, getFieldDef } from './internals';
import { compileInfo, compileResolver, type OperationParts, type ResolveField } from './resolver';
import type { CompletedField, CompleteValue, ExecutionState, Path } from './state';
import { FieldFailure, isPauseDue } from './state';
import { compileSerialize } from './values';

interface CompiledField {
  readonly key: string;
  readonly typename: string;
  readonly nodes: readonly FieldNode[];
  readonly isNonNull: boolean;
  readonly resolve: ResolveField;
  readonly complete: CompleteValue;
}

/** The selected fields of one object, in the order of the response. */
type Selection = readonly CompiledField[];

/** Compiles the selected fields of an object type: resolvers, arguments, and the completion of their values. */
export const compileSelection = (
  parts: OperationParts,
  type: GraphQLObjectType,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): Selection =>
  [...fields].map(([key, nodes]): CompiledField => {
    parts.onField();
    const [node] = nodes;
    const definition = node && getFieldDef(parts.schema, type, node);
    if (!definition) throw new Error(`${type.name} has no field for ${key}: the operation was not validated`);
    const buildInfo = compileInfo(parts, type, definition, nodes);
    const field = { nodes, coordinate: `${type.name}.${definition.name}`, typename: type.name, buildInfo };
    return {
      key,
      nodes,
      typename: type.name,
      isNonNull: isNonNullType(definition.type),
      resolve: compileResolver(type, definition, node, key, buildInfo),
      complete: compileCompletion(parts, definition.type, field),
    };
  });

function compileCompletion(parts: OperationParts, type: GraphQLOutputType, field: CompletedField): CompleteValue {
  const isNonNull = isNonNullType(type);
  const complete = compileNotNull(parts, isNonNull ? type.ofType : type, field);
  return (state, value, parent, key) => {
    if (value instanceof Error) throw value;
    const completed = value === null || value === undefined ? null : complete(state, value, parent, key);
    if (completed === null && isNonNull)
      throw new Error(`Cannot return null for non-nullable field ${field.coordinate}.`);
    return completed;
  };
}

function compileNotNull(parts: OperationParts, type: GraphQLOutputType, field: CompletedField): CompleteValue {
  if (isLeafType(type)) {
    const serialize = compileSerialize(type);
    return (state, value) => {
      const serialized = serialize(value);
      if (typeof serialized === 'string') state.characters += serialized.length;
      return serialized;
    };
  }
  if (isListType(type)) return compileList(parts, type.ofType, field);
  if (!isObjectType(type)) return compileAbstractType(parts, type as GraphQLAbstractType, field);
  const { typename } = field;
  const selection = compileSubselection(parts, type, field);
  return (state, value, prev, key) => executeSelection(state, selection, value, { prev, key, typename });
}

const compileSubselection = (parts: OperationParts, type: GraphQLObjectType, { nodes }: CompletedField): Selection =>
  compileSelection(parts, type, collectSubfields(parts.schema, parts.fragments, parts.conditions, type, nodes));

function compileList(parts: OperationParts, itemType: GraphQLOutputType, field: CompletedField): CompleteValue {
  const item = { nodes: field.nodes, isNonNull: isNonNullType(itemType) };
  const complete = compileCompletion(parts, itemType, { ...field, typename: undefined });
  const failItem = (state: ExecutionState, error: unknown, list: Path, index: number): null =>
    handleError(state, error, item, { prev: list, key: index, typename: undefined });

  const completeItem = (state: ExecutionState, value: unknown, list: Path, index: number): unknown => {
    try {
      const completed = complete(state, value, list, index);
      return isPromise(completed)
        ? completed.then(undefined, (error: unknown) => failItem(state, error, list, index))
        : completed;
    } catch (error) {
      return failItem(state, error, list, index);
    }
  };
  /** Completes the items after those in `completed`. Pauses in a long list, so that other requests can run. */
  const completeItems = (
    state: ExecutionState,
    items: readonly unknown[],
    list: Path,
    completed: unknown[],
  ): unknown => {
    const from = completed.length;
    // The items that were completed before a pause may be promises.
    let hasPromise = from > 0;
    // The promise of an item may reject during a pause, and an unhandled rejection would end the process.
    const handleRejections = (): void => void Promise.allSettled(completed.slice(from));
    try {
      for (let index = from; index < items.length; index += 1) {
        if (isPauseDue(state)) {
          handleRejections();
          return state.pace.resume(() => completeItems(state, items, list, completed));
        }
        const result = completeItem(state, items[index], list, index);
        if (isPromise(result)) hasPromise = true;
        completed.push(result);
      }
    } catch (error) {
      handleRejections();
      throw error;
    }
    return hasPromise ? Promise.all(completed) : completed;
  };
  return (state, value, prev, key) => {
    if (!isIterable(value)) throw new Error(`Expected Iterable, but did not find one for field "${field.coordinate}".`);
    const list: Path = { prev, key, typename: field.typename };
    const items: readonly unknown[] = Array.isArray(value) ? value : [...value];
    if (!items.some(isPromise)) return state.pace.measure(() => completeItems(state, items, list, []));
    // Items that were completed as their promises resolve would all be in one turn, without a pause.
    return Promise.all(items.map(orError)).then((resolved) =>
      state.pace.run(() => completeItems(state, resolved, list, [])),
    );
  };
}

/** A field that fails becomes null, and its error is collected. Throws or rejects if a non-null field fails. */
export function executeSelection(
  state: ExecutionState,
  selection: Selection,
  source: unknown,
  path: Path | undefined,
): unknown {
  const results: Record<string, unknown> = {};
  let hasPromise = false;
  state.values += selection.length;
  try {
    for (const field of selection) {
      const result = executeField(state, field, source, path);
      if (isPromise(result)) hasPromise = true;
      setProperty(results, field.key, result);
    }
  } catch (error) {
    if (!hasPromise) throw error;
    // The promises of earlier fields may reject too, and an unhandled rejection would end the process.
    return awaitProperties(results).finally(() => {
      throw error;
    });
  }
  return hasPromise ? awaitProperties(results) : results;
}

function executeField(state: ExecutionState, field: CompiledField, source: unknown, parent: Path | undefined): unknown {
  if (state.errors.isFull()) return null;
  let result: unknown;
  try {
    result = field.resolve(state, source, parent);
  } catch (error) {
    return handleFieldError(state, error, field, parent);
  }
  return isPromise(result)
    ? result.then(
        (resolved) => completeField(state, field, resolved, parent),
        (error: unknown) => handleFieldError(state, error, field, parent),
      )
    : completeField(state, field, result, parent);
}

function completeField(state: ExecutionState, field: CompiledField, value: unknown, parent: Path | undefined): unknown {
  try {
    const completed = field.complete(state, value, parent, field.key);
    return isPromise(completed)
      ? completed.then(undefined, (error: unknown) => handleFieldError(state, error, field, parent))
      : completed;
  } catch (error) {
    return handleFieldError(state, error, field, parent);
  }
}

const handleFieldError = (state: ExecutionState, error: unknown, field: CompiledField, prev: Path | undefined): null =>
  handleError(state, error, field, { prev, key: field.key, typename: field.typename });

/** Collects the error of a value that becomes null. Throws if the value must not be null. */
function handleError(
  state: ExecutionState,
  error: unknown,
  { nodes, isNonNull }: Pick<CompiledField, 'nodes' | 'isNonNull'>,
  path: Path,
): null {
  if (state.errors.isFull()) return null;
  const failure = error instanceof FieldFailure ? error : new FieldFailure(error, nodes, path);
  if (isNonNull) throw failure;
  state.errors.add(failure, path);
  return null;
}

async function awaitProperties(results: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const values = await Promise.all(Object.values(results));
  const awaited: Record<string, unknown> = {};
  for (const [index, key] of Object.keys(results).entries()) setProperty(awaited, key, values[index]);
  return awaited;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** Turns the rejection of an item into an error value. Completing this value then fails. */
const orError = (item: unknown): unknown =>
  isPromise(item)
    ? item.then(undefined, (error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    : item;

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Compiles the completion of a union or an interface. The type of each value decides which selection is executed. */
function compileAbstractType(parts: OperationParts, type: GraphQLAbstractType, field: CompletedField): CompleteValue {
  const selections = new Map<unknown, Selection>(
    parts.schema.getPossibleTypes(type).map((possible) => [possible.name, compileSubselection(parts, possible, field)]),
  );
  const resolveType = type.resolveType ?? defaultTypeResolver;

  const executeAs = (state: ExecutionState, typename: unknown, value: unknown, path: Path): unknown => {
    const selection = selections.get(typename);
    if (selection) return executeSelection(state, selection, value, path);
    throw new Error(`${field.coordinate} gave a value of the type ${String(typename)}, which is none of ${type.name}.`);
  };
  return (state, value, prev, key) => {
    const path: Path = { prev, key, typename: field.typename };
    // `info` has the path of the item, and in graphql-js that of the field. No type resolver of Lectern reads it.
    const typename = resolveType(value, state.context, field.buildInfo(state, path), type);
    return typeof typename === 'object' && typename !== null
      ? typename.then((resolved) => executeAs(state, resolved, value, path))
      : executeAs(state, typename, value, path);
  };
}

/** Sets a property. Clients choose the keys, and assigning to `__proto__` would set the prototype instead. */
export function setProperty(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
