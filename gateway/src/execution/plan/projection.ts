import { builtInScalarCheck, collectFields, collectSubfields, fragmentsByName, setProperty } from '@lectern/execution';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { ChosenOperation, Variables } from '../operation';

interface ProjectedData {
  readonly data: Record<string, unknown> | null;
  readonly hasPropagatedNull: boolean;
  /** Whether the data is so large that it must be written as JSON in several steps. */
  readonly isLarge: boolean;
}

/**
 * Copies the fields that an operation selects from merged data. `invalid`: the data does not fit
 * the schema.
 */
export interface Projection {
  /**
   * Projects in one step. Returns null for more than `maxValues` fields and list items, 10,000 by
   * default.
   */
  project(data: unknown, maxValues?: number): ProjectedData | 'invalid' | null;
  projectInSteps(data: unknown): Generator<void, ProjectedData | 'invalid'>;
}

/**
 * Data with at most this many fields and list items is projected and written as JSON in one step.
 */
const maxValuesAtOnce = 10_000;

/** Data whose strings have at most this many UTF-16 units is written as JSON in one step. */
const maxCharactersAtOnce = 500_000;

export interface ProjectedOperation extends ChosenOperation {
  /** The client's names of renamed fields, by the name in the operation. */
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
  const { project, projectInSteps } = compiled;
  const toData = (data: unknown, { values, characters, hasPropagatedNull }: ProjectionState) => {
    if (data === undefined) return 'invalid';
    const isLarge = values > maxValuesAtOnce || characters > maxCharactersAtOnce;
    return { data: data as Record<string, unknown> | null, hasPropagatedNull, isLarge };
  };
  return {
    project(data, maxValues = maxValuesAtOnce) {
      const state = startProjection(maxValues);
      const projected = project(data, state);
      return state.values > maxValues ? null : toData(projected, state);
    },
    *projectInSteps(data) {
      const state = startProjection(Infinity);
      return toData(projectInSteps ? yield* projectInSteps(data, state) : project(data, state), state);
    },
  };
}

/**
 * Puts the fields of @apollo/gateway's data into the order of the operation, as the specification
 * says. @apollo/gateway merges fragments on one type, and so changes the order; all other
 * strategies keep the order. Data without a projection (see `compileProjection`), or that does not
 * fit the schema, is returned unchanged.
 */
export function sortFields(
  schema: GraphQLSchema,
  operation: ChosenOperation,
  coercedVariables: Readonly<Variables>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const projected = compileProjection(schema, operation, { ...coercedVariables })?.project(data, Infinity);
  return (projected !== 'invalid' && projected?.data) || data;
}

/** The state of one projection of data. */
interface ProjectionState {
  /** The number of fields and list items so far. */
  values: number;
  /** The number of UTF-16 units in the strings so far. */
  characters: number;
  /** The number of values above which a projection without steps stops. */
  readonly maxValues: number;
  /** The number of values above which a projection in steps pauses next. */
  pauseAbove: number;
  /** Whether a non-null value was null, so that an object or a list around it became null. */
  hasPropagatedNull: boolean;
}

const startProjection = (maxValues: number): ProjectionState => ({
  values: 0,
  characters: 0,
  maxValues,
  pauseAbove: valuesPerStep,
  hasPropagatedNull: false,
});

/**
 * Copies the fields that the operation selects from merged data, in the order of the operation.
 * Returns undefined if the value does not fit the schema or there are more than `maxValues` values,
 * and `propagatedNull` for a null that must not be null.
 */
type ProjectValue = (value: unknown, state: ProjectionState) => unknown;

interface ValueProjection {
  readonly project: ProjectValue;
  /** Projects in steps of less than a millisecond. Null if the value has no lists. */
  readonly projectInSteps: ((value: unknown, state: ProjectionState) => Generator<void, unknown>) | null;
}

const propagatedNull = Symbol('null of a non-null value');

/** How many fields and list items are projected in one step of less than a millisecond. */
const valuesPerStep = 2_000;

interface ProjectionParts {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /**
   * The values of the variables in @skip and @include. The projection holds for these values only.
   */
  readonly conditions: Variables;
  /** The client's names of renamed fields, by new name. */
  readonly clientNames: ReadonlyMap<string, string>;
  /** Called for each compiled field, so that the caller can count the fields. */
  readonly onField: () => void;
}

interface FieldProjection extends ValueProjection {
  /** The key in the merged data. */
  readonly key: string;
  /** The key in the response to the client. */
  readonly clientKey: string;
}

/**
 * Compiles the projection of an object. Returns null if the operation selects introspection fields,
 * or fields of an interface or union, in this object or below.
 */
