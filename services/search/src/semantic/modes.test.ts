import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkScheduler } from '@lectern/subgraph';
import { dataDir, itemsOfThisRun, useStarted } from '@lectern/testing';
import type { SemanticClient } from '../../test-support/semantic-client';
import { ensureSemanticFiles, openSemanticClient } from '../../test-support/semantic-client';

const client = useStarted(async () => {
  await ensureSemanticFiles();
  return openSemanticClient();
});

interface Page {
  mode: string;
  totalCount: number;
  edges: {
    cursor: string;
    similarity: number | null;
    matchedBy: string[];
    node: { id: string; reference: string; text: string; bookId: string; chapter: number; verse: number };
  }[];
  facets: { byTestament: { old: number; new: number } };
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

const document = `query($query: String!, $mode: SearchMode, $translation: String, $translations: [String!], $testament: Testament, $order: SearchOrder, $first: Int, $after: String) {
  searchVerses(query: $query, mode: $mode, translation: $translation, translations: $translations, testament: $testament, order: $order, first: $first, after: $after) {
    mode totalCount edges { cursor similarity matchedBy matches { start } node { id reference text bookId chapter verse } } facets { byTestament { old new } } pageInfo { endCursor hasNextPage }
  }
}`;

async function page(args: Record<string, unknown>, on: SemanticClient = client): Promise<Page> {
  const { data, errors } = await on.execute(document, args);
  if (errors) throw new Error(errors[0]?.message);
  return data?.['searchVerses'] as Page;
}
const references = ({ edges }: Page): string[] => edges.map(({ node }) => node.reference);

async function allEdges(args: Record<string, unknown>): Promise<Page['edges']> {
  const edges: Page['edges'] = [];
  for (let after: string | null = null, more = true; more; ) {
    const next: Page = await page({ ...args, first: 90, after });
    edges.push(...next.edges);
    ({ endCursor: after, hasNextPage: more } = next.pageInfo);
  }
  return edges;
}

const question = '¿qué puedo hacer contra mi ansiedad?';
const translation = 'spa-rv1909';

test('searchVerses with mode: MEANING returns the same verses and similarities as semanticSearch', async () => {
  const found = await page({ query: question, translation, mode: 'MEANING', first: 10 });
  const semantic = await client.semanticSearch(question);
  expect(found.edges.map(({ similarity, node }) => [node.id, similarity])).toEqual(
    semantic.map(({ similarity, verse }) => [verse.id, similarity]),
  );
  expect(found.mode).toBe('MEANING');
  expect(found.totalCount).toBeGreaterThanOrEqual(10);
  expect(found.totalCount).toBeLessThan(500);
});

test.each(['\u05b7', '?!', '\u0591 \u05b8'])(
  'searchVerses with mode: BEST or MEANING finds nothing for %j, which has only vowel points or punctuation',
  async (query) => {
    for (const mode of ['BEST', 'MEANING'])
      expect(await page({ query, translation, mode })).toMatchObject({ mode, totalCount: 0, edges: [] });
  },
);

test('searchVerses with mode: BEST rejects an unknown book, whether or not the query needs the embedding model', async () => {
  const unknownBook = '{ searchVerses(query: "QUERY", mode: BEST, books: "Hezekiah") { totalCount } }';
  for (const query of ['who built an ark of gopher wood', 'John 3:16']) {
    const { errors } = await client.execute(unknownBook.replace('QUERY', query));
    expect(errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
  }
});

test('mode: BEST finds the same first verse as mode: WORDS for a quotation, and as mode: MEANING for a question', async () => {
  const firstIn = async (query: string, mode: string) => references(await page({ query, translation, mode, first: 1 }));
  for (const query of ['de tal manera amo dios al mundo', 'la paga del pecado es muerte', 'sea la luz'])
    expect(await firstIn(query, 'BEST')).toEqual(await firstIn(query, 'WORDS'));
  expect(await firstIn(question, 'BEST')).toEqual(await firstIn(question, 'MEANING'));
});

test('searchVerses with mode: BEST finds a passage by its name, and returns the verses of the passage in order', async () => {
  const found = await page({ query: 'the story of the good samaritan', translation, mode: 'BEST', first: 13 });
  expect(references(found)).toEqual(Array.from({ length: 13 }, (_, index) => `Lucas 10:${index + 25}`));
  for (const { matchedBy } of found.edges) expect(matchedBy[0]).toBe('NAMED_PASSAGE');
});

test('if the name of a passage quotes one of its verses, searchVerses with mode: BEST returns this verse first', async () => {
  const found = await page({ query: 'al césar lo que es del césar', translation, mode: 'BEST', first: 2 });
  expect(references(found)).toEqual(['Mateo 22:21', 'Mateo 22:15']);
});

test('searchVerses with mode: BEST finds two adjacent verses that together contain the quotation in the query', async () => {
  const query = 'thou preparest a table my cup runneth over surely goodness and mercy shall follow me';
  const found = await page({ query, translation: 'eng-web', mode: 'BEST', first: 2 });
  expect(references(found).toSorted()).toEqual(['Psalms 23:5', 'Psalms 23:6']);
});

test('searchVerses with mode: BEST finds a half-remembered verse although the query has an article that the verse lacks', async () => {
  const hybrid = await page({ query: '¿Qué es la verdad?', translation, mode: 'BEST' });
  expect(references(hybrid)).toContain('Juan 18:38');
});

test('searchVerses with mode: BEST finds a verse by a quotation from another translation or language', async () => {
  for (const [query, searched, reference] of [
    ['el señor es mi pastor', 'eng-web', 'Psalms 23:1'],
    ['the lord is my shepherd', 'spa-rv1909', 'Salmos 23:1'],
    ['charity suffereth long', 'eng-web', '1 Corinthians 13:4'],
  ])
    expect(references(await page({ query, translation: searched, mode: 'BEST', first: 1 }))).toEqual([reference]);
});

test('searchVerses with mode: BEST in several translations returns the verse first that the query quotes in one of them', async () => {
  const translations = ['eng-kjv', 'spa-rv1909'];
  const found = await page({ query: 'the lord is my shepherd', translations, mode: 'BEST' });
  expect(references(found)[0]).toBe('Psalms 23:1');
});

test('searchVerses with mode: BEST ranks verses with the exact word Saba before verses with sábado, which has the same stem', async () => {
  const { edges } = await page({ query: 'Saba', translation, mode: 'BEST', first: 50 });
  const texts = edges.map(({ node }) => node.text);
  const firstOf = (word: RegExp) => texts.findIndex((text) => word.test(text));
  expect(firstOf(/Saba/)).toBeGreaterThanOrEqual(0);
  expect(texts.slice(0, firstOf(/Saba/)).filter((text) => /sábado/i.test(text))).toEqual([]);
});

test('the field matchedBy of searchVerses lists the reasons why a verse was found, the strongest first', async () => {
  const firstReasons = async (args: Record<string, unknown>) =>
    (await page({ translation, first: 1, ...args })).edges.map(({ matchedBy }) => matchedBy);
  expect(await firstReasons({ query: 'pastor', mode: 'WORDS' })).toEqual([['WORDS']]);
  expect(await firstReasons({ query: 'love John 3:16', mode: 'WORDS' })).toEqual([['REFERENCE']]);
  expect(await firstReasons({ query: question, mode: 'MEANING' })).toEqual([['MEANING']]);
  const [[best = ''] = []] = await firstReasons({ query: 'y el espíritu de Dios se movía', mode: 'BEST' });
  expect(best).toBe('WORDS');
  const [[nearest = ''] = []] = await firstReasons({ query: question, mode: 'BEST' });
  expect(['MEANING', 'TOPIC']).toContain(nearest);
});

test('mode: MEANING and BEST find no verse by meaning for program code, random letters and topics outside the Bible', async () => {
  for (const mode of ['MEANING', 'BEST']) {
    for (const query of ['asdfgh qwerty', 'npm install --save-dev webpack', 'best laptop under 500 dollars'])
      for (const { matchedBy } of (await page({ query, translation, mode })).edges)
        expect(matchedBy).toEqual(['WORDS']);
    const found = await page({ query: 'why does god allow suffering', translation, mode });
    expect(found.edges[0]?.similarity).toBeGreaterThan(0);
  }
});

test('searchVerses with the deprecated mode HYBRID finds the same verses as with mode: BEST', async () => {
  const [hybrid, best] = [
    await page({ query: question, translation, mode: 'HYBRID' }),
    await page({ query: question, translation, mode: 'BEST' }),
  ];
  expect([hybrid.mode, references(hybrid)]).toEqual(['HYBRID', references(best)]);
});

test('the field suggestion of searchVerses corrects a misspelt word with mode: BEST, and is null with mode: MEANING', async () => {
  const suggestionIn = async (mode: string) => {
    const { data } = await client.execute(
      'query($mode: SearchMode) { searchVerses(query: "misericorida", translation: "spa-rv1909", mode: $mode, first: 1) { suggestion } }',
      { mode },
    );
    return data?.['searchVerses'];
  };
  for (const mode of ['WORDS', 'BEST']) expect(await suggestionIn(mode)).toEqual({ suggestion: 'misericordia' });
  expect(await suggestionIn('MEANING')).toEqual({ suggestion: null });
});

test.each(['MEANING', 'BEST'])(
  'with mode: %s, the totals, facets and pages of searchVerses agree in canonical order and in order of relevance',
  async (mode) => {
    const query = 'el amor de Dios';
    for (const order of ['RELEVANCE', 'CANONICAL']) {
      const args = { query, translation, mode, order };
      const whole = await page(args);
      const edges = await allEdges(args);
      expect(new Set(edges.map(({ node }) => node.id)).size).toBe(whole.totalCount);
      const { byTestament } = whole.facets;
      expect(edges.length).toBeGreaterThan(10);
      expect(byTestament.old + byTestament.new).toBe(edges.length);
    }
    const filtered = await page({ query, translation, mode, testament: 'OLD' });
    expect(filtered.facets.byTestament).toEqual({ old: filtered.totalCount, new: 0 });
  },
);

test('concurrent searchVerses queries that pause to let each other run return the same responses as each query alone', async () => {
  const scheduler = createWorkScheduler({ requestCpuMs: 60_000 });
  const pausing = await openSemanticClient({ scheduler });
  const searches = ['verdad', question, 'love John 3:16', 'the lord is my shepard', 'God'].flatMap((query) => [
    { query, translation, mode: 'BEST', testament: 'NEW' },
    { query, translations: ['eng-kjv', 'spa-rv1909'], mode: 'BEST' },
    { query, translation: 'eng-web', mode: 'MEANING', first: 100 },
  ]);
  const together = await Promise.all(searches.map((args) => page(args, pausing)));
  for (const [index, args] of itemsOfThisRun([...searches.entries()], 3))
    expect([args, together[index]]).toEqual([args, await page(args)]);
  await pausing.close();
});

test('searchVerses with mode: MEANING or BEST returns a verse once, even if it matches in several translations', async () => {
  const translations = ['eng-web', 'spa-rv1909'];
  for (const mode of ['MEANING', 'BEST']) {
    const edges = await allEdges({ query: question, translations, mode });
    const places = edges.map(({ node: { bookId, chapter, verse } }) => `${bookId} ${chapter}:${verse}`);
    expect(edges.length).toBeGreaterThan(10);
    expect(new Set(places).size).toBe(edges.length);
  }
});

test('searchVerses rejects a cursor that comes from a search with another mode', async () => {
  const modes = ['WORDS', 'MEANING', 'BEST'];
  for (const mode of modes) {
    const { pageInfo } = await page({ query: 'pastor', translation, mode, first: 2 });
    for (const other of modes.filter((each) => each !== mode))
      await expect(page({ query: 'pastor', translation, mode: other, after: pageInfo.endCursor })).rejects.toThrow(
        'Invalid cursor',
      );
  }
});

test('searchVerses accepts unusual queries of up to 200 characters in every mode, and rejects longer and blank ones', async () => {
  for (const mode of ['WORDS', 'MEANING', 'BEST']) {
    for (const query of ['x'.repeat(200), '😀', '""', '"', '"sea la luz"'])
      expect((await page({ query, translation, mode, first: 1 })).edges.length).toBeLessThanOrEqual(1);
    for (const query of ['', ' \n'])
      await expect(page({ query, translation, mode })).rejects.toThrow('query must not be blank');
    await expect(page({ query: 'x'.repeat(201), translation, mode })).rejects.toThrow('200 characters or fewer');
  }
});

test('the time to read the search indexes does not count as computing time of the first search with mode: BEST', async () => {
  let clock = 0;
  const now = (): number => clock;
  const fresh = await openSemanticClient({
    scheduler: createWorkScheduler({ now, cpuTime: now }),
    // Reading the index of one translation takes 800 ms on this clock, of the 250 ms of a request.
    onStatement: (statement) => (clock += statement.includes('FROM full_text') ? 200 : 0),
  });
  const first = await page({ query: 'bread', translation: 'eng-web', mode: 'BEST' }, fresh);
  expect(clock).toBe(2_400);
  expect(first.edges.length).toBeGreaterThan(0);
  await fresh.close();
});

test('without the embedding model, searchVerses with mode: BEST finds verses by words, and with mode: MEANING fails', async () => {
  const without = await openSemanticClient({ overrides: { timeoutMs: 0 } });
  const [words, hybrid] = [
    await page({ query: 'pastor', translation }, without),
    await page({ query: 'pastor', translation, mode: 'BEST' }, without),
  ];
  expect([hybrid.mode, hybrid.totalCount, references(hybrid)]).toEqual(['WORDS', words.totalCount, references(words)]);
  await expect(page({ query: 'pastor', translation, mode: 'MEANING' }, without)).rejects.toThrow(
    'Embedding service is temporarily unavailable. Please try again later.',
  );
  const { hints } = await without.execute(document, { query: 'pastor', translation, mode: 'BEST' });
  expect(hints).toEqual([
    { coordinate: 'Query.searchVerses', message: expect.stringContaining('by their words alone') },
  ]);
  await without.close();
});

test('searchVerses with mode: BEST or MEANING returns comforting verses and a hint to a person in distress', async () => {
  const without = await openSemanticClient({ overrides: { timeoutMs: 0 } });
  const query = 'no quiero vivir más';
  for (const [on, args] of [
    [client, { mode: 'BEST', translation }],
    [client, { mode: 'MEANING', translation: 'eng-web' }],
    [client, { mode: 'HYBRID', translations: ['eng-kjv', 'spa-rv1909'] }],
    [without, { mode: 'BEST', translation }],
  ] as const) {
    const { data, hints } = await on.execute(document, { query, first: 11, ...args });
    const found = data?.['searchVerses'] as Page | undefined;
    const edges = found?.edges ?? [];
    expect(edges.map(({ matchedBy }) => matchedBy[0])).toEqual(Array(11).fill('CARE'));
    expect(edges.map(({ node: { bookId, chapter, verse } }) => `${bookId} ${chapter}:${verse}`)).toContain('ISA 41:10');
    expect(hints).toContainEqual({
      coordinate: 'Query.searchVerses',
      message: expect.stringContaining('People who help exist'),
    });
  }
  await without.close();
});

test.each([
  ['no quiero vivir más', 'spa-rv1909', 'WORDS'],
  ['ich habe meinen sohn verloren', 'eng-web', 'WORDS'],
  ['não aguento mais', 'eng-kjv', null],
])('searchVerses in words alone returns comfort first for "%s", which is clearly distress', async (query, of, mode) => {
  const { edges } = await page({ query, translation: of, mode, first: 3 });
  expect(edges.map(({ matchedBy }) => matchedBy[0])).toEqual(Array(3).fill('CARE'));
});

test('searchVerses with mode: WORDS returns no comfort for words of a lament in the Bible', async () => {
  const { edges } = await page({ query: 'I am weary with my groaning', translation: 'eng-kjv', mode: 'WORDS' });
  expect(edges.filter(({ matchedBy }) => matchedBy.includes('CARE'))).toEqual([]);
});

const understoodDocument = `query($query: String!, $mode: SearchMode, $translation: String) {
  searchVerses(query: $query, mode: $mode, translation: $translation, first: 10) {
    understood { kind need reference saying { text status note nearest(first: 2) { reference } } } edges { matchedBy node { reference } }
  }
}`;

async function understoodOf(query: string, mode: string, of = 'eng-web') {
  const { data, errors } = await client.execute(understoodDocument, { query, mode, translation: of });
  if (errors) throw new Error(errors[0]?.message);
  return data?.['searchVerses'] as Page & { understood: Record<string, unknown> | null };
}

test('searchVerses returns at most three verses of comfort if the query is no cry for help, and the need in `understood`', async () => {
  const found = await understoodOf('my mom died yesterday', 'BEST');
  expect(found.understood).toMatchObject({ kind: 'DISTRESS', need: 'PARENT_DEATH', saying: null });
  expect(found.edges.map(({ matchedBy }) => matchedBy.includes('CARE'))).toEqual([
    ...Array(3).fill(true),
    ...Array(7).fill(false),
  ]);
});

test('searchVerses returns verses for an occasion of joy first, and no verse of comfort', async () => {
  const found = await understoodOf("verse for my daughter's wedding", 'BEST');
  expect(found.understood).toMatchObject({ kind: 'OCCASION', need: 'WEDDING' });
  expect(references(found)[0]).toBe('1 Corinthians 13:4');
  expect(found.edges.filter(({ matchedBy }) => matchedBy.includes('CARE'))).toEqual([]);
});

test('searchVerses tells in the language of the query that a saying is not in the Bible, and returns its nearest verses first', async () => {
  const found = await understoodOf('ayúdate que Dios te ayudará', 'BEST', translation);
  expect(found.understood).toEqual({
    kind: 'SAYING',
    need: null,
    reference: null,
    saying: {
      text: 'Ayúdate que Dios te ayudará',
      status: 'NOT_IN_BIBLE',
      note: expect.stringContaining('ningún versículo lo dice'),
      nearest: [{ reference: 'Salmos 121:1' }, { reference: 'Salmos 121:2' }],
    },
  });
  expect(references(found).slice(0, 3)).toEqual(['Salmos 121:1', 'Salmos 121:2', 'Isaías 40:29']);
});

test.each([
  ['John 3:16', 'REFERENCE'],
  ['the story of the good samaritan', 'NAMED_PASSAGE'],
  ['pride goes before destruction', 'SAYING'],
])('searchVerses understands the query "%s" as %s', async (query, kind) => {
  expect((await understoodOf(query, 'BEST')).understood).toMatchObject({ kind });
});

test('searchVerses understands an ordinary query as nothing but words', async () => {
  expect((await understoodOf('love and justice', 'BEST')).understood).toBeNull();
});

/** Places that wound: the wish to die, the son to be stoned, submission to a violent husband, a dead child. */
const wounding = /^(JOB (3|7|10):|REV 9:6|DEU 2[12]:|1PE 3:[1-6]$|GEN (34|38):|1KI 3:|JDG 19:|LEV |2SA 13:)/;

test.each([
  ['quiero morirme', 'quiero suicidarme', 'I am going to end it all tonight'],
  ['mi esposo me pega', 'fui violada', 'my husband hits me'],
  ['mi hijo está metido en las drogas', 'perdí a mi bebé', 'I lost my baby at twenty weeks'],
])('no field of search returns verses that wound for "%s", "%s" and "%s"', async (...queries) => {
  for (const query of queries) {
    const semantic = await client.semanticSearch(query, { limit: 50 });
    const places = semantic.map(({ verse: { bookId, chapter, verse } }) => `${bookId} ${chapter}:${verse}`);
    for (const mode of ['WORDS', 'MEANING', 'BEST']) {
      const { edges } = await page({ query, translation, mode, first: 50 });
      places.push(...edges.map(({ node: { bookId, chapter, verse } }) => `${bookId} ${chapter}:${verse}`));
    }
    expect([query, places.length >= 50, places.filter((place) => wounding.test(place))]).toEqual([query, true, []]);
    const { data } = await client.execute(
      'query($query: String!) { semanticSearch(query: $query, limit: 3) { verse { similar(limit: 10) { verse { bookId chapter verse } } } } semanticTopics(query: $query) { topic { id } } }',
      { query },
    );
    const found = data as { semanticSearch: { verse: { similar: { verse: Page['edges'][0]['node'] }[] } }[] };
    const similar = found.semanticSearch.flatMap((each) => each.verse.similar.map(({ verse }) => verse));
    const wounds = similar.filter(({ bookId, chapter, verse }) => wounding.test(`${bookId} ${chapter}:${verse}`));
    expect([similar.length, wounds]).toEqual([30, []]);
  }
});

test.each([
  ['love your enemies', 20, 200],
  ['what does the bible say about tattoos', 1, 20],
  ['how to fix a carburetor', 0, 0],
])('searchVerses with mode: BEST counts only the relevant verses of the query "%s"', async (query, min, max) => {
  const { totalCount } = await page({ query, translation: 'eng-web', mode: 'BEST' });
  expect(totalCount).toBeGreaterThanOrEqual(min);
  expect(totalCount).toBeLessThanOrEqual(max);
});

test('the relevance of each verse of searchVerses is from 0.3 to 1 with mode: BEST, in any order, and null with mode: WORDS', async () => {
  const relevances = async (mode: string, order: string) => {
    const { data } = await client.execute(
      `{ searchVerses(query: "love your enemies", mode: ${mode}, order: ${order}) { edges { relevance } } }`,
    );
    const found = data?.['searchVerses'] as { edges: { relevance: number | null }[] } | undefined;
    return (found?.edges ?? []).map(({ relevance }) => relevance);
  };
  for (const order of ['RELEVANCE', 'CANONICAL']) {
    const found = (await relevances('BEST', order)).map((relevance) => relevance ?? 0);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.3);
    expect(Math.max(...found)).toBeLessThanOrEqual(1);
  }
  expect(new Set(await relevances('WORDS', 'RELEVANCE'))).toEqual(new Set([null]));
});

test('semanticSearch for a person in distress stays a list by similarity', async () => {
  const similarities = (await client.semanticSearch('quiero morirme', { limit: 50 })).map(
    ({ similarity }) => similarity,
  );
  expect(similarities).toHaveLength(50);
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
});

test.each([
  ['the house is so quiet since we buried him', 'eng-web', true],
  ['mi hijo volvió a consumir y no sé qué hacer', 'spa-rv1909', true],
  ['I am weary with my groaning', 'eng-kjv', false],
  ['la muerte de Absalón', 'spa-rv1909', false],
])(
  'searchVerses recognizes by meaning whether "%s" comes from a person in distress',
  async (query, translation, isDistress) => {
    const { edges } = await page({ query, translation, mode: 'BEST', first: 1 });
    expect(edges[0]?.matchedBy.includes('CARE')).toBe(isDistress);
  },
);

const hasHebrewText = existsSync(join(dataDir, 'translations', 'hbo-wlc', 'search.sqlite'));
const describeHebrew = hasHebrewText ? describe : describe.skip;

describeHebrew('searchVerses in the Hebrew text', () => {
  test('"the Lord is my shepherd" finds Psalm 23:1 in Hebrew, first with mode: BEST and among five with MEANING', async () => {
    const find = async (mode: string) =>
      references(await page({ query: 'the Lord is my shepherd', mode, translation: 'hbo-wlc', first: 5 }));
    expect((await find('BEST'))[0]).toBe('Psalms 23:1');
    expect(await find('MEANING')).toContain('Psalms 23:1');
  });
});
