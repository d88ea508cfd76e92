import { verseOrdinal } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { createTermFolding, foldWord, stemmerFor, tokenize } from '@lectern/words';
import type { PageArguments, SearchClient, VerseData } from '../../test-support/search-client';
import { openSearchClient } from '../../test-support/search-client';

let client: SearchClient;
const corpus = openCorpus(dataDir);

beforeAll(async () => {
  client = await openSearchClient();
});

afterAll(() => {
  client.close();
  corpus.close();
});

const references = (verses: readonly VerseData[]): string[] => verses.map(({ reference }) => reference);
/**
 * Returns the words of a text without case and accents. The endings 's and 't stay in their word.
 */
const folded = (text: string, language = ''): string[] =>
  tokenize(text.replaceAll(/(?<=[\p{L}\p{N}])['’](?=[st](?![\p{L}\p{N}]))/giu, '')).map(createTermFolding(language));

interface ScannedVerse {
  text: string;
  words: readonly string[];
}

/**
 * The text and the words (without case and accents) of every verse, read from the corpus without
 * the search index.
 */
const scannedVerses = new Map(
  corpus.translations.map(({ identifier, language }): [string, ScannedVerse[]] => [
    identifier,
    Array.from(corpus.eachVerse(identifier), ({ text }) => ({ text, words: folded(text, language) })),
  ]),
);
const versesOf = (translation: string): readonly ScannedVerse[] => scannedVerses.get(translation) ?? [];

/**
 * Returns a function that finds the best match of a query's word in a verse's words: 3 for the same
 * word, 2 for a word that begins with it, 1 for a form of its stem, 0 for none. The beginning of a
 * word counts if the query's word is the last one and has at least three letters.
 */
function createTierOf(word: string, language: string, isLast = true) {
  const stem = stemmerFor(language);
  const tiers = new Map<string, number>();
  const tierOfOne = (other: string): number =>
    other.replace('\u0301', '') === word
      ? 3
      : isLast && word.length >= 3 && other.startsWith(word)
        ? 2
        : stem(other) === stem(word)
          ? 1
          : 0;
  return (words: Iterable<string>): number => {
    let best = 0;
    for (const other of words) {
      const tier = tiers.get(other) ?? tierOfOne(other);
      tiers.set(other, tier);
      best = Math.max(best, tier);
    }
    return best;
  };
}

const tierIn = (text: string, word: string, language: string, isLast = true): number =>
  createTierOf(word, language, isLast)(folded(text));

describe('hits', () => {
  test('searchVerses with prefix: true ignores accents and case: it finds the same verses for oracion, oración and ORACIÓN', async () => {
    const expected = versesOf('spa-rv1909').filter(({ words }) => words.some((word) => word.startsWith('oracion')));
    expect(expected).toHaveLength(131);
    for (const query of ['oracion', 'oración', 'ORACIÓN', 'oracio\u0301n']) {
      const edges = await client.allEdges({ query, translation: 'spa-rv1909', prefix: true, order: 'CANONICAL' });
      expect(edges.map(({ node }) => node.text)).toEqual(expected.map(({ text }) => text));
    }
  });

  test('the field search ignores accents: it finds the same verses for the queries amo and amó', async () => {
    const [plain, accented] = [
      await client.search('amo', { translation: 'spa-rv1909' }),
      await client.search('amó', { translation: 'spa-rv1909' }),
    ];
    expect(plain).toEqual(accented);
    expect(folded(plain[0]?.text ?? '')).toContain('amo');
  });

  test.each([
    ['eng-kjv', 'love'],
    ['eng-kjv', 'shepherd'],
    ['eng-kjv', 'the'],
    ['eng-kjv', 'begat'],
    ['eng-kjv', 's'],
    ['eng-web', 'love'],
    ['eng-web', 'and'],
    ['eng-web', 'a'],
    ['eng-web', 'running'],
    ['eng-web', 'yahweh'],
    ['spa-rv1909', 'de'],
    ['spa-rv1909', 'y'],
    ['spa-rv1909', 'amaba'],
    ['spa-rv1909', 'señor'],
    ['spa-rv1909', 'misericordias'],
  ])(
    'searchVerses with prefix: true in %s ranks exact matches of %p before word starts, and word starts before stem matches',
    async (translation, word) => {
      const { language } = corpus.translation(translation) ?? { language: '' };
      const tierOf = createTierOf(foldWord(word), language);
      const all = versesOf(translation).map(({ words }) => tierOf(words));
      const expected = [3, 2, 1].map((tier) => all.filter((each) => each === tier).length);
      const { totalCount, edges } = await client.page({ query: word, translation, prefix: true, first: 100 });
      expect(totalCount).toBe(expected.reduce((sum, count) => sum + count, 0));
      const tiers = edges.map(({ node }) => tierOf(folded(node.text, language)));
      expect(tiers).toEqual(
        expected
          .flatMap((count, index) => Array.from({ length: Math.min(count, 100) }, () => 3 - index))
          .slice(0, tiers.length),
      );
    },
  );

  test('the field search returns only verses that contain every word of the query in some form', async () => {
    const verses = await client.search('loving mercies', { translation: 'eng-kjv', limit: 100 });
    expect(verses.length).toBeGreaterThan(0);
    for (const { text } of verses)
      expect([tierIn(text, 'loving', 'eng', false) > 0, tierIn(text, 'mercies', 'eng') > 0]).toEqual([true, true]);
  });

  test('searchVerses with prefix: true ranks a verse by the word of the query that matches the verse least well', async () => {
    const verses = await client.allEdges({ query: 'love world', translation: 'eng-web', prefix: true });
    const tiers = verses.map(({ node }) =>
      Math.min(tierIn(node.text, 'love', 'eng', false), tierIn(node.text, 'world', 'eng')),
    );
    expect(new Set(tiers).size).toBeGreaterThan(1);
    expect(tiers).toEqual(tiers.toSorted((a, b) => b - a));
  });

  test('searchVerses completes the last word of a query only with prefix: true, or if no verse contains the word as written', async () => {
    const wordsOf = async (args: PageArguments) =>
      (await client.allEdges({ translation: 'spa-rv1909', ...args })).map(({ node }) => folded(node.text));
    const stem = stemmerFor('spa');
    const lacksWord = (words: readonly string[]): boolean => !words.some((word) => stem(word) === stem('mar'));
    const [finished, typing] = [await wordsOf({ query: 'mar' }), await wordsOf({ query: 'mar', prefix: true })];
    expect([finished.some(lacksWord), typing.some(lacksWord)]).toEqual([false, true]);
    expect(typing.every((words) => words.some((word) => word.startsWith('mar')))).toBe(true);
    expect((await wordsOf({ query: 'misericordi' })).length).toBeGreaterThan(300);
  });

  test('searchVerses matches words in quotes as an exact phrase, even if the query also has other words', async () => {
    const quoted = await client.page({ query: '"kingdom of god"', translation: 'eng-kjv', first: 100 });
    const expected = versesOf('eng-kjv').filter(({ words }) => ` ${words.join(' ')} `.includes(' kingdom of god '));
    expect(quoted.totalCount).toBe(expected.length);
    const mixed = await client.allEdges({ query: 'seek "kingdom of god"', translation: 'eng-kjv' });
    expect(mixed.map(({ node }) => node.reference)).toContain('Matthew 6:33');
    for (const { node } of mixed)
      expect([
        folded(node.text).join(' ').includes('kingdom of god'),
        tierIn(node.text, 'seek', 'eng', false) > 0,
      ]).toEqual([true, true]);
    for (const marks of ['“kingdom of god”', '«kingdom of god»', '„Kingdom of God“'])
      expect((await client.page({ query: marks, translation: 'eng-kjv' })).totalCount).toBe(expected.length);
  });

  test('searchVerses matches a quoted single word exactly, and ignores a quotation mark that is never closed', async () => {
    const exact = versesOf('eng-web').filter(({ words }) => words.includes('love')).length;
    expect((await client.page({ query: '"love"' })).totalCount).toBe(exact);
    expect((await client.page({ query: '"love' })).totalCount).toBe((await client.page({ query: 'love' })).totalCount);
  });

  test('the field search finds ñ for an n in the query only if the query has no hits otherwise', async () => {
    const child = await client.search('nino', { translation: 'spa-rv1909' });
    expect(folded(child[0]?.text ?? '')).toContain('niño');
    expect(await client.search('niño', { translation: 'spa-rv1909' })).toEqual(child);
    // This translation has words that begin with "ano", so ñ does not count as n, and año is not
    // found.
    const starting = await client.allEdges({ query: 'ano', translation: 'spa-rv1909', prefix: true });
    expect(starting.length).toBeGreaterThan(0);
    for (const { node } of starting) expect(folded(node.text).some((word) => word.startsWith('ano'))).toBe(true);
    expect(references(await client.search('añgel', { translation: 'spa-rv1909', limit: 1 }))).toEqual(
      references(await client.search('angel', { translation: 'spa-rv1909', limit: 1 })),
    );
    expect(
      (await client.page({ query: 'ano nuevo', translation: 'spa-rv1909' })).edges.map(({ node }) =>
        folded(node.text).includes('año'),
      ),
    ).toContain(true);
  });

  test('searchVerses finds nothing for a query without letters and digits', async () => {
    for (const query of ['?!', '😀', '""', '«»', '\u0000', '\u200f', '- * ^', '\ud83d'])
      expect(await client.page({ query })).toMatchObject({ totalCount: 0, edges: [], suggestion: null });
  });
});

describe('arguments', () => {
  test('the field search with order: CANONICAL returns the verses in canonical order', async () => {
    const verses = await client.search('love', { limit: 100, order: 'CANONICAL' });
    const ordinals = verses.map((verse) =>
      verseOrdinal({ book: corpusBook(verse.bookId), chapter: verse.chapter, verse: verse.verse }),
    );
    expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
    expect(verses[0]?.bookName).toBe('Genesis');
  });

  test('the field search returns verses with equal texts in canonical order', async () => {
    const [first, second] = await client.search('"and the lord spake unto moses saying"', {
      translation: 'eng-kjv',
      limit: 2,
    });
    expect(first?.text).toBe(second?.text);
    expect(references([first, second].flatMap((verse) => verse ?? []))).toEqual(['Exodus 6:10', 'Exodus 13:1']);
  });

  test('the field search uses the default of each argument that is null', async () => {
    expect(await client.search('love', { limit: null, translation: null, order: null })).toEqual(
      await client.search('love'),
    );
  });

  test('the field search in a Spanish translation returns the book name, reference and text of a verse in Spanish', async () => {
    const [verse] = await client.search('en el principio era el Verbo', { translation: 'spa-rv1909', limit: 1 });
    expect(verse).toMatchObject({
      bookId: 'JHN',
      bookName: 'Juan',
      chapter: 1,
      verse: 1,
      reference: 'Juan 1:1',
      text: corpus.verse('spa-rv1909', 'JHN', 1, 1)?.text,
    });
  });
});

describe('limits and rejected requests', () => {
  test.each([
    ['an empty query', 'query must not be blank', { query: '' }, 'BAD_USER_INPUT'],
    ['a query of white space only', 'query must not be blank', { query: ' \t\n ' }, 'BAD_USER_INPUT'],
    ['a query of 201 letters', 'query must be 200 characters or fewer', { query: 'x'.repeat(201) }, 'BAD_USER_INPUT'],
    [
      'a query of 2,000 words',
      'query must be 200 characters or fewer',
      { query: 'love '.repeat(2_000) },
      'BAD_USER_INPUT',
    ],
    [
      'an unknown translation',
      "Translation 'ENG-WEB' not found",
      { query: 'love', translation: 'ENG-WEB' },
      'NOT_FOUND',
    ],
    ['an empty translation', "Translation '' not found", { query: 'love', translation: '' }, 'NOT_FOUND'],
    ['an unknown book', "Book 'Nowhere' not found", { query: 'love', books: 'John, Nowhere' }, 'NOT_FOUND'],
  ])('searchVerses rejects %s with the error: %s', async (_, message, args, code) => {
    expect(await client.pageError(args)).toEqual({ message, code });
  });

  test('the field search accepts a query of 200 characters', async () => {
    expect(await client.search('love '.repeat(40), { limit: 1 })).toHaveLength(1);
  });

  test('if the search fields of a request return more than 5000 verses together, only the field that exceeds the limit fails', async () => {
    const fields = Array.from(
      { length: 51 },
      (_, index) => `f${index}: search(query: "the", limit: 100) { verse }`,
    ).join(' ');
    const { data, errors } = await client.execute(`{ ${fields} }`);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({
      path: ['f50'],
      message: 'One request holds at most 5000 verses over all its fields; ask for less at once',
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(data?.['f49']).toHaveLength(100);
    expect(data?.['f50']).toBeNull();
  });
});

describe('_entities', () => {
  const entities =
    'query E($ids: [_Any!]!) { _entities(representations: $ids) { ... on Verse { id reference text } } }';
  const byId = (id: string) => ({ __typename: 'Verse', id });

  test('_entities of the search subgraph returns the fields of a verse, and null for an unknown verse or a malformed id', async () => {
    const [verse] = await client.search('lord is my shepherd', { translation: 'eng-kjv', limit: 1 });
    const unknown = Buffer.from('v1:eng-xyz.JHN.3.16').toString('base64url');
    const missing = Buffer.from('v1:eng-kjv.JHN.3.99').toString('base64url');
    const { data, errors } = await client.execute(entities, {
      ids: [byId(verse?.id ?? ''), byId(unknown), byId(missing), byId('not-an-id')],
    });
    expect(errors).toBeUndefined();
    expect(data?.['_entities']).toEqual([
      { id: verse?.id, reference: 'Psalms 23:1', text: verse?.text },
      null,
      null,
      null,
    ]);
  });
});

const corpusBook = (code: string) => {
  const book = corpus.translation('eng-web')?.books.find((each) => each.code === code);
  if (!book) throw new Error(`no book ${code}`);
  return book.code;
};
