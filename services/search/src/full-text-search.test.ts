import { join } from 'node:path';
import { verseOrdinal } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { corpusFile, repositoryRoot } from '@lectern/testing';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import type { FoundVerse, OpenSearch } from '../test-support/search-client';
import { buildingMs, openSearch } from '../test-support/search-client';

let opened: OpenSearch;
const corpus = openCorpus(corpusFile);

beforeAll(async () => {
  opened = await openSearch({ corpusFile, searchFile: join(repositoryRoot, 'data', 'search.sqlite') });
}, buildingMs);

afterAll(() => {
  opened.close();
  corpus.close();
});

const references = (verses: readonly FoundVerse[]): string[] => verses.map(({ reference }) => reference);
const folded = (text: string): string[] => tokenize(text).map((token) => token.folded);

/** The words of every verse, read without an index; by edition. */
const verseWords = (translation: string): ReadonlySet<string>[] =>
  Array.from(corpus.eachVerse(translation), ({ text }) => new Set(folded(text)));
const wordsOf = new Map(corpus.translations.map(({ identifier }) => [identifier, verseWords(identifier)]));

/** How words answer one word: 3 exactly, 2 by a word start, 1 by the stem, 0 not at all. */
function createTierOf(word: string, language: string) {
  const stem = stemmerFor(language);
  const known = new Map<string, number>();
  const tierOfOne = (other: string): number =>
    other === word ? 3 : other.startsWith(word) ? 2 : stem(other) === stem(word) ? 1 : 0;
  return (words: Iterable<string>): number => {
    let best = 0;
    for (const other of words) {
      const tier = known.get(other) ?? tierOfOne(other);
      known.set(other, tier);
      best = Math.max(best, tier);
    }
    return best;
  };
}

const tierIn = (text: string, word: string, language: string): number => createTierOf(word, language)(folded(text));

