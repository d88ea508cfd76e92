import { createRandomChoices } from '@lectern/testing';
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  parse,
  validate,
} from 'graphql';

export interface GeneratedQuery {
  query: string;
  variables: Record<string, unknown>;
}

const maxLevels = 5;
const maxAttempts = 50;
const scalarValues: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, 2],
  Float: [1.5, 2],
  Boolean: [true, false],
  ID: ['1', 'p1', 'u1', 'a@x'],
  String: ['', 'x', 'with "quotes"'],
};
const otherScalarValues = [1, 'text', [1], { a: [null] }];

/**
 * Generates a valid query over any schema. The same seed generates the same query. The queries have aliases that equal
 * the names of other fields, fragments on all types that overlap, conditions, variables and fields that merge. Without
 * `collides`, aliases and variables have names that nothing else has: @apollo/gateway can execute such queries.
 */
export function generateQuery(schema: GraphQLSchema, seed: number, { collides = true } = {}): GeneratedQuery {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const generated = generateAttempt(schema, seed * maxAttempts + attempt, collides);
    // An attempt is invalid if two fields with one response name differ.
    if (validate(schema, parse(generated.query)).length === 0) return generated;
  }
  return { query: '{ __typename }', variables: {} };
}

function generateAttempt(schema: GraphQLSchema, seed: number, collides: boolean): GeneratedQuery {
  const { random, chance, pick } = createRandomChoices(seed);
  const composites = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLCompositeType => isCompositeType(type) && !type.name.startsWith('__'),
  );
  const fieldNames = composites.flatMap((type) => (isUnionType(type) ? [] : Object.keys(type.getFields())));
  const declarations: string[] = [];
  const variables: Record<string, unknown> = {};
  const fragments: { name: string; type: GraphQLCompositeType; level: number; text: string }[] = [];
  const conditionNames = new Map<string, true>();
  let aliases = 0;

  const valueOf = (type: GraphQLInputType, level = 0): unknown => {
    if (!isNonNullType(type) && chance(0.1)) return null;
    const nullable = getNullableType(type);
    if (isListType(nullable))
      return Array.from({ length: Math.floor(random() * 3) }, () =>
        valueOf(nullable.ofType as GraphQLInputType, level),
      );
    if (isEnumType(nullable)) return pick(nullable.getValues()).name;
    if (!isInputObjectType(nullable)) return pick(scalarValues[getNamedType(nullable).name] ?? otherScalarValues);
    const fields = Object.values(nullable.getFields()).filter(
      (field) => isNonNullType(field.type) || (level < 2 && chance(0.5)),
    );
    return Object.fromEntries(fields.map((field) => [field.name, valueOf(field.type, level + 1)]));
  };

  const declare = (type: GraphQLInputType, value: unknown): string => {
    const ownName = `v${declarations.length}`;
    const name = pick([ownName, collides ? `representations${declarations.length || ''}` : ownName]);
    const hasDefault = chance(0.4) && value !== null;
    const declared = hasDefault ? String(getNullableType(type)) : String(type);
    declarations.push(`$${name}: ${declared}${hasDefault ? ` = ${literal(type, value)}` : ''}`);
    if (!hasDefault && (isNonNullType(type) || chance(0.8))) variables[name] = value;
    return `$${name}`;
  };

  const condition = (): string => {
    if (!chance(0.12)) return '';
    const directive = pick(['include', 'skip']);
    if (chance(0.3)) return ` @${directive}(if: ${chance(0.5)})`;
    const name = pick(['c0', 'c1', 'c2']);
    if (!conditionNames.has(name)) {
      conditionNames.set(name, true);
      const hasDefault = chance(0.3);
      declarations.push(`$${name}: Boolean${hasDefault ? ` = ${chance(0.5)}` : '!'}`);
      if (!hasDefault) variables[name] = chance(0.5);
    }
    return ` @${directive}(if: $${name})`;
  };

  const fieldText = (field: GraphQLField<unknown, unknown>, level: number): string => {
    const args = field.args
      .filter((argument) => isNonNullType(argument.type) || chance(0.5))
      .map((argument) => {
        const value = valueOf(argument.type);
        return `${argument.name}: ${chance(0.4) ? declare(argument.type, value) : literal(argument.type, value)}`;
      });
    const inner = getNamedType(field.type);
    const isComposite = isCompositeType(inner);
    aliases += 1;
    // Fields with arguments or selections get their own alias, because others with the same name would conflict.
    const ownName = `x${aliases}`;
    const alias =
      args.length > 0 || (isComposite && chance(0.5))
        ? chance(0.1)
          ? `${pick(collides ? fieldNames : [ownName])}: `
          : `${ownName}: `
        : chance(0.3)
          ? `${pick(collides ? [...fieldNames, '__typename', ownName] : [ownName])}: `
          : '';
    const own = `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${condition()}`;
    return isComposite ? `${own} { ${selection(inner, level + 1)} }` : own;
  };

  const overlapping = (type: GraphQLCompositeType): GraphQLCompositeType[] => {
    const possible = isObjectType(type) ? [type] : schema.getPossibleTypes(type);
    return composites.filter((other) =>
      possible.some((each) => (isObjectType(other) ? other === each : schema.isSubType(other, each))),
    );
  };

  const part = (type: GraphQLCompositeType, level: number): string => {
    const kind = random();
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const shallow = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    const usable = level >= maxLevels ? shallow : fields;
    if (usable.length > 0 && kind < (isAbstractType(type) ? 0.5 : 0.75)) return fieldText(pick(usable), level);
    if (level >= maxLevels || kind > 0.93) return chance(0.6) ? '__typename' : `t${(aliases += 1)}: __typename`;
    if (kind > 0.9 && type === schema.getQueryType()) return 's: __schema { queryType { name } }';
    if (kind > 0.88) return `...${condition()} { ${selection(type, level + 1)} }`;
    // An interface may have no types.
    const other = pick(overlapping(type)) ?? type;
    if (chance(0.7)) return `... on ${other.name}${condition()} { ${selection(other, level + 1)} }`;
    const known = fragments.filter((each) => each.type === other && each.level >= level);
    if (known.length > 0 && chance(0.5)) return `...${pick(known).name}${condition()}`;
    const text = selection(other, level + 1);
    const name = `F${fragments.length}`;
    fragments.push({ name, type: other, level, text });
    return `...${name}${condition()}`;
  };

  const selection = (type: GraphQLCompositeType, level: number): string =>
    Array.from({ length: 1 + Math.floor(random() * (level === 0 ? 2 : 4)) }, () => part(type, level)).join(' ');

  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  const body = selection(root, 0);
  const head = `query${declarations.length > 0 ? ` (${declarations.join(', ')})` : ''}`;
  const definitions = fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} { ${text} }`);
  return { query: [`${head} { ${body} }`, ...definitions].join(' '), variables };
}

/** Writes a value as a literal of GraphQL. */
function literal(type: GraphQLInputType, value: unknown): string {
  if (value === null) return 'null';
  const nullable = getNullableType(type);
  if (Array.isArray(value))
    return `[${value.map((each) => literal(isListType(nullable) ? (nullable.ofType as GraphQLInputType) : nullable, each)).join(', ')}]`;
  if (typeof value === 'object') {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${literal(fields[name]?.type ?? nullable, each)}`)
      .join(', ')} }`;
  }
  return isEnumType(nullable) ? String(value) : JSON.stringify(value);
}
