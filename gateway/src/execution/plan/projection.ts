import { builtInScalarCheck, collectFields, collectSubfields, fragmentsByName, setProperty } from '@lectern/execution';
import type { FieldNode, FragmentDefinitionNode, GraphQLObjectType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { ChosenOperation, Variables } from '../chosen-operation';

interface ProjectedData {
  readonly data: Record<string, unknown> | null;
  readonly hasPropagatedNull: boolean;
  /** Whether the data is so large that it must be written as JSON in steps, between which other requests run. */
  readonly isLarge: boolean;
}

/** Copies the selected fields in short steps. Returns `invalid` if the data does not fit the schema. */
type Projection = (data: unknown) => Generator<void, ProjectedData | 'invalid'>;

/** The maximum number of fields and list items of data that is written as JSON in one step. */
const maxValuesAtOnce = 10_000;
/** The maximum number of UTF-16 units in the strings of data that is written as JSON in one step. */
const maxCharactersAtOnce = 500_000;
/**
 * The number of fields and list items that are projected in one step, so that a step takes less than a millisecond.
 */
const valuesPerStep = 2_000;

export interface ProjectedOperation extends ChosenOperation {
  /** The client's names of renamed fields, by their names in the rewritten operation. */
  readonly clientNames?: ReadonlyMap<string, string>;
}

/**
 * Compiles the projection of an operation's data. Returns null if the operation selects
 * introspection fields, or fields of an interface or union, which depend on the type of each value.
 */
export function compileProjection(
  schema: GraphQLSchema,
  { document, definition, clientNames = new Map() }: ProjectedOperation,
  conditions: Variables,
  onField: () => void = () => {},
): Projection | null {
  const root = schema.getRootType(definition.operation);
  if (!root) return null;
  const fragments = fragmentsByName(document);
  const fields = collectFields(schema, fragments, conditions, root, definition.selectionSet);
  const compiled = compileObject({ schema, fragments, conditions, clientNames, onField }, root, fields);
  if (!compiled) return null;
  return function* (value) {
    const state = { values: 0, characters: 0, pauseAbove: valuesPerStep, hasPropagatedNull: false };
    const data = compiled.pauses ? yield* compiled.project(value, state) : compiled.project(value, state);
    if (data === undefined) return 'invalid';
    return {
      data: data as ProjectedData['data'],
      hasPropagatedNull: state.hasPropagatedNull,
      isLarge: state.values > maxValuesAtOnce || state.characters > maxCharactersAtOnce,
    };
  };
}

/**
 * Puts the fields of @apollo/gateway's data into the order of the operation, as the GraphQL specification requires.
 * @apollo/gateway changes the order when it merges fragments on one type. Data is returned unchanged if there is no
 * projection for it (see `compileProjection`), or if it does not fit the schema.
 */
export function sortFields(
  schema: GraphQLSchema,
  operation: ChosenOperation,
  coercedVariables: Readonly<Variables>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const steps = compileProjection(schema, operation, { ...coercedVariables })?.(data);
  let step = steps?.next();
  while (step?.done === false) step = steps?.next();
  return (step && step.value !== 'invalid' && step.value?.data) || data;
}

interface ProjectionState {
  /** The number of fields and list items so far. */
  values: number;
  /** The number of UTF-16 units in the strings so far. */
  characters: number;
  /** The number of values above which the projection pauses next. */
  pauseAbove: number;
  /** Whether a non-null field was null, so that the null has propagated to an object or list around the field. */
  hasPropagatedNull: boolean;
}

/**
 * Projects one value. The result is null if the value is null or absent, and undefined if it does not fit the schema.
 * Only a projection with lists is a generator, because a generator costs time.
 */
type ValueProjection = { readonly isNonNull: boolean } & (
  | { readonly pauses: false; readonly project: (value: unknown, state: ProjectionState) => unknown }
  | { readonly pauses: true; readonly project: (value: unknown, state: ProjectionState) => Generator<void, unknown> }
);

const nullOrInvalid = (value: unknown): null | undefined => (value === null || value === undefined ? null : undefined);

/** Returns whether the value of a non-null type is null. The object or list around the value then becomes null. */
function isPropagated(projected: unknown, { isNonNull }: ValueProjection, state: ProjectionState): boolean {
  if (projected !== null || !isNonNull) return false;
  state.hasPropagatedNull = true;
  return true;
}

interface ProjectionParts {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /** The values of the variables in @skip and @include. The projection is valid for these values only. */
  readonly conditions: Variables;
  readonly clientNames: ReadonlyMap<string, string>;
  /** Called for each compiled field, so that the caller can count the fields. */
  readonly onField: () => void;
}

type FieldNodes = readonly FieldNode[];

/**
 * Compiles the projection of an object. Returns null if the selection has introspection fields, or fields of an
 * interface or union.
 */
function compileObject(
  parts: ProjectionParts,
  type: GraphQLObjectType,
  fieldNodes: ReadonlyMap<string, FieldNodes>,
): ValueProjection | null {
  const fields: (ValueProjection & { key: string; clientKey: string })[] = [];
  for (const [key, nodes] of fieldNodes) {
    parts.onField();
    const field = compileField(parts, type, nodes);
    if (!field) return null;
    fields.push({ ...field, key, clientKey: parts.clientNames.get(key) ?? key });
  }
  const isOfType = (value: unknown): value is Readonly<Record<string, unknown>> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const { __typename: typename } = value as { __typename?: unknown };
    return typename === undefined || typename === type.name;
  };
  const valueOf = (received: Readonly<Record<string, unknown>>, key: string): unknown =>
    Object.hasOwn(received, key) ? received[key] : undefined;
  if (fields.some(({ pauses }) => pauses))
    return {
      isNonNull: false,
      pauses: true,
      *project(value, state) {
        if (!isOfType(value)) return nullOrInvalid(value);
        state.values += fields.length;
        const object: Record<string, unknown> = {};
        for (const field of fields) {
          const received = valueOf(value, field.key);
          const projected = field.pauses ? yield* field.project(received, state) : field.project(received, state);
          if (projected === undefined) return undefined;
          if (isPropagated(projected, field, state)) return null;
          setProperty(object, field.clientKey, projected);
        }
        return object;
      },
    };
  return {
    isNonNull: false,
    pauses: false,
    project(value, state) {
      if (!isOfType(value)) return nullOrInvalid(value);
      state.values += fields.length;
      const object: Record<string, unknown> = {};
      for (const field of fields) {
        const projected = field.project(valueOf(value, field.key), state);
        if (projected === undefined) return undefined;
        if (isPropagated(projected, field, state)) return null;
        setProperty(object, field.clientKey, projected);
      }
      return object;
    },
  };
}

