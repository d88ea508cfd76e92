import { builtInScalarCheck, collectFields, collectSubfields, fragmentsByName, setProperty } from '@lectern/execution';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLAbstractType,
  GraphQLCompositeType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import {
  GraphQLID,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { maxErrors } from '../../transport/response';
import { type NormalizedOperation, pathOf } from '../normalize';

interface CompletedData {
  readonly data: Record<string, unknown> | null;
  /**
   * The places at which a field is absent, or a value is null or not of its type, against the schema. At most one more
   * than the maximum number of errors.
   */
  readonly problems: readonly (readonly (string | number)[])[];
  /** Whether the data is so large that it must be written as JSON in steps, between which other requests run. */
  readonly isLarge: boolean;
}

/** Copies the selected fields in short steps, with the client's names, in the order of the operation. */
export type Completion = (data: unknown, unknownEntities: UnknownEntities) => Generator<void, CompletedData>;

/** Entities that a subgraph does not know. Their fields may be absent. */
export type UnknownEntities = Pick<WeakSet<object>, 'has'>;

/** The maximum number of fields and list items of data that is written as JSON in one step. */
const maxValuesAtOnce = 10_000;
/** The maximum number of UTF-16 units in the strings of data that is written as JSON in one step. */
const maxCharactersAtOnce = 500_000;
/** So many fields and list items are completed in less than a millisecond. */
const valuesPerStep = 2_000;

/**
 * Checks each value against the schema of the clients, as the specification requires. A value that does not fit becomes
 * null, and a null at a non-null field that of the object or list around it. `onField` is called for each field.
 */
export function compileCompletion(
  schema: GraphQLSchema,
  { document, definition, conditions, keyOf }: NormalizedOperation,
  onField: () => void,
): Completion {
  const root = schema.getRootType(definition.operation);
  if (!root) throw new Error(`the schema has no type for a ${definition.operation}`);
  const fragments = fragmentsByName(document);
  const parts = { schema, fragments, conditions, keyOf, onField };
  const fields = collectFields(schema, fragments, { ...conditions }, root, definition.selectionSet);
  const completed = compileObject(parts, root, fields, '');
  return function* (value, unknownEntities) {
    const state: CompletionState = {
      values: 0,
      characters: 0,
      pauseAbove: valuesPerStep,
      problems: [],
      unknownEntities,
    };
    const data = completed.pauses ? yield* completed.complete(value, state) : completed.complete(value, state);
    return {
      data: data as CompletedData['data'],
      problems: state.problems,
      isLarge: state.values > maxValuesAtOnce || state.characters > maxCharactersAtOnce,
    };
  };
}

interface CompletionState {
  values: number;
  characters: number;
  pauseAbove: number;
  /** The paths of the problems so far, from the value that is being completed. */
  readonly problems: (string | number)[][];
  readonly unknownEntities: UnknownEntities;
}

/** The result is null if the value is null, absent or does not fit. Only lists are generators, which cost time. */
type ValueCompletion = { readonly isNonNull: boolean } & (
  | { readonly pauses: false; readonly complete: (value: unknown, state: CompletionState) => unknown }
  | { readonly pauses: true; readonly complete: (value: unknown, state: CompletionState) => Generator<void, unknown> }
);

function addProblem({ problems }: CompletionState): void {
  if (problems.length <= maxErrors) problems.push([]);
}

const nullOrProblem = (value: unknown, state: CompletionState): null => {
  if (value !== null) addProblem(state);
  return null;
};

/** Adds a key to the paths of the problems since `before`. Returns whether the object or list around becomes null. */
function isPropagated(
  completed: unknown,
  isNonNull: boolean,
  state: CompletionState,
  before: number,
  key: string | number,
): boolean {
  const { problems } = state;
  const isNull = isNonNull && completed === null;
  if (isNull && problems.length === before) addProblem(state);
  for (let index = before; index < problems.length; index += 1) problems[index]?.unshift(key);
  return isNull;
}

interface CompletionParts extends Pick<NormalizedOperation, 'conditions' | 'keyOf'> {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly onField: () => void;
}

type FieldNodes = readonly FieldNode[];
type Values = Readonly<Record<string, unknown>>;

const isObjectValue = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueOf = (values: Values, key: string, { unknownEntities }: CompletionState): unknown => {
  if (Object.hasOwn(values, key)) return values[key];
  return unknownEntities.has(values) ? null : undefined;
};

/** Compiles the completion of an object. `type` is an interface or union if the type of the object is unknown. */
function compileObject(
  parts: CompletionParts,
  type: GraphQLCompositeType,
  fieldNodes: ReadonlyMap<string, FieldNodes>,
  path: string,
): ValueCompletion {
  const fields: (ValueCompletion & { key: string; clientKey: string })[] = [];
  for (const [clientKey, nodes] of fieldNodes) {
    const [node] = nodes;
    if (!node) continue;
    parts.onField();
    const key = parts.keyOf(node, path);
    fields.push({ ...compileField(parts, type, nodes, pathOf(path, node)), key, clientKey });
  }
  const fitsType = (value: unknown): value is Values => {
    if (!isObjectValue(value)) return false;
    const { __typename: typename } = value as { __typename?: unknown };
    return typename === undefined || typename === type.name || !isObjectType(type);
  };
  if (fields.some(({ pauses }) => pauses))
    return {
      isNonNull: false,
      pauses: true,
      *complete(value, state) {
        if (!fitsType(value)) return nullOrProblem(value, state);
        state.values += fields.length;
        const object: Record<string, unknown> = {};
        for (const { key, clientKey, isNonNull, pauses, complete } of fields) {
          const before = state.problems.length;
          const received = valueOf(value, key, state);
          const completed = pauses ? yield* complete(received, state) : complete(received, state);
          if (
            (completed === null || state.problems.length !== before) &&
            isPropagated(completed, isNonNull, state, before, clientKey)
          )
            return null;
          setProperty(object, clientKey, completed);
        }
        return object;
      },
    };
  return {
    isNonNull: false,
    pauses: false,
    complete(value, state) {
      if (!fitsType(value)) return nullOrProblem(value, state);
      state.values += fields.length;
      const object: Record<string, unknown> = {};
      for (const { key, clientKey, isNonNull, complete } of fields) {
        const before = state.problems.length;
        const completed = complete(valueOf(value, key, state), state);
        if (
          (completed === null || state.problems.length !== before) &&
          isPropagated(completed, isNonNull, state, before, clientKey)
        )
          return null;
        setProperty(object, clientKey, completed);
      }
      return object;
    },
  };
}

function compileField(
  parts: CompletionParts,
  type: GraphQLCompositeType,
  nodes: FieldNodes,
  path: string,
): ValueCompletion {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename')
    return {
      isNonNull: true,
      pauses: false,
      complete: (_, state) => (isObjectType(type) ? type.name : nullOrProblem(name, state)),
    };
  const field = isUnionType(type) ? undefined : type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}: the operation was not validated`);
  return compileType(parts, field.type, nodes, path);
}

function compileType(
  parts: CompletionParts,
  type: GraphQLOutputType,
  nodes: FieldNodes,
  path: string,
): ValueCompletion {
  if (isNonNullType(type)) return { ...compileType(parts, type.ofType, nodes, path), isNonNull: true };
  if (isListType(type)) return compileList(parts, type.ofType, nodes, path);
  if (isLeafType(type)) return compileLeaf(type);
  if (isAbstractType(type)) return compileAbstract(parts, type, nodes, path);
  return compileObject(parts, type, subfieldsOf(parts, type, nodes), path);
}

/** `type` may be an interface, as in `collectSubfields` of graphql-js, which only compares names of types. */
const subfieldsOf = (parts: CompletionParts, type: GraphQLCompositeType, nodes: FieldNodes) =>
  collectSubfields(parts.schema, parts.fragments, { ...parts.conditions }, type as GraphQLObjectType, nodes);

/**
 * Completes a value of an interface or union. A type is compiled at its first value. Without `__typename`, or with the
 * interface's own, a value is completed as the interface: a plan asks for no type if only fields of the interface are
 * selected.
 */
function compileAbstract(
  parts: CompletionParts,
  abstract: GraphQLAbstractType,
  nodes: FieldNodes,
  path: string,
): ValueCompletion {
  const { schema } = parts;
  const completions = new Map<string, ValueCompletion | null>();
  const completionOf = (typename: string): ValueCompletion | null => {
    const known = completions.get(typename);
    if (known !== undefined) return known;
    const found = typename === abstract.name ? abstract : schema.getType(typename);
    const isPossible = found === abstract || (isObjectType(found) && schema.isSubType(abstract, found));
    // A subgraph may send any number of unknown names, which are not stored.
    if (!isPossible || !(isObjectType(found) || isInterfaceType(found) || isUnionType(found))) return null;
    const completion = compileObject(parts, found, subfieldsOf(parts, found, nodes), path);
    completions.set(typename, completion);
    return completion;
  };
  return {
    isNonNull: false,
    pauses: true,
    *complete(value, state) {
      if (!isObjectValue(value)) return nullOrProblem(value, state);
      const completion = completionOf(String(valueOf(value, '__typename', state) ?? abstract.name));
      if (!completion) return nullOrProblem(value, state);
      return completion.pauses ? yield* completion.complete(value, state) : completion.complete(value, state);
    },
  };
}

function compileLeaf(type: GraphQLOutputType): ValueCompletion {
  const isValid = leafCheck(type);
  return {
    isNonNull: false,
    pauses: false,
    complete(value, state) {
      if (typeof value === 'string') state.characters += value.length;
      if (isValid(value)) return value;
      // The specification lets an ID be an integer, which is a string in a response.
      return type === GraphQLID && Number.isInteger(value) ? String(value) : nullOrProblem(value, state);
    },
  };
}

function compileList(
  parts: CompletionParts,
  itemType: GraphQLOutputType,
  nodes: FieldNodes,
  path: string,
): ValueCompletion {
  const item = compileType(parts, itemType, nodes, path);
  return {
    isNonNull: false,
    pauses: true,
    *complete(value, state) {
      if (!Array.isArray(value)) return nullOrProblem(value, state);
      const list: unknown[] = [];
      let isNull = false;
      for (const [index, each] of value.entries()) {
        state.values += 1;
        if (state.values > state.pauseAbove) {
          state.pauseAbove = state.values + valuesPerStep;
          yield;
        }
        const before = state.problems.length;
        const completed = item.pauses ? yield* item.complete(each, state) : item.complete(each, state);
        if (
          (completed === null || state.problems.length !== before) &&
          isPropagated(completed, item.isNonNull, state, before, index)
        )
          isNull = true;
        list.push(completed);
      }
      return isNull ? null : list;
    },
  };
}

/** Returns the check of a scalar or enum value. A custom scalar may hold any value. */
function leafCheck(type: GraphQLOutputType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  return builtInScalarCheck(type) ?? ((value) => value !== undefined && value !== null);
}
