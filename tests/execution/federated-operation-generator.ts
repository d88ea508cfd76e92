import { createRandomChoices } from '@lectern/testing';
import type { GraphQLArgument, GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import { createGeneratedVariables } from './generated-variables';
import type { GeneratedOperation } from './operation-generator';

/**
 * The fields that operations may select, by type. They cost little, so few operations exceed the
 * limits.
 */
const fieldsByType: Record<string, readonly string[]> = {
  Query: ['search', 'searchVerses', 'concordance', 'passage', 'verse', 'translations', 'languages', 'translation'],
  Verse: ['id', 'bookId', 'bookName', 'chapter', 'verse', 'text', 'reference', 'inTranslation', 'words', 'similar'],
  Word: ['text', 'start', 'length', 'strongs'],
  StrongsEntry: ['number', 'lemma', 'transliteration', 'language'],
  SemanticSearchResult: ['verse', 'similarity'],
  Passage: ['reference', 'text', 'translationNote', 'verses'],
  VerseSearchPage: ['totalCount', 'edges', 'suggestion'],
  VerseSearchEdge: ['cursor', 'node'],
  ConcordanceConnection: ['totalCount', 'edges'],
  ConcordanceEdge: ['cursor', 'node'],
  ConcordanceOccurrence: ['verse', 'context', 'strongs'],
  Translation: ['id', 'identifier', 'name', 'abbrev', 'hasEmbeddings', 'concordanceIndexedAt', 'hasStemming'],
  Language: ['code', 'translations'],
};

/**
 * Values by argument name. There are few values, so that several fields have equal arguments.
 * Operations contain no other arguments.
 */
const valuesByName: Record<string, readonly unknown[]> = {
  identifier: ['eng-web', 'eng-kjv', 'spa-rv1909', 'spa-rv1909', 'nope'],
  translation: ['eng-web', 'eng-kjv', 'spa-rv1909', null],
  limit: [0, 1, 2, 3],
  first: [1, 2, 3],
  query: ['love', 'grace mercy peace', 'amor', 'xyzzy'],
  word: ['love', 'amor', 'xyzzy'],
  reference: ['John 3:16-17', 'Jude 5', 'John 99', 'Ps 3:1-3, Joel 3:1', 'Romans 16:25-26; 3 Jn 15'],
  book: ['JHN', 'JHN', '3JN'],
  chapter: [1, 3],
  verse: [1, 15, 16],
};

/** Aliases that are names of other fields or of members of Object.prototype. */
const conflictingAliases = ['id', 'text', 'identifier', 'name', 'words', 'constructor', 'toString', '_entities'];

const maxLevels = 6;

/** Returns a GraphQL name that contains all parts. */
const nameFor = (...parts: readonly unknown[]): string => parts.map(String).join('_').replaceAll(/\W/g, '_');

interface GivenArgument {
  text: string;
  /** A name that differs for each literal and each variable. Aliases contain this name. */
  name: string;
}

/**
 * Generates an operation from fields of the text, search and concordance subgraphs. Most operations
 * are valid. The same seed generates the same operation. Operations have fields that merge, nested
 * and repeated fragments, conditions and variables. Fields with one response name have the same
 * arguments, so that validation accepts them. With `wild`, some aliases are names of other fields.
 */
export function generateFederatedOperation(
  schema: GraphQLSchema,
  seed: number,
  { wild }: { wild: boolean },
): GeneratedOperation {
  const choices = createRandomChoices(seed);
  const { random, chance, pick } = choices;
  const variables = createGeneratedVariables(choices);
  const fragments: { name: string; type: GraphQLObjectType; level: number; text: string }[] = [];

  const argument = ({ name, type }: GraphQLArgument): GivenArgument[] => {
    const values = (valuesByName[name] ?? []).filter((each) => each !== null || !isNonNullType(type));
    if (values.length === 0 || (!isNonNullType(type) && chance(0.2))) return [];
    const value = pick(values);
    if (chance(0.7)) return [{ text: `${name}: ${JSON.stringify(value)}`, name: nameFor(name, value) }];
    const variable = nameFor(name, value, type);
    variables.declare(variable, { type: String(type), value, other: pick(values) });
    return [{ text: `${name}: $${variable}`, name: variable }];
  };

  /**
   * Most conditions include the field. The variables of conditions have at most six names, so that
   * several conditions use one variable.
   */
  const condition = (directive: 'include' | 'skip'): string => {
    if (chance(0.3)) return ` @${directive}(if: ${(directive === 'include') === chance(0.85)})`;
    const variable = `c${Math.floor(random() * random() * 6)}`;
    const value = (directive === 'include') === chance(0.75);
    variables.declare(variable, { type: 'Boolean!', value, other: !value });
    return ` @${directive}(if: $${variable})`;
  };
  const conditions = (): string =>
    chance(0.88) ? '' : (['include', 'skip'] as const).flatMap((each) => (chance(0.6) ? condition(each) : [])).join('');

  const fieldOf = (type: GraphQLObjectType, level: number): GraphQLField<unknown, unknown> => {
    const all = (fieldsByType[type.name] ?? []).map((name) => {
      const field = type.getFields()[name];
      if (!field) throw new Error(`${type.name} has no field ${name}`);
      return field;
    });
    const leaves = all.filter((each) => isLeafType(getNamedType(each.type)));
    // At the maximum level, only fields without a selection set are chosen. At other levels, each
    // field with a selection set is twice as likely as a field without one.
    return pick(
      level >= maxLevels && leaves.length > 0 ? leaves : [...all, ...all.filter((each) => !leaves.includes(each))],
    );
  };

  const aliasFor = (name: string, args: readonly GivenArgument[], isLeaf: boolean): string => {
    if (wild && isLeaf && chance(0.1)) return `${pick(conflictingAliases)}: `;
    if (args.length > 0) return `${nameFor(name, ...args.map((each) => each.name))}: `;
    return chance(0.15) ? `x_${name}: ` : '';
  };

  const field = (type: GraphQLObjectType, level: number): string => {
    const { name, type: fieldType, args: definitions } = fieldOf(type, level);
    const args = definitions.flatMap(argument);
    const inner = getNamedType(fieldType);
    const own = `${aliasFor(name, args, isLeafType(inner))}${name}${args.length > 0 ? `(${args.map(({ text }) => text).join(', ')})` : ''}${conditions()}`;
    return isObjectType(inner) ? `${own} { ${selection(inner, level + 1)} }` : own;
  };

  const spread = (type: GraphQLObjectType, level: number): string => {
    // Reuses only fragments that were made at this level or deeper, so that the operation does not
    // become deeper than `maxLevels` allows.
    const known = fragments.filter((each) => each.type === type && each.level >= level);
    if (known.length > 0 && chance(0.5)) return `...${pick(known).name}${conditions()}`;
    const text = selection(type, level + 1);
    const name = `F${fragments.length}`;
    fragments.push({ name, type, level, text });
    return `...${name}${conditions()}`;
  };

  const part = (type: GraphQLObjectType, level: number): string => {
    const kind = random();
    if (kind < 0.62 || level >= maxLevels) return field(type, level);
    if (kind < 0.72)
      return `...${chance(0.7) ? ` on ${type.name}` : ''}${conditions()} { ${selection(type, level + 1)} }`;
    if (kind < 0.85) return spread(type, level);
    if (kind < 0.95) return chance(0.5) ? '__typename' : 't: __typename';
    const twice = field(type, level);
    return `${twice} ${twice}`;
  };

  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  const selection = (type: GraphQLObjectType, level: number): string =>
    Array.from({ length: 1 + Math.floor(random() * (type === root ? 2 : 4)) }, () => part(type, level)).join(' ');

  const body = selection(root, 1);
  const definitions = fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} { ${text} }`);
  return {
    query: [`query ${chance(0.5) ? 'G' : ''}${variables.declarations()} { ${body} }`, ...definitions].join(' '),
    variables: variables.values,
  };
}