function compileField(parts: ProjectionParts, type: GraphQLObjectType, nodes: FieldNodes): ValueProjection | null {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return { isNonNull: true, pauses: false, project: () => type.name };
  const definition = type.getFields()[name];
  return definition ? compileType(parts, definition.type, nodes) : null;
}

function compileType(parts: ProjectionParts, type: GraphQLOutputType, nodes: FieldNodes): ValueProjection | null {
  if (isNonNullType(type)) {
    const projection = compileType(parts, type.ofType, nodes);
    return projection && { ...projection, isNonNull: true };
  }
  if (isLeafType(type)) {
    const isValid = leafCheck(type);
    return {
      isNonNull: false,
      pauses: false,
      project(value, state) {
        if (typeof value === 'string') state.characters += value.length;
        return isValid(value) ? value : nullOrInvalid(value);
      },
    };
  }
  if (isObjectType(type)) {
    const { schema, fragments, conditions } = parts;
    return compileObject(parts, type, collectSubfields(schema, fragments, conditions, type, nodes));
  }
  return isListType(type) ? compileList(parts, type.ofType, nodes) : null;
}

function compileList(parts: ProjectionParts, itemType: GraphQLOutputType, nodes: FieldNodes): ValueProjection | null {
  const item = compileType(parts, itemType, nodes);
  if (!item) return null;
  return {
    isNonNull: false,
    pauses: true,
    *project(value, state) {
      if (!Array.isArray(value)) return nullOrInvalid(value);
      const list: unknown[] = [];
      let isNull = false;
      for (const each of value) {
        state.values += 1;
        if (state.values > state.pauseAbove) {
          state.pauseAbove = state.values + valuesPerStep;
          yield;
        }
        const projected = item.pauses ? yield* item.project(each, state) : item.project(each, state);
        if (projected === undefined) return undefined;
        if (isPropagated(projected, item, state)) isNull = true;
        list.push(projected);
      }
      return isNull ? null : list;
    },
  };
}

/**
 * Returns the check of a scalar or enum value. The check accepts no value that @apollo/gateway rejects. If the check
 * rejects a value, @apollo/gateway executes the plan and decides.
 */
function leafCheck(type: GraphQLOutputType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  // A custom scalar may hold any value.
  return builtInScalarCheck(type) ?? ((value) => value !== undefined);
}
