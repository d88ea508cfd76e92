import { createRandomChoices } from '@lectern/testing';
import type { GraphQLArgument, GraphQLField, GraphQLInputType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

export interface GeneratedOperation {
  query: string;
  variables: Record<string, unknown>;
}

/** Values by argument name. Some of them are invalid. */
const valuesByName: Record<string, readonly unknown[]> = {
  book: ['JHN', 'Genesis', 'Salmos', 'obadiah', 'Nowhere', ''],
  books: ['JHN, Ruth', 'OBA', ' '],
  chapter: [1, 3, 23, 999, -1],
  verse: [1, 16, 200],
  identifier: ['eng-web', 'eng-kjv', 'spa-rv1909', 'klingon'],
  translation: ['eng-web', 'eng-kjv', 'spa-rv1909', 'klingon', null],
  reference: ['John 3:16-18', 'Ps 23', 'Jude 5', 'Rom 8:1-4; 12:1-2', 'Nonexistent 1:1', ''],
  text: ['See John 3:16 and Ps 1.', 'nothing here'],
  query: ['love', '"in the beginning"', 'shepherd god', '%%%', ''],
  word: ['love', 'misericordia', 'covenant', ' '],
  prefix: ['lo', 'z', ''],
  number: ['G26', 'H430', 'X1'],
  date: ['2026-12-25', '2024-02-29', '2026-02-30'],
  after: [null, '', 'bm90aGluZw', 'SkhOOjM6MTY'],
  testament: ['OT', 'NT', 'x'],
};

const maxLevels = 4;
const maxFields = 4;

/**
 * Generates an operation from a seed: nested fields, aliases, fragments, conditions and variables.
 * Most operations are valid, and a few have mistakes that clients make. Fields in `without`
 * (Type.field) are left out. `values` has further values by argument name.
 */
export function generateOperation(
  schema: GraphQLSchema,
  seed: number,
  without: ReadonlySet<string>,
  values: Readonly<Record<string, readonly unknown[]>> = {},
): GeneratedOperation {
  const { random, chance, pick } = createRandomChoices(seed);
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fragments: string[] = [];

  const literal = (type: GraphQLInputType, value: unknown): string =>
    isEnumType(getNamedType(type)) && typeof value === 'string' ? value : JSON.stringify(value);

  const valueOf = ({ name, type }: GraphQLArgument): unknown => {
    const named = getNamedType(type);
    const known = values[name] ?? valuesByName[name];
    const one = isEnumType(named)
      ? pick(named.getValues()).name
      : known && !(named.name === 'Int' && typeof known[0] !== 'number')
        ? pick(known)
        : named.name === 'Int'
          ? pick([0, 1, 2, 3, 5, -1, 1_000])
          : named.name === 'Boolean'
            ? chance(0.5)
            : isInputObjectType(named)
              ? {}
              : pick(['x', 'John', '']);
    const nullable = isNonNullType(type) ? type.ofType : type;
    return isListType(nullable) && one !== null && !Array.isArray(one) ? [one] : one;
  };

  const argument = (definition: GraphQLArgument): string[] => {
    if (!isNonNullType(definition.type) && chance(0.5)) return [];
    const value = valueOf(definition);
    if (chance(0.6))
      return value === null && isNonNullType(definition.type)
        ? []
        : [`${definition.name}: ${literal(definition.type, value)}`];
    const name = `v${declared.length}`;
    const nullable = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
    const withDefault = chance(0.3) && value !== null;
    declared.push(
      `$${name}: ${String(withDefault ? nullable : definition.type)}${withDefault ? ` = ${literal(definition.type, value)}` : ''}`,
    );
    // A variable with a default sometimes gets no value. A value sometimes has the wrong type or is
    // null.
    if (!withDefault || chance(0.5)) variables[name] = chance(0.04) ? { no: 'such' } : chance(0.04) ? null : value;
    return [`${definition.name}: $${name}`];
  };

  const condition = (): string => {
    if (!chance(0.08)) return '';
    if (chance(0.5)) return chance(0.5) ? ' @include(if: true)' : ' @skip(if: false)';
    const name = `c${declared.length}`;
    declared.push(`$${name}: Boolean!`);
    variables[name] = chance(0.5);
    return ` @${chance(0.5) ? 'include' : 'skip'}(if: $${name})`;
  };

  let aliases = 0;
  const field = (definition: GraphQLField<unknown, unknown>, level: number): string => {
    const args = definition.args.flatMap(argument);
    const type = getNamedType(definition.type);
    const inner = isObjectType(type) ? ` { ${selection(type, level + 1)} }` : '';
    aliases += 1;
    // Two fields with one response name and different arguments are invalid. A few operations
    // contain this error.
    const alias =
      args.length > 0 || isObjectType(type)
        ? chance(0.97)
          ? `a${aliases}: `
          : ''
        : chance(0.2)
          ? `a${aliases}: `
          : '';
    return `${alias}${definition.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${condition()}${inner}`;
  };

  const selection = (type: GraphQLObjectType, level: number): string => {
    const all = Object.values(type.getFields()).filter((each) => !without.has(`${type.name}.${each.name}`));
    const leaves = all.filter((each) => isLeafType(getNamedType(each.type)));
    const list = level < maxLevels ? all : leaves;
    const chosen =
      list.length === 0 ? [] : Array.from({ length: 1 + Math.floor(random() * maxFields) }, () => pick(list));
    const parts = [...new Set(chosen)].map((each) => field(each, level));
    if (chance(0.15) || parts.length === 0) parts.push('__typename');
    const whole = parts.join(' ');
    if (chance(0.1)) return `... on ${type.name} { ${whole} }`;
    if (!chance(0.1)) return chance(0.01) ? `${whole} noSuchField` : whole;
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name} on ${type.name} { ${whole} }`);
    return `...${name}`;
  };

  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  const body = selection(root, 1);
  return {
    query: `query G${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${body} } ${fragments.join(' ')}`.trim(),
    variables,
  };
}
