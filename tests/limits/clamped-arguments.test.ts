import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, useStarted } from '@lectern/testing';
import { buildSchema, isObjectType } from 'graphql';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const verse = (fields: string) => `verse(book: "JHN", chapter: 3, verse: 16) { ${fields} }`;

/** Arguments that the schema says to clamp, each with a selection in which the argument is `$n`. */
const selections: Readonly<Record<string, string>> = {
  'Query.search(limit:)': 'search(query: "the", limit: $n) { id }',
  'Query.searchVerses(first:)': 'searchVerses(query: "the", first: $n) { edges { node { id } } }',
  'Query.semanticSearch(limit:)': 'semanticSearch(query: "esperanza", limit: $n) { verse { id } }',
  'Query.semanticTopics(limit:)': 'semanticTopics(query: "love", limit: $n) { topic { id } }',
  'Saying.nearest(first:)':
    'searchVerses(query: "this too shall pass") { understood { saying { nearest(first: $n) { id } } } }',
  'Verse.similar(limit:)': verse('inTranslation(identifier: "spa-rv1909") { similar(limit: $n) { verse { id } } }'),
  'Query.concordance(first:)':
    'concordance(translation: "spa-rv1909", word: "de", first: $n) { edges { node { verse { id } } } }',
  'Query.strongsConcordance(first:)':
    'strongsConcordance(translation: "eng-kjv", number: "H430", first: $n) { edges { node { verse { id } } } }',
  'Query.concordanceIndex(first:)': 'concordanceIndex(translation: "spa-rv1909", first: $n) { lemma }',
  'Query.collocates(first:)': 'collocates(translation: "spa-rv1909", word: "Dios", first: $n) { lemma }',
  'Query.collocates(window:)': 'collocates(translation: "spa-rv1909", word: "Dios", window: $n) { lemma together }',
  'StrongsEntry.renderings(first:)':
    'strongs(number: "H430") { renderings(translation: "eng-kjv", first: $n) { form } }',
  'Query.searchOriginals(first:)': 'searchOriginals(words: [{ lemma: "λέγω" }], first: $n) { edges { cursor } }',
  'Query.searchOriginals(withinWords:)':
    'searchOriginals(words: [{ lemma: "λόγος" }, { lemma: "θεός" }], withinWords: $n) { totalCount }',
  'LexiconEntry.related(first:)': 'lexiconEntry(id: "abbott-smith:ἀγάπη") { related(first: $n) { id } }',
  'LexiconOccurrences.byForm(first:)':
    'lexiconEntry(id: "abbott-smith:λέγω") { occurrences { byForm(first: $n) { form } } }',
  'LexiconReference.verses(first:)':
    'lexiconEntry(id: "abbott-smith:λόγος") { senses { spans { reference { verses(first: $n) { id } } } } }',
  'Query.topics(first:)': 'topics(first: $n) { edges { node { id } } }',
  'Topic.seeAlso(first:)': 'topic(name: "Jesus, The Christ") { seeAlso(first: $n) { id } }',
  'Query.namedPassages(first:)': 'namedPassages(first: $n) { edges { node { id } } }',
  'StudyReference.verses(first:)':
    'topic(name: "Abraham") { sections { entries { references { verses(first: $n) { id } } } } }',
  'CrossReference.verses(first:)': verse('crossReferences(first: 100) { verses(first: $n) { id } }'),
  'Verse.topics(first:)': verse('topics(first: $n) { topic { id } }'),
  'Verse.namedPassages(first:)': verse('namedPassages(first: $n) { id }'),
  'Verse.crossReferences(first:)': verse('crossReferences(first: $n) { reference }'),
  'Verse.commentary(first:)': verse('commentary(first: $n) { heading }'),
};

const lectern = useStarted(async () => {
  const settings = readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
  return startEmbeddedLectern({
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
    limits: { tokens: 5_000, depth: 15, complexity: 10_000 },
  });
});

/** The arguments whose description says that numbers outside of a range are clamped, with the range and the default. */
async function clampedArguments() {
  const schema = buildSchema(await (await fetch(`${lectern.origin}/schema.graphql`)).text());
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .flatMap(({ type, field }) =>
      field.args.flatMap(({ name, description, defaultValue }) => {
        const [, min, max] = /from (\d+) .*?to (\d+)\. Other numbers are clamped/.exec(description ?? '') ?? [];
        if (min === undefined) return [];
        const coordinate = `${type.name}.${field.name}(${name}:)`;
        return [{ coordinate, min: Number(min), max: Number(max), byDefault: Number(defaultValue) }];
      }),
    );
}

/** Returns the first list of a response whose length the argument decides, or null. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return null;
  return listOf(Object.values(value)[0]);
}

test('this file tests each argument that the schema says to clamp, except those of imported documents and translations', async () => {
  const coordinates = (await clampedArguments()).map(({ coordinate }) => coordinate);
  // documents.test.ts and translation-list.test.ts in services/text/src import translations for these.
  const imported = ['Query.translationDocument(first:)', 'Query.translations(first:)'];
  expect([...Object.keys(selections), ...imported].sort()).toEqual(coordinates.sort());
});

async function boundsOf(coordinate: string) {
  const bounds = (await clampedArguments()).find((each) => each.coordinate === coordinate);
  if (!bounds) throw new Error(`the schema has no bounds of ${coordinate}`);
  return bounds;
}

const respond = (selection: string, n?: number | null) =>
  lectern.client(`query ($n: Int) { ${selection} }`, n === undefined ? {} : { n });

test.each(Object.entries(selections))(
  'the argument %s clamps a number to the range in its description, and null is the default',
  async (coordinate, selection) => {
    const { min, max, byDefault } = await boundsOf(coordinate);
    const [smallest, usual, largest] = await Promise.all([min, byDefault, max].map((n) => respond(selection, n)));
    for (const n of [-2_147_483_648, -1, min - 1]) expect([n, await respond(selection, n)]).toEqual([n, smallest]);
    for (const n of [max + 1, 2_147_483_647]) expect([n, await respond(selection, n)]).toEqual([n, largest]);
    for (const n of [null, undefined]) expect([n, await respond(selection, n)]).toEqual([n, usual]);
    expect(JSON.stringify(smallest)).not.toBe(JSON.stringify(usual));
  },
);

test.each(Object.entries(selections).filter(([coordinate]) => /^Query\.\w+\((?:first|limit):/.test(coordinate)))(
  'the argument %s is the number of items in the response, which are the first items of a longer list',
  async (coordinate, selection) => {
    const { min, max, byDefault } = await boundsOf(coordinate);
    const lists = await Promise.all(
      [min, byDefault, max].map(async (n) => listOf((await respond(selection, n)).data) ?? []),
    );
    expect(lists.map(({ length }) => length)).toEqual([min, byDefault, max]);
    for (const list of lists) expect(list).toEqual(lists[2]?.slice(0, list.length));
  },
);
