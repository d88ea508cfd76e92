// An operation for each field of the public schema, so that no field's cost is left out of bench/costs.mjs.
import { getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';

/** The arguments of a field, by coordinate. They differ by index, so that no result is memoized. */
const argumentsOf = {
  'OriginalSearchFacets.byRendering': () => 'translation: "eng-kjv"',
  'OriginalWord.renderings': () => 'translation: "eng-kjv"',
  'Query.bibleIndex': () => 'translation: "eng-web"',
  'Query.chapter': (index) => `book: "PSA", chapter: ${1 + (index % 150)}, translation: "spa-rv1909"`,
  'Query.collocates': () => 'translation: "eng-kjv", word: "light"',
  'Query.concordance': () => 'translation: "eng-kjv", word: "shepherd"',
  'Query.concordanceIndex': () => 'translation: "eng-kjv"',
  'Query.lexiconEntry': () => 'id: "bdb:a.ac.aa"',
  'Query.passage': (index) => `reference: "Psalm ${1 + (index % 150)}", translation: "eng-kjv"`,
  'Query.readingChapter': (index) => `book: "PSA", chapter: ${1 + (index % 150)}`,
  'Query.references': () => 'text: "See John 3:16 and Romans 8:1-4."',
  'Query.search': (index) => `query: "lord ${index}"`,
  'Query.searchOriginals': (index) => `words: [{ strongs: "H${1 + (index % 8_000)}" }]`,
  'Query.searchVerses': (index) => `query: "lord light ${index}"`,
  'Query.semanticSearch': (index) => `query: "luz ${index}"`,
  'Query.semanticTopics': (index) => `query: "light ${index}"`,
  'Query.strongs': (index) => `number: "H${1 + index}"`,
  'Query.strongsConcordance': () => 'translation: "eng-kjv", number: "H3068"',
  'Query.topic': () => 'name: "Faith"',
  'Query.translation': () => 'identifier: "eng-web"',
  'Query.verse': (index) => `book: "PSA", chapter: ${1 + (index % 150)}, verse: 1`,
  'Query.verses': () => 'ids: []',
  'StrongsEntry.renderings': () => 'translation: "eng-kjv"',
  'Verse.inTranslation': () => 'identifier: "eng-web"',
};

const print = (coordinate, field, index, selection) => {
  const given = argumentsOf[coordinate]?.(index);
  if (given === undefined && field.args.some(isRequiredArgument))
    throw new Error(`bench/costs/schema-fields.mjs needs arguments of ${coordinate}`);
  return `${field.name}${given ? `(${given})` : ''}${selection ? ` { ${selection} }` : ''}`;
};

const leavesOf = (type) =>
  Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
    .map(({ name }) => name)
    .join(' ') || '__typename';

const selectionOf = (field) => {
  const type = getNamedType(field.type);
  return isObjectType(type) ? leavesOf(type) : null;
};

/** The shortest way from a root field to each type. A chapter comes before other lists of verses. */
function pathsByType(schema) {
  /** @type {Map<string, { coordinate: string, field: any }[]>} */
  const paths = new Map([['Query', []]]);
  const queue = [schema.getQueryType()];
  for (const type of queue) {
    const fields = Object.values(type.getFields());
    fields.sort((a, b) => Number(b.name === 'chapter') - Number(a.name === 'chapter'));
    for (const field of fields) {
      const next = getNamedType(field.type);
      // `Chapter.verses` is above the maximum cost, whatever is selected.
      if (!isObjectType(next) || paths.has(next.name) || `${type.name}.${field.name}` === 'Chapter.verses') continue;
      paths.set(next.name, [...(paths.get(type.name) ?? []), { coordinate: `${type.name}.${field.name}`, field }]);
      queue.push(next);
    }
  }
  return paths;
}

/** Returns a function for each field of the public schema that prints a root field with this field. */
export function schemaFields(schema) {
  return Object.fromEntries(
    Array.from(pathsByType(schema)).flatMap(([typeName, path]) =>
      Object.values(schema.getType(typeName).getFields())
        .filter(({ name }) => `${typeName}.${name}` !== 'Chapter.verses')
        .map((field) => [
          `${typeName}.${field.name}`,
          (index) =>
            path.reduceRight(
              (selection, step) => print(step.coordinate, step.field, index, selection),
              print(`${typeName}.${field.name}`, field, index, selectionOf(field)),
            ),
        ]),
    ),
  );
}
