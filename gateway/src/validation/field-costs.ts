import { countVerses } from '@lectern/canon';
import type { DocumentNode, FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from 'graphql';
import { Kind } from 'graphql';
import { LRUCache } from 'lru-cache';
import { readDirectives } from '../supergraph/directives';

/** The cost that the value of an argument adds to its field. */
export interface ArgumentCost {
  argument: string;
  /** The number of characters of a text that cost 1. Null if the length of the text costs nothing. */
  characters: number | null;
  /** The maximum number of characters that count. */
  max: number;
  /** The costs of the values of an enum, by value. */
  values: ReadonlyMap<string, number>;
}

/** The cost of a field by `@fieldCost` and `@argumentCost`. docs/subgraphs.md has the formulas. */
export interface FieldCost {
  base: number;
  /** How often the selection counts, if no argument says so. Null: a page without its argument counts `max` items. */
  items: number | null;
  /** The name of the argument that sets the number of items. Null if no argument does. */
  perItem: string | null;
  /** The names of the arguments that name verses. Empty if the cost does not depend on verses. */
  verses: readonly string[];
  /** The selected fields with an item for each named verse. Empty if the field itself has them. */
  sizedFields: readonly string[];
  divide: number;
  max: number;
  /** Whether the field counts for each item of the lists around it, even if a list divides its costs by `divide`. */
  undivided: boolean;
  arguments: readonly ArgumentCost[];
}

/** The cost of a field without `@fieldCost`. */
export const defaultCost: FieldCost = {
  base: 1,
  items: 1,
  perItem: null,
  verses: [],
  sizedFields: [],
  divide: 1,
  max: Number.MAX_SAFE_INTEGER,
  undivided: false,
  arguments: [],
};

const specification = 'https://lectern.example/cost/';

/** Reads the declared costs, by `Type.field`. Throws an error of one line that names the field if one is invalid. */
export function readFieldCosts(supergraph: DocumentNode): ReadonlyMap<string, FieldCost> {
  const fields = fieldsByType(supergraph);
  const declaredCosts = readDirectives(supergraph, specification, 'fieldCost');
  const argumentCosts = readArgumentCosts(supergraph);
  const costs = new Map<string, FieldCost>();
  for (const [type, ofType] of fields)
    for (const [name, field] of ofType) {
      const coordinate = `${type}.${name}`;
      const declared = declaredCosts.get(coordinate);
      const ofArguments = (field.arguments ?? []).flatMap((argument) => argumentCosts(coordinate, argument));
      if (!declared && ofArguments.length === 0) continue;
      const items = declared && 'perItem' in declared ? null : defaultCost.items;
      const cost = { ...defaultCost, items, ...declared, arguments: ofArguments };
      // GraphQL allows a single value in place of a list of one item.
      const read = { ...cost, verses: [cost.verses].flat(), sizedFields: [cost.sizedFields].flat() };
      const problem = findProblem(declared ?? {}, read, field, fields);
      if (problem) throw new Error(`@fieldCost of ${coordinate}: ${problem}`);
      costs.set(coordinate, read);
    }
  return costs;
}

/** Returns the cost of an argument's value as a list of one item, or an empty list. */
function readArgumentCosts(supergraph: DocumentNode) {
  const declared = readDirectives(supergraph, specification, 'argumentCost');
  const valuesOf = new Map<string, Map<string, number>>();
  for (const [coordinate, { base }] of declared) {
    const [type = '', value = ''] = coordinate.split('.');
    if (value.includes('(')) continue;
    if (!isWhole(base, 0)) throw new Error(`@argumentCost of ${coordinate}: base ${mustBeWhole(base, 0)}`);
    valuesOf.set(type, new Map(valuesOf.get(type)).set(value, Number(base)));
  }
  return (field: string, { name, type }: InputValueDefinitionNode): ArgumentCost[] => {
    const argument = name.value;
    const values = valuesOf.get(namedType(type)) ?? new Map<string, number>();
    const own = declared.get(`${field}(${argument}:)`);
    const { characters = null, max = Number.MAX_SAFE_INTEGER } = own ?? {};
    const fail = (problem: string) => new Error(`@argumentCost of ${field}(${argument}:): ${problem}`);
    if (own && typeWithoutNull(type) !== 'String') throw fail('only the length of a String has a cost.');
    if (own && !isWhole(characters, 1)) throw fail(`characters ${mustBeWhole(characters, 1)}`);
    if (own && !isWhole(max, 1)) throw fail(`max ${mustBeWhole(max, 1)}`);
    if (!own && values.size === 0) return [];
    return [{ argument, characters: own ? Number(characters) : null, max: Number(max), values }];
  };
}

const isWhole = (value: unknown, min: number): boolean => Number.isSafeInteger(value) && Number(value) >= min;
const mustBeWhole = (value: unknown, min: number): string =>
  `is ${String(value)}, but must be a whole number from ${min}.`;

type FieldsByType = ReadonlyMap<string, ReadonlyMap<string, FieldDefinitionNode>>;

const fieldsByType = ({ definitions }: DocumentNode): FieldsByType =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      .map(({ name, fields = [] }) => [name.value, new Map(fields.map((field) => [field.name.value, field]))]),
  );

