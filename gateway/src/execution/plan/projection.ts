import { builtInScalarCheck, collectFields, collectSubfields, fragmentsByName } from '@lectern/execution';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { ChosenOperation, Variables } from '../execution-types';

/**
 * Copies the fields that the operation selects from merged data, in the order of the operation.
 * Returns undefined if the value does not fit the schema.
 */
export type Project = (value: unknown) => unknown;

interface ProjectionParts {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /**
   * The values of the variables in @skip and @include. The projection holds for these values only.
   */
  readonly conditions: Variables;
  /** Called for each compiled field. */
  readonly onField: () => void;
}

/**
 * Compiles the projection of an operation's data. Returns null if the operation selects fields of
 * an interface or union, or of the schema: their fields depend on the value.
 */
export function compileProjection(
  schema: GraphQLSchema,
  { document, definition }: ChosenOperation,
  conditions: Variables,
  onField: () => void = () => {},
): Project | null {
  const root = schema.getRootType(definition.operation);
  if (!root) return null;
  const fragments = fragmentsByName(document);
  const fields = collectFields(schema, fragments, conditions, root, definition.selectionSet);
  return compileObject({ schema, fragments, conditions, onField }, root, fields);
}

/**
 * Puts the fields of @apollo/gateway's data into the order of the specification, which all other
 * strategies have. @apollo/gateway merges fragments on one type, and that changes the order. Data
 * that has no projection, with fields of interfaces, unions or the schema, is returned unchanged.
 */
export function sortFields(
  schema: GraphQLSchema,
  operation: ChosenOperation,
  coercedVariables: Readonly<Variables>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const project = compileProjection(schema, operation, { ...coercedVariables });
  return (project?.(data) ?? data) as Record<string, unknown>;
}

function compileObject(
  parts: ProjectionParts,
  type: GraphQLObjectType,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): Project | null {
  const projections: { key: string; project: Project }[] = [];
  for (const [key, nodes] of fields) {
    parts.onField();
    const project = compileField(parts, type, nodes);
    // An assignment to `__proto__` would set the prototype.
    if (!project || key === '__proto__') return null;
    projections.push({ key, project });
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const received = value as Readonly<Record<string, unknown>>;
    if (received['__typename'] !== undefined && received['__typename'] !== type.name) return undefined;
    const object: Record<string, unknown> = {};
    for (const { key, project } of projections) {
      const field = project(Object.hasOwn(received, key) ? received[key] : undefined);
      if (field === undefined) return undefined;
      object[key] = field;
    }
    return object;
  };
}

function compileField(parts: ProjectionParts, type: GraphQLObjectType, nodes: readonly FieldNode[]): Project | null {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return () => type.name;
  const definition = type.getFields()[name];
  return definition ? compileType(parts, definition.type, nodes) : null;
}

function compileType(parts: ProjectionParts, type: GraphQLOutputType, nodes: readonly FieldNode[]): Project | null {
  if (isNonNullType(type)) {
    const project = compileType(parts, type.ofType, nodes);
    return project && ((value) => project(value) ?? undefined);
  }
  const project = compileNonNull(parts, type, nodes);
  return project && ((value) => (value === null || value === undefined ? null : project(value)));
}

/** Compiles the projection of values that are not null. */
function compileNonNull(parts: ProjectionParts, type: GraphQLOutputType, nodes: readonly FieldNode[]): Project | null {
  if (isLeafType(type)) {
    const isValid = leafCheck(type);
    return (value) => (isValid(value) ? value : undefined);
  }
  if (isObjectType(type)) {
    const { schema, fragments, conditions } = parts;
    return compileObject(parts, type, collectSubfields(schema, fragments, conditions, type, nodes));
  }
  return isListType(type) ? compileList(parts, type.ofType, nodes) : null;
}

function compileList(parts: ProjectionParts, itemType: GraphQLOutputType, nodes: readonly FieldNode[]): Project | null {
  const project = compileType(parts, itemType, nodes);
  if (!project) return null;
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const list: unknown[] = [];
    for (const each of value) {
      const item = project(each);
      if (item === undefined) return undefined;
      list.push(item);
    }
    return list;
  };
}

/**
 * Accepts only values that @apollo/gateway accepts. @apollo/gateway decides on all other values.
 */
function leafCheck(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  // A custom scalar may hold any value.
  return builtInScalarCheck(type) ?? (() => true);
}
