import { parseVerseId } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import type { GraphqlClient } from '@lectern/testing';
import { dataDir, idOf, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { openProcesses } from '../support/processes';
import { subgraphNames } from '../support/supergraph-yaml';

const corpus = openCorpus(dataDir);
afterAll(() => corpus.close());
const hasOriginals = corpus.translation('hbo-wlc') !== null;

const semanticOptions = async () =>
  createSemanticOptions({
    settings: readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings),
    dataDir,
    log: silentLogger,
  });

const services = useStarted(async () => {
  const embedded = await startEmbeddedLectern({ semantic: await semanticOptions() });
  const processes = await openProcesses();
  const started = await Promise.all(
    subgraphNames.map(async (name) => {
      const options = name === 'search' ? { semantic: await semanticOptions() } : {};
      return [name, await processes.serveSubgraph(name, options)] as const;
    }),
  );
  const origins = Object.fromEntries(started.map(([name, { origin }]) => [name, [origin]]));
  const { client } = await processes.serveGateway(origins);
  return {
    clients: new Map<string, GraphqlClient>([
      ['embedded', embedded.client],
      ['distributed', client],
    ]),
    stopText: async () => {
      for (const [name, service] of started) if (name === 'text') await processes.stop(service);
    },
    close: async () => {
      await processes.close();
      await embedded.close();
    },
  };
});

interface Verse {
  readonly id: string;
  readonly bookId: string;
  readonly chapter: number;
  readonly verse: number;
  readonly text: string;
  readonly translation: { readonly id: string; readonly identifier: string; readonly name?: string };
}

/** Returns the verses of a response, which are the objects with the fields of the fragment V, in their order. */
function versesIn(value: unknown): Verse[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'bookId' in value && 'translation' in value ? [value as Verse] : [];
  return [...own, ...Object.values(value).flatMap(versesIn)];
}

/** Returns the translation that a verse says, after a check that its id, its text and its translation agree. */
function checkedTranslation({ id, bookId, chapter, verse, text, translation }: Verse): string {
  const { identifier } = translation;
  const parts = parseVerseId(id);
  expect(parts).toEqual({ translation: identifier, book: bookId, chapter, verse });
  expect(translation.id).toBe(Buffer.from(`v1:translation:${identifier}`).toString('base64url'));
  expect(parts && corpus.verse(identifier, parts.book, chapter, verse)?.text).toBe(text);
  expect(translation.name ?? null).toBe(('name' in translation && corpus.translation(identifier)?.name) || null);
  return identifier;
}

const places = ['JHN 3:16', 'PSA 23:1', 'GEN 1:1'];
const translations = ['spa-rv1909', 'eng-kjv', 'eng-web', ...(hasOriginals ? ['hbo-wlc', 'grc-sblgnt'] : [])];
const ids = places.flatMap((place) => translations.map((each) => idOf(`${each} ${place}`)));
const same = translations.map((each) => idOf(`${each} JHN 3:16`));

const identifiers = (names: readonly string[]): string => JSON.stringify(names);

