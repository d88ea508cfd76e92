// An operation for each field of the public schema, so that no field's cost is left out of bench/costs.mjs.
import { createRequire } from 'node:module';
import { getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';

const { chapterEnds, verseId } = createRequire(import.meta.url)('../../packages/canon/dist/index.js');

const oneOf = (list, index) => list[index % list.length];
/** Psalms of nearly one size, so that operations on different psalms have nearly the same cost. */
const shortPsalms = chapterEnds('standard', 'PSA').flatMap((verses, index) =>
  verses === 6 || verses === 7 ? [index + 1] : [],
);
const words =
  'lord grace mercy shepherd king water bread light love faith hope peace house son father earth heaven day night hand eye heart law name voice gold temple priest servant people'.split(
    ' ',
  );
const entries =
  'bdb:v.bq.aa bdb:s.dh.ab bdb:q.bs.ad bdb:p.ab.ab bdb:m.dr.ae bdb:l.ak.an bdb:j.ai.ae bdb:g.cj.ad bdb:c.au.aa bdb:xt.ac.ab bdb:a.ed.ac bdb:v.gj.ab bdb:u.an.aa bdb:r.dx.ah bdb:p.et.ad bdb:n.fe.af bdb:m.cf.ad bdb:k.ax.ad bdb:h.fb.ac bdb:e.az.aw bdb:b.ca.aj bdb:xh.ao.aa bdb:a.cb.ae bdb:v.ds.ap'.split(
    ' ',
  );

/** The arguments of a field, by coordinate. They differ by index, so that no result is memoized. */
const argumentsOf = {
  'OriginalSearchFacets.byRendering': () => 'translation: "eng-kjv"',
  'OriginalWord.renderings': () => 'translation: "eng-kjv"',
  'Query.bibleIndex': (index) => `translation: "${oneOf(['eng-web', 'eng-kjv', 'spa-rv1909'], index)}"`,
  'Query.chapter': (index) => `book: "PSA", chapter: ${oneOf(shortPsalms, index)}, translation: "spa-rv1909"`,
  'Query.checkQuotation': (index) => `text: "the ${oneOf(words, index)} of the ${oneOf(words, index * 7 + 3)}"`,
  'Query.collocates': (index) => `translation: "eng-kjv", word: "${oneOf(words, index)}"`,
  'Query.concordance': (index) => `translation: "eng-kjv", word: "${oneOf(words, index)}"`,
  'Query.concordanceIndex': (index) => `translation: "eng-kjv", prefix: "${oneOf([...'abcdefghilmnoprst'], index)}"`,
  'Query.lexiconEntry': (index) => `id: "${oneOf(entries, index)}"`,
  'Query.passage': (index) => `reference: "Psalm ${oneOf(shortPsalms, index)}", translation: "eng-kjv"`,
  'Query.readingChapter': (index) => `book: "PSA", chapter: ${oneOf(shortPsalms, index)}`,
  'Query.references': (index) => `text: "See John 3:${1 + (index % 36)} and Romans 8:1-4."`,
  'Query.search': (index) => `query: "${oneOf(words, index)} ${oneOf(words, index * 7 + 3)}"`,
  'Query.searchOriginals': (index) => `words: [{ strongs: "H${1 + (index % 8_000)}" }]`,
  'Query.searchVerses': (index) => `query: "${oneOf(words, index)} ${oneOf(words, index * 7 + 3)} ${index}"`,
  'Query.semanticSearch': (index) => `query: "luz ${index}"`,
  'Query.semanticTopics': (index) => `query: "light ${index}"`,
  'Query.strongs': (index) => `number: "${oneOf(['H', 'G'], index)}${1 + (index % 5_000)}"`,
  'Query.strongsConcordance': (index) => `translation: "eng-kjv", number: "H${1 + ((index * 37) % 8_000)}"`,
  'Query.topic': (index) =>
    `name: "${oneOf(['Faith', 'Love', 'Prayer', 'Hope', 'Abba', 'Abel', 'Water', 'Wine', 'Women', 'Aaron'], index)}"`,
  // Needs a translation eng-web-c, imported from USFM with a glossary.
  'Query.translationDocument': () => 'code: "GLO", translation: "eng-web-c"',
  'Query.translationDocuments': () => 'translation: "eng-web-c"',
  'Query.translation': () => 'identifier: "eng-web"',
  'Query.verse': (index) => `book: "PSA", chapter: ${1 + (index % 150)}, verse: ${1 + (index % 5)}`,
  'Query.verses': (index) =>
    `ids: ["${verseId({ translation: 'eng-kjv', book: 'PSA', chapter: 119, verse: 1 + (index % 176) })}"]`,
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
