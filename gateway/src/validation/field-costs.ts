import type { FieldCost } from '@lectern/site';
import type { DocumentNode, FieldDefinitionNode, TypeNode } from 'graphql';
import { Kind } from 'graphql';
import { readFieldDirectives } from '../supergraph/directives';

/** The cost of a field without `@fieldCost`. */
export const defaultCost: FieldCost = {
  base: 1,
  items: 1,
  perItem: null,
  verses: [],
  sizedFields: [],
  divide: 1,
  max: Number.MAX_SAFE_INTEGER,
};

/**
 * Reads the costs that subgraphs declare with `@fieldCost`, by `Type.field`. Throws an error of one
 * line that names the field if a cost cannot be computed.
 */
export function readFieldCosts(supergraph: DocumentNode): ReadonlyMap<string, FieldCost> {
  const fields = fieldsByType(supergraph);
  return new Map(
    [...readFieldDirectives(supergraph, 'https://lectern.example/cost/', 'fieldCost')].map(([coordinate, declared]) => {
      const cost = { ...defaultCost, ...declared };
      // GraphQL also takes one value for a list.
      const read = { ...cost, verses: [cost.verses].flat(), sizedFields: [cost.sizedFields].flat() };
      const [type = '', name = ''] = coordinate.split('.');
      const field = fields.get(type)?.get(name);
      const problem = field && findProblem(declared, read, field, fields);
      if (problem) throw new Error(`@fieldCost of ${coordinate}: ${problem}`);
      return [coordinate, read];
    }),
  );
}

type FieldsByType = ReadonlyMap<string, ReadonlyMap<string, FieldDefinitionNode>>;

const fieldsByType = ({ definitions }: DocumentNode): FieldsByType =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      .map(({ name, fields = [] }) => [name.value, new Map(fields.map((field) => [field.name.value, field]))]),
  );

/** The named type without its list and `!`. */
const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

/** `[ID]` for `[ID!]!`. */
function typeWithoutNull(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${typeWithoutNull(type.type)}]` : typeWithoutNull(type.type);
}

/** The types of arguments that may name verses. A list names one verse with each of its items. */
const typesOfVerses = ['String', 'Int', '[ID]'];

const formatList = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function findProblem(
  declared: Readonly<Record<string, unknown>>,
  { base, items, perItem, verses, sizedFields, divide, max }: FieldCost,
  { arguments: args = [], type }: FieldDefinitionNode,
  fields: FieldsByType,
): string | null {
  const isWhole = (value: number, min: number): boolean => Number.isSafeInteger(value) && value >= min;
  const typeOf = (argument: string): string | null => {
    const found = args.find(({ name }) => name.value === argument);
    return found ? typeWithoutNull(found.type) : null;
  };
  if (!isWhole(base, 0)) return `base is ${base}, but must be a whole number from 0.`;
  if (!isWhole(items, 1)) return `items is ${items}, but must be a whole number from 1.`;
  if (!isWhole(divide, 1)) return `divide is ${divide}, but must be a whole number from 1.`;
  if (!isWhole(max, 1)) return `max is ${max}, but must be a whole number from 1.`;
  if (perItem !== null && verses.length > 0) return 'declare perItem or verses, not both.';
  if (items > 1 && (perItem !== null || verses.length > 0)) return 'items does not go with perItem or verses.';
  if (perItem === null && verses.length === 0 && ('divide' in declared || 'max' in declared))
    return 'divide and max need perItem or verses.';
  if (sizedFields.length > 0 && verses.length === 0) return 'sizedFields needs verses.';
  for (const argument of [...(perItem === null ? [] : [perItem]), ...verses]) {
    const typeName = typeOf(argument);
    if (typeName === null) return `the field has no argument "${argument}".`;
    const allowed = perItem === null ? typesOfVerses : ['Int'];
    if (!allowed.includes(typeName))
      return `the argument "${argument}" has the type ${typeName}, but must have ${formatList.format(allowed)}.`;
  }
  if (verses.length > 1 && verses.some((argument) => typeOf(argument) === '[ID]'))
    return 'a list of ids in verses must be its only argument.';
  const missing = sizedFields.find((name) => !fields.get(namedType(type))?.has(name));
  return missing === undefined ? null : `${namedType(type)} has no field "${missing}".`;
}

/**
 * The coordinates of the fields that a field above sizes, such as `Passage.verses`, which has as
 * many items as the reference of `Query.passage` names verses.
 */
export function readSizedFields(
  supergraph: DocumentNode,
  fieldCosts: ReadonlyMap<string, FieldCost>,
): ReadonlySet<string> {
  const fields = fieldsByType(supergraph);
  return new Set(
    [...fieldCosts].flatMap(([coordinate, { sizedFields }]) => {
      const [type = '', name = ''] = coordinate.split('.');
      const field = fields.get(type)?.get(name);
      return field ? sizedFields.map((sized) => `${namedType(field.type)}.${sized}`) : [];
    }),
  );
}