/** Returns the name of a type without list brackets and `!`. */
const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

/** Writes a type without `!`, such as `[ID]` for `[ID!]!`. */
function typeWithoutNull(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${typeWithoutNull(type.type)}]` : typeWithoutNull(type.type);
}

/** Types of arguments that name verses: by each item of `[ID]`, or of `[String]` a translation with all the verses. */
const typesOfVerses = ['String', 'Int', '[ID]', '[String]'];

const formatList = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function findProblem(
  declared: Readonly<Record<string, unknown>>,
  { base, items, perItem, verses, sizedFields, divide, max }: FieldCost,
  { arguments: args = [], type }: FieldDefinitionNode,
  fields: FieldsByType,
): string | null {
  const typeOf = (argument: string): string | null => {
    const found = args.find(({ name }) => name.value === argument);
    return found ? typeWithoutNull(found.type) : null;
  };
  if (!isWhole(base, 0)) return `base ${mustBeWhole(base, 0)}`;
  if (items !== null && !isWhole(items, 1)) return `items ${mustBeWhole(items, 1)}`;
  if (!isWhole(divide, 1)) return `divide ${mustBeWhole(divide, 1)}`;
  if (!isWhole(max, 1)) return `max ${mustBeWhole(max, 1)}`;
  if (perItem !== null && verses.length > 0) return 'declare perItem or verses, not both.';
  if (items !== null && items > 1 && verses.length > 0) return 'items does not go with verses.';
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

/** Reads the fields whose number of items an outer field determines, such as `Passage.verses` for `Query.passage`. */
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

/** Returns the cost in a few sentences. The names of arguments and values are in backticks. */
export function describeFieldCost(cost: FieldCost): string {
  const added = cost.arguments.map(({ argument, characters, max, values }) => {
    const each = Array.from(values, ([value, base]) => `\`${value}\` ${base}`);
    const bound = max === Number.MAX_SAFE_INTEGER ? '' : `, of at most ${max}`;
    return characters === null
      ? `\`${argument}\` adds: ${each.join(', ')}.`
      : `\`${argument}\` adds 1 for each ${characters} characters${bound}.`;
  });
  const counts = cost.undivided ? ['Counts for each item of the lists around it.'] : [];
  return [describeSelectionCost(cost), ...added, ...counts].join(' ');
}

function describeSelectionCost({ base, items, perItem, verses, sizedFields, divide, max }: FieldCost): string {
  if (verses.length > 0) {
    const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');
    const part = sizedFields.length > 0 ? code(sizedFields) : 'its selection';
    return `Costs ${base} plus the cost of its selection; ${part} costs once more for each ${divide} verses of ${code(verses)} after the first ${divide}, rounded down.`;
  }
  const whole = `${base} plus ${items === 1 ? '' : `${items} × `}the cost of its selection`;
  if (perItem === null) return `Costs ${whole}.`;
  const range = max === Number.MAX_SAFE_INTEGER ? 'at least 1' : `1 to ${max}`;
  const divisor = divide === 1 ? '' : ` ÷ ${divide}, rounded down`;
  const without = items === null ? '' : ` Without \`${perItem}\`, ${whole}.`;
  return `Costs \`${perItem}\` (${range}) × the cost of its selection${divisor}; at least ${base}.${without}`;
}

/** The maximum length of a reference, in UTF-16 units. The package `canon` parses no longer references. */
const maxReferenceCharacters = 200;
/** All references of a request together, in UTF-16 units. 100 such as "1 Timothy 5:16-18" have 1,700. */
const maxCountedCharacters = 2_000;

/** Languages read commas differently, so a reference with a comma is parsed four times. */
const commaFactor = 4;

const maxKnownReferences = 2_000;

/** Returns how many verses a text names: 0 if it is not a reference. */
export type CountVerses = (reference: string) => number;

/**
 * Creates a counter for each request. After `maxCountedCharacters`, a further reference counts `Infinity`, so that a
 * count depends on the request alone.
 */
export function createVerseCounters(): () => CountVerses {
  const known = new LRUCache<string, number>({ max: maxKnownReferences });
  const count = (reference: string): number => {
    if (reference.length > maxReferenceCharacters) return 0;
    const verses = known.get(reference) ?? countVerses(reference);
    known.set(reference, verses);
    return verses;
  };
  return () => {
    const counted = new Map<string, number>();
    let characters = 0;
    return (reference) => {
      const before = counted.get(reference);
      if (before !== undefined) return before;
      characters += Math.min(reference.length, maxReferenceCharacters) * (reference.includes(',') ? commaFactor : 1);
      const verses = characters > maxCountedCharacters ? Infinity : count(reference);
      counted.set(reference, verses);
      return verses;
    };
  };
}