describe('what a search finds', () => {
  test('every verse with oración, oraciones or a word that begins so, and no other, whatever the accents and capitals asked with', async () => {
    const expected = [...corpus.eachVerse('spa-rv1909')].filter(({ text }) =>
      folded(text).some((word) => word.startsWith('oracion')),
    );
    expect(expected).toHaveLength(131);
    for (const query of ['oracion', 'oración', 'ORACIÓN', 'oracio\u0301n']) {
      const edges = await opened.walk({ query, translation: 'spa-rv1909', order: 'CANONICAL' });
      expect(edges.map(({ node }) => node.text)).toEqual(expected.map(({ text }) => text));
    }
  });

  test('amo and amó are one word', async () => {
    const [plain, accented] = [
      await opened.search('amo', { translation: 'spa-rv1909' }),
      await opened.search('amó', { translation: 'spa-rv1909' }),
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
    '%s: the total for %p is exact, and exact words come before word starts, starts before stems',
    async (translation, word) => {
      const { language } = corpus.translation(translation) ?? { language: '' };
      const tierOf = createTierOf(foldWord(word), language);
      const all = (wordsOf.get(translation) ?? []).map(tierOf);
      const expected = [3, 2, 1].map((tier) => all.filter((each) => each === tier).length);
      const { totalCount, edges } = await opened.page({ query: word, translation, first: 100 });
      expect(totalCount).toBe(expected.reduce((sum, count) => sum + count, 0));
      const tiers = edges.map(({ node }) => tierOf(folded(node.text)));
      expect(tiers).toEqual(
        expected
          .flatMap((count, index) => Array.from({ length: Math.min(count, 100) }, () => 3 - index))
          .slice(0, tiers.length),
      );
    },
  );

  test('all words are required, each in any of its forms', async () => {
    const verses = await opened.search('loving mercies', { translation: 'eng-kjv', limit: 100 });
    expect(verses.length).toBeGreaterThan(0);
    for (const { text } of verses)
      expect([tierIn(text, 'loving', 'eng') > 0, tierIn(text, 'mercies', 'eng') > 0]).toEqual([true, true]);
  });

  test('a verse is as good as the poorest of its words', async () => {
    const verses = await opened.walk({ query: 'love world', translation: 'eng-web' });
    const tiers = verses.map(({ node }) =>
      Math.min(tierIn(node.text, 'love', 'eng'), tierIn(node.text, 'world', 'eng')),
    );
    expect(new Set(tiers).size).toBeGreaterThan(1);
    expect(tiers).toEqual(tiers.toSorted((a, b) => b - a));
  });

  test('words in quotes follow one another exactly, and other words may stand beside the quotes', async () => {
    const quoted = await opened.page({ query: '"kingdom of god"', translation: 'eng-kjv', first: 100 });
    const expected = [...corpus.eachVerse('eng-kjv')].filter(({ text }) =>
      ` ${folded(text).join(' ')} `.includes(' kingdom of god '),
    );
    expect(quoted.totalCount).toBe(expected.length);
    const mixed = await opened.walk({ query: 'seek "kingdom of god"', translation: 'eng-kjv' });
    expect(mixed.map(({ node }) => node.reference)).toContain('Matthew 6:33');
    for (const { node } of mixed)
      expect([folded(node.text).join(' ').includes('kingdom of god'), tierIn(node.text, 'seek', 'eng') > 0]).toEqual([
        true,
        true,
      ]);
    for (const marks of ['“kingdom of god”', '«kingdom of god»', '„Kingdom of God“'])
      expect((await opened.page({ query: marks, translation: 'eng-kjv' })).totalCount).toBe(expected.length);
  });

  test('a single word in quotes is that word alone, and a quote that nothing closes is none', async () => {
    const exact = [...corpus.eachVerse('eng-web')].filter(({ text }) => folded(text).includes('love')).length;
    expect((await opened.page({ query: '"love"' })).totalCount).toBe(exact);
    expect((await opened.page({ query: '"love' })).totalCount).toBe((await opened.page({ query: 'love' })).totalCount);
  });

  test('ñ is a letter of its own and counts as n only where nothing fits otherwise', async () => {
    const child = await opened.search('nino', { translation: 'spa-rv1909' });
    expect(folded(child[0]?.text ?? '')).toContain('niño');
    expect(await opened.search('niño', { translation: 'spa-rv1909' })).toEqual(child);
    // There are words that begin with "ano", so the year is not meant.
    const starting = await opened.walk({ query: 'ano', translation: 'spa-rv1909' });
    expect(starting.length).toBeGreaterThan(0);
    for (const { node } of starting) expect(folded(node.text).some((word) => word.startsWith('ano'))).toBe(true);
    expect(references(await opened.search('añgel', { translation: 'spa-rv1909', limit: 1 }))).toEqual(
      references(await opened.search('angel', { translation: 'spa-rv1909', limit: 1 })),
    );
    expect(
      (await opened.page({ query: 'ano nuevo', translation: 'spa-rv1909' })).edges.map(({ node }) =>
        folded(node.text).includes('año'),
      ),
    ).toContain(true);
  });

  test('a query without a word finds nothing', async () => {
    for (const query of ['?!', '😀', '""', '«»', '\u0000', '\u200f', '- * ^', '\ud83d'])
      expect(await opened.page({ query })).toMatchObject({ totalCount: 0, edges: [], suggestion: null });
  });
});

describe('order, limit and arguments', () => {
  test('CANONICAL is the order of the Bible', async () => {
    const verses = await opened.search('love', { limit: 100, order: 'CANONICAL' });
    const ordinals = verses.map((verse) =>
      verseOrdinal({ book: corpusBook(verse.bookId), chapter: verse.chapter, verse: verse.verse }),
    );
    expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
    expect(verses[0]?.bookName).toBe('Genesis');
  });

  test('equals stand in the order of the Bible', async () => {
    // Word for word the same verse twice.
    const [first, second] = await opened.search('"and the lord spake unto moses saying"', {
      translation: 'eng-kjv',
      limit: 2,
    });
    expect(first?.text).toBe(second?.text);
    expect(references([first, second].flatMap((verse) => verse ?? []))).toEqual(['Exodus 6:10', 'Exodus 13:1']);
  });

  test.each([
    [0, 0],
    [-1, 0],
    [-2_147_483_648, 0],
    [1, 1],
    [null, 25],
    [undefined, 25],
    [100, 100],
    [101, 100],
    [2_147_483_647, 100],
  ])('limit %p gives %p verses', async (limit, count) => {
    expect(await opened.search('the', { ...(limit !== undefined && { limit }) })).toHaveLength(count);
  });

  test('null for an argument with a default is the default', async () => {
    expect(await opened.search('love', { limit: null, translation: null, order: null })).toEqual(
      await opened.search('love'),
    );
  });

  test('a verse carries its values as the corpus has them', async () => {
    const [verse] = await opened.search('en el principio era el Verbo', { translation: 'spa-rv1909', limit: 1 });
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

describe('what is refused', () => {
  test.each([
    [{ query: '' }, 'query must not be blank', 'BAD_USER_INPUT'],
    [{ query: ' \t\n ' }, 'query must not be blank', 'BAD_USER_INPUT'],
    [{ query: 'x'.repeat(201) }, 'query must be 200 characters or fewer', 'BAD_USER_INPUT'],
    [{ query: 'love '.repeat(2_000) }, 'query must be 200 characters or fewer', 'BAD_USER_INPUT'],
    [{ query: 'love', translation: 'ENG-WEB' }, "Translation 'ENG-WEB' not found", 'NOT_FOUND'],
    [{ query: 'love', translation: '' }, "Translation '' not found", 'NOT_FOUND'],
    [{ query: 'love', books: 'John, Nowhere' }, "Book 'Nowhere' not found", 'NOT_FOUND'],
  ])('%j', async (asked, message, code) => {
    expect(await opened.pageError(asked)).toEqual({ message, code });
  });

  test('200 characters are still taken', async () => {
    expect(await opened.search('love '.repeat(40), { limit: 1 })).toHaveLength(1);
  });

  test('one request holds 5,000 verses over all its fields, and the field that would pass that says so', async () => {
    const fields = Array.from(
      { length: 51 },
      (_, index) => `f${index}: search(query: "the", limit: 100) { verse }`,
    ).join(' ');
    const { data, errors } = await opened.ask(`{ ${fields} }`);
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

describe('verses asked for by id', () => {
  const entities =
    'query E($ids: [_Any!]!) { _entities(representations: $ids) { ... on Verse { id reference text } } }';
  const byId = (id: string) => ({ __typename: 'Verse', id });

  test('come with their values, and null where there is none', async () => {
    const [verse] = await opened.search('lord is my shepherd', { translation: 'eng-kjv', limit: 1 });
    const unknown = Buffer.from('v1:eng-xyz.JHN.3.16').toString('base64url');
    const absent = Buffer.from('v1:eng-kjv.JHN.3.99').toString('base64url');
    const { data, errors } = await opened.ask(entities, {
      ids: [byId(verse?.id ?? ''), byId(unknown), byId(absent), byId('nonsense')],
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