function compileObject(
  parts: ProjectionParts,
  type: GraphQLObjectType,
  fieldNodes: ReadonlyMap<string, readonly FieldNode[]>,
): ValueProjection | null {
  const fields: FieldProjection[] = [];
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
  return {
    project(value, state) {
      if (!isOfType(value)) return undefined;
      state.values += fields.length;
      if (state.values > state.maxValues) return undefined;
      const object: Record<string, unknown> = {};
      for (const { key, clientKey, project } of fields) {
        const field = project(valueOf(value, key), state);
        if (field === undefined) return undefined;
        if (field === propagatedNull) return null;
        setProperty(object, clientKey, field);
      }
      return object;
    },
    projectInSteps: fields.every(({ projectInSteps }) => projectInSteps === null)
      ? null
      : function* (value, state) {
          if (!isOfType(value)) return undefined;
          state.values += fields.length;
          const object: Record<string, unknown> = {};
          for (const { key, clientKey, project, projectInSteps } of fields) {
            const received = valueOf(value, key);
            const field = projectInSteps ? yield* projectInSteps(received, state) : project(received, state);
            if (field === undefined) return undefined;
            if (field === propagatedNull) return null;
            setProperty(object, clientKey, field);
          }
          return object;
        },
  };
}

function compileField(
  parts: ProjectionParts,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): ValueProjection | null {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return { project: () => type.name, projectInSteps: null };
  const definition = type.getFields()[name];
  return definition ? compileType(parts, definition.type, nodes) : null;
}

function compileType(
  parts: ProjectionParts,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): ValueProjection | null {
  const isRequired = isNonNullType(type);
  const inner = compileNotNull(parts, isRequired ? type.ofType : type, nodes);
  if (!inner) return null;
  const { project, projectInSteps } = inner;
  const isNull = (value: unknown): boolean => value === null || value === undefined;
  const checkNull = (projected: unknown, state: ProjectionState): unknown => {
    if (projected !== null || !isRequired) return projected;
    state.hasPropagatedNull = true;
    return propagatedNull;
  };
  return {
    project: (value, state) => checkNull(isNull(value) ? null : project(value, state), state),
    projectInSteps:
      projectInSteps &&
      function* (value, state) {
        return checkNull(isNull(value) ? null : yield* projectInSteps(value, state), state);
      },
  };
}

/** Compiles the projection of the values of a type, apart from null. */
function compileNotNull(
  parts: ProjectionParts,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): ValueProjection | null {
  if (isLeafType(type)) {
    const isValid = leafCheck(type);
    const project: ProjectValue = (value, state) => {
      if (typeof value === 'string') state.characters += value.length;
      return isValid(value) ? value : undefined;
    };
    return { project, projectInSteps: null };
  }
  if (isObjectType(type)) {
    const { schema, fragments, conditions } = parts;
    return compileObject(parts, type, collectSubfields(schema, fragments, conditions, type, nodes));
  }
  return isListType(type) ? compileList(parts, type.ofType, nodes) : null;
}

function compileList(
  parts: ProjectionParts,
  itemType: GraphQLOutputType,
  nodes: readonly FieldNode[],
): ValueProjection | null {
  const item = compileType(parts, itemType, nodes);
  if (!item) return null;
  const { project, projectInSteps } = item;
  return {
    project(value, state) {
      if (!Array.isArray(value)) return undefined;
      state.values += value.length;
      if (state.values > state.maxValues) return undefined;
      const list: unknown[] = [];
      let isNull = false;
      for (const each of value) {
        const projected = project(each, state);
        if (projected === undefined) return undefined;
        if (projected === propagatedNull) isNull = true;
        list.push(projected);
      }
      return isNull ? null : list;
    },
    *projectInSteps(value, state) {
      if (!Array.isArray(value)) return undefined;
      const list: unknown[] = [];
      let isNull = false;
      for (const each of value) {
        state.values += 1;
        if (state.values > state.pauseAbove) {
          state.pauseAbove = state.values + valuesPerStep;
          yield;
        }
        const projected = projectInSteps ? yield* projectInSteps(each, state) : project(each, state);
        if (projected === undefined) return undefined;
        if (projected === propagatedNull) isNull = true;
        list.push(projected);
      }
      return isNull ? null : list;
    },
  };
}

/**
 * Returns the check of the values of a leaf type. The check accepts only values that
 * @apollo/gateway accepts too. If it rejects a value, @apollo/gateway executes the plan and decides
 * on the value.
 */
function leafCheck(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  // A custom scalar may hold any value.
  return builtInScalarCheck(type) ?? (() => true);
}
