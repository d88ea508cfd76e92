import { plainCheckOf } from '@lectern/execution';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields';

/** What an operation shows of a value that subgraphs gave, in the order it asks. Undefined where the value is not what the schema says: then there is an error to tell. */
export type Shape = (value: unknown) => unknown;

export interface ShapeParts {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /** The values of the variables that stand in @skip and @include: the shape holds for these. */
  readonly conditions: Record<string, unknown>;
  /** Told of every field of the shape. */
  readonly onField: () => void;
}

type Fields = ReadonlyMap<string, readonly FieldNode[]>;

/**
 * The shape of an object, found out once an operation. Null where there is more to find out for every call: interfaces and unions.
 */
export function compileObjectShape(parts: ShapeParts, type: GraphQLObjectType, fields: Fields): Shape | null {
  const shown: { key: string; shape: Shape }[] = [];
  for (const [key, nodes] of fields) {
    parts.onField();
    const shape = compileFieldShape(parts, type, nodes);
    // That name would set the prototype.
    if (!shape || key === '__proto__') return null;
    shown.push({ key, shape });
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const given = value as Readonly<Record<string, unknown>>;
    if (given['__typename'] !== undefined && given['__typename'] !== type.name) return undefined;
    const object: Record<string, unknown> = {};
    for (const { key, shape } of shown) {
      const field = shape(Object.hasOwn(given, key) ? given[key] : undefined);
      if (field === undefined) return undefined;
      object[key] = field;
    }
    return object;
  };
}

function compileFieldShape(parts: ShapeParts, type: GraphQLObjectType, nodes: readonly FieldNode[]): Shape | null {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return () => type.name;
  const definition = type.getFields()[name];
  return definition ? compileShape(parts, definition.type, nodes) : null;
}

function compileShape(parts: ShapeParts, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape | null {
  if (isNonNullType(type)) {
    const shape = compileShape(parts, type.ofType, nodes);
    return shape && ((value) => shape(value) ?? undefined);
  }
  const shape = compileValueShape(parts, type, nodes);
  return shape && ((value) => (value === null || value === undefined ? null : shape(value)));
}

function compileValueShape(parts: ShapeParts, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape | null {
  if (isLeafType(type)) {
    const isValid = checkOf(type);
    return (value) => (isValid(value) ? value : undefined);
  }
  if (isObjectType(type))
    return compileObjectShape(
      parts,
      type,
      collectSubfields(parts.schema, parts.fragments, parts.conditions, type, nodes),
    );
  return isListType(type) ? compileListShape(parts, type.ofType, nodes) : null;
}

function compileListShape(parts: ShapeParts, itemType: GraphQLOutputType, nodes: readonly FieldNode[]): Shape | null {
  const shape = compileShape(parts, itemType, nodes);
  if (!shape) return null;
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const list: unknown[] = [];
    for (const each of value) {
      const item = shape(each);
      if (item === undefined) return undefined;
      list.push(item);
    }
    return list;
  };
}

/** As strict as the engine, or stricter: what is refused here is looked at again there. */
function checkOf(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  // A scalar of a subgraph's own may be anything.
  return plainCheckOf(type) ?? (() => true);
}