/** Operations, and the translations of the verses that they return. */
const operations: readonly (readonly [name: string, operation: string, expected: readonly string[]])[] = [
  [
    'searchVerses in three translations',
    `{ searchVerses(query: "amor love", mode: WORDS, first: 20, translations: ${identifiers(['spa-rv1909', 'eng-kjv', 'eng-web'])}) { edges { node { ...V } alsoIn { ...V } } } }`,
    ['eng-kjv', 'eng-web'],
  ],
  [
    'searchVerses of a reference that translations number differently',
    `{ searchVerses(query: "Jonah 2:1", translations: ${identifiers(['spa-rv1909', 'eng-kjv', 'eng-web'])}) { edges { node { ...V } alsoIn { ...V } } } }`,
    ['eng-kjv', 'eng-web', 'spa-rv1909'],
  ],
  [
    'search in two translations',
    '{ a: search(query: "shepherd", limit: 5, translation: "eng-kjv") { ...V } b: search(query: "pastor", limit: 5, translation: "spa-rv1909") { ...V } }',
    ['eng-kjv', 'spa-rv1909'],
  ],
  [
    'similar of verses of several translations',
    'query ($same: [ID!]!) { verses(ids: $same) { ...V similar(limit: 2) { verse { ...V } } } }',
    translations.filter((identifier) => identifier !== 'hbo-wlc'),
  ],
  [
    'crossReferences of verses of several translations',
    `query ($ids: [ID!]!) { verses(ids: $ids) { crossReferences(first: 2) { verses(first: 2) { ...V } } } }`,
    translations,
  ],
  [
    'verses by id, their neighbours and inTranslation',
    'query ($ids: [ID!]!) { verses(ids: $ids) { ...V next { ...V } inTranslation(identifier: "eng-web") { ...V } spa: inTranslation(identifier: "spa-rv1909") { ...V } } }',
    translations,
  ],
  [
    'renumbered verses',
    `{
      jonah: verse(book: "JON", chapter: 2, verse: 1, translation: "spa-rv1909") { ...V inTranslation(identifier: "eng-kjv") { ...V inTranslation(identifier: "spa-rv1909") { ...V } } }
      numbers: chapter(book: "NUM", chapter: 13, translation: "spa-rv1909") { ...V inTranslation(identifier: "eng-web") { ...V } }
    }`,
    ['eng-kjv', 'eng-web', 'spa-rv1909'],
  ],
  [
    'concordances of two translations',
    '{ a: concordance(translation: "eng-web", word: "shepherd", first: 5) { edges { node { translation { id identifier } verse { ...V } } } } b: concordance(translation: "spa-rv1909", word: "pastor", first: 5) { edges { node { verse { ...V } } } } }',
    ['eng-web', 'spa-rv1909'],
  ],
  [
    'verses of a topic in two translations',
    '{ topic(name: "Abba") { sections { entries { references { a: verses(translation: "spa-rv1909") { ...V } b: verses { ...V } } } } } }',
    ['eng-web', 'spa-rv1909'],
  ],
  [
    'a search by meaning and a check of a quotation',
    '{ semanticSearch(query: "ansiedad", limit: 3) { verse { ...V } } checkQuotation(text: "Jehová es mi pastor; nada me faltará", translation: "eng-kjv") { translation { identifier } verses { ...V } } }',
    ['spa-rv1909'],
  ],
  ...(hasOriginals
    ? [
        [
          'original verses in two translations',
          '{ verse(book: "JOL", chapter: 2, verse: 28, translation: "eng-kjv") { ...V original { a: verses(translation: "hbo-wlc") { ...V } b: verses(translation: "spa-rv1909") { ...V } } } }',
          ['eng-kjv', 'hbo-wlc', 'spa-rv1909'],
        ] as const,
      ]
    : []),
];

const fragment = (fields: string): string =>
  ` fragment V on Verse { id bookId chapter verse text translation { ${fields} } }`;

describe.each(['embedded', 'distributed'])('in the %s service', (deployment) => {
  test.each(operations)('each verse of %s says its own translation', async (_, operation, expected) => {
    for (const fields of ['id identifier', 'id identifier name']) {
      const response = await services.clients.get(deployment)?.(operation + fragment(fields), {
        ids,
        same,
      });
      expect(response?.errors).toBeUndefined();
      const found = versesIn(response?.data).map(checkedTranslation);
      expect([...new Set(found)].sort()).toEqual([...expected].sort());
    }
  });
});

test('search, concordance and cross references name the translation of a verse while the text subgraph is down', async () => {
  const client = services.clients.get('distributed');
  const abba = await client?.(
    '{ topic(name: "Abba") { sections { entries { references { verses { id translation { id identifier } } } } } } }',
  );
  await services.stopText();
  const operation = `{
    searchVerses(query: "shepherd") { edges { node { text translation { id identifier } } } }
    concordance(translation: "eng-kjv", word: "shepherd") { edges { node { context translation { id } verse { text translation { identifier } } } } }
    topic(name: "Abba") { sections { entries { references { verses { id translation { id identifier } } } } } }
  }`;
  const response = await client?.(operation);
  expect(response).toMatchObject({
    data: {
      searchVerses: { edges: expect.arrayContaining([expect.anything()]) },
      concordance: { edges: expect.arrayContaining([expect.anything()]) },
      ...abba?.data,
    },
  });
  expect(response?.errors).toBeUndefined();
});
