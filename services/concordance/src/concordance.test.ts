import { openCorpus } from '@lectern/corpus';
import type { Execute, SubgraphResponse } from '@lectern/subgraph';
import { corpusFile } from '@lectern/testing';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import { buildingMs, openReal } from '../test-support/concordance-client';

interface Edge {
  cursor: string;
  node: {
    context: string;
    matches: { start: number; length: number }[];
    verse: { bookId: string; chapter: number; verse: number; text: string; reference: string };
    strongs: { number: string } | null;
  };
}

interface Connection {
  totalCount: number;
  entry: {
    lemma: string;
    surfaceForms: string[];
    totalOccurrences: number;
    verseCount: number;
    occurrencesByBook: { bookId: string; bookName: string; count: number }[];
    occurrencesByTestament: { old: number; new: number };
  };
  edges: Edge[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const query = `query C($translation: String!, $word: String!, $book: String, $testament: Testament, $first: Int, $after: String) {
  concordance(translation: $translation, word: $word, book: $book, testament: $testament, first: $first, after: $after) {
    totalCount
    entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } occurrencesByTestament { old new } }
    edges { cursor node { context matches { start length } verse { bookId chapter verse text reference } strongs { number } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

let ask: Execute;
let close: () => void;
beforeAll(async () => {
  ({ ask, close } = await openReal());
}, buildingMs);
afterAll(() => close());

const raw = async (variables: Record<string, unknown>): Promise<SubgraphResponse> =>
  ask({ query, variables: { translation: 'spa-rv1909', ...variables } });

async function concordance(variables: Record<string, unknown>): Promise<Connection> {
  const { data, errors } = await raw(variables);
  expect(errors).toBeUndefined();
  return data?.['concordance'] as Connection;
}

async function refusal(variables: Record<string, unknown>): Promise<{ message: string | undefined; code: unknown }> {
  const { data, errors } = await raw(variables);
  expect(data).toEqual({ concordance: null });
  return { message: errors?.[0]?.message, code: errors?.[0]?.extensions?.['code'] };
}

const cursor = (text: string): string => Buffer.from(text).toString('base64url');

describe('the words of the Reina-Valera of 1909', () => {
  test.each([
    ['misericordia', 398, 424, 327, 71],
    ['Espíritu', 560, 616, 241, 319],
    ['AMOR', 170, 187, 91, 79],
  ])('%s stands in %i verses %i times, %i old and %i new', async (word, verseCount, totalOccurrences, old, fresh) => {
    const { totalCount, entry } = await concordance({ word });
    expect(totalCount).toBe(verseCount);
    expect(entry).toMatchObject({ verseCount, totalOccurrences, occurrencesByTestament: { old, new: fresh } });
    expect(entry.occurrencesByBook.reduce((sum, { count }) => sum + count, 0)).toBe(verseCount);
  });

  test('164 verses of the Psalms have misericordia, and 1 of Ruth', async () => {
    const { entry } = await concordance({ word: 'misericordia' });
    expect(entry.lemma).toBe('misericordi');
    expect(entry.surfaceForms).toEqual(['misericordia', 'misericordias', 'misericordioso', 'misericordiosos']);
    expect(entry.occurrencesByBook).toContainEqual({ bookId: 'PSA', bookName: 'Salmos', count: 164 });
    expect(entry.occurrencesByBook).toContainEqual({ bookId: 'RUT', bookName: 'Rut', count: 1 });
  });

  test('a function word that is asked for is answered', async () => {
    const { entry } = await concordance({ word: 'de', first: 1 });
    expect(entry).toMatchObject({
      lemma: 'de',
      verseCount: 21_458,
      totalOccurrences: 44_727,
      surfaceForms: ['de', 'dé'],
    });
  });

  test('ñ is no n', async () => {
    const [year, anus] = [await concordance({ word: 'año', first: 1 }), await concordance({ word: 'ano', first: 1 })];
    expect(year.totalCount).toBeGreaterThan(300);
    expect(anus.totalCount).toBe(0);
  });
});

test.each([
  ['spa-rv1909', 'amor de Dios'],
  ['spa-rv1909', 'hijos'],
  ['eng-kjv', 'love'],
  ['eng-kjv', 'the LORD said'],
  ['eng-web', 'God'],
  ['eng-web', 'running, raced'],
])(
  'in %s the counts and places of "%s" are those that reading every verse gives',
  async (translation, word) => {
    const corpus = openCorpus(corpusFile);
    const stem = stemmerFor(corpus.translation(translation)?.language ?? '');
    const wanted = new Set(tokenize(word).map(({ folded }) => stem(folded)));
    const expected: { place: string; spans: { start: number; length: number }[] }[] = [];
    const forms = new Map<string, number>();
    for (const { book, chapter, verse, text } of corpus.eachVerse(translation)) {
      const hits = tokenize(text).filter(({ folded }) => wanted.has(stem(folded)));
      if (new Set(hits.map(({ folded }) => stem(folded))).size < wanted.size) continue;
      expected.push({
        place: `${book}:${chapter}:${verse}`,
        spans: hits.map(({ start, length }) => ({ start, length })),
      });
      for (const hit of hits) forms.set(hit.text.toLowerCase(), (forms.get(hit.text.toLowerCase()) ?? 0) + 1);
    }
    corpus.close();

    const walked: typeof expected = [];
    let after: string | null = null;
    let last: Connection;
    do {
      last = await concordance({ translation, word, first: 100, after });
      walked.push(
        ...last.edges.map(({ node: { verse, matches } }) => ({
          place: `${verse.bookId}:${verse.chapter}:${verse.verse}`,
          spans: matches,
        })),
      );
      after = last.pageInfo.endCursor;
    } while (last.pageInfo.hasNextPage);

    expect(walked).toEqual(expected);
    expect(last.entry.lemma).toBe([...wanted].join(' '));
    expect(last.entry.verseCount).toBe(expected.length);
    expect(last.entry.totalOccurrences).toBe(expected.reduce((sum, { spans }) => sum + spans.length, 0));
    const counted = [...forms].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
    expect(last.entry.surfaceForms.map((form) => form.toLowerCase())).toEqual(
      counted.slice(0, 10).map(([form]) => form),
    );
  },
  60_000,
);

describe('filters', () => {
  test('book and testament join by AND, and leave the entry whole', async () => {
    const inPsalms = await concordance({ word: 'misericordia', book: 'Salmos', testament: 'OLD' });
    expect(inPsalms.totalCount).toBe(164);
    expect(inPsalms.entry.verseCount).toBe(398);
    const impossible = await concordance({ word: 'misericordia', book: 'psalms', testament: 'NEW' });
    expect(impossible).toMatchObject({
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
      entry: { verseCount: 398 },
    });
    expect(await concordance({ word: 'misericordia', testament: 'NEW', first: 1 })).toMatchObject({
      totalCount: 71,
      edges: [{ node: { verse: { reference: 'Mateo 5:7' } } }],
    });
  });

  test('a book is unknown, or a translation, or a testament in the wrong form', async () => {
    expect(await refusal({ word: 'amor', book: 'Tolkien' })).toEqual({
      message: "Book 'Tolkien' not found",
      code: 'NOT_FOUND',
    });
    expect(await refusal({ word: 'amor', book: '' })).toEqual({ message: "Book '' not found", code: 'NOT_FOUND' });
    expect(await refusal({ translation: 'SPA-RV1909', word: 'amor' })).toEqual({
      message: "Translation 'SPA-RV1909' not found",
      code: 'NOT_FOUND',
    });
    const { errors } = await ask({
      query: '{ concordance(translation: "eng-web", word: "love", testament: "OT") { totalCount } }',
    });
    expect(errors?.[0]?.extensions?.['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('pages', () => {
  test.each([
    [0, 1],
    [-1, 1],
    [1, 1],
    [null, 25],
    [100, 100],
    [101, 100],
    [2_147_483_647, 100],
  ])('first: %p gives %i verses', async (first, count) => {
    expect((await concordance({ word: 'de', first })).edges).toHaveLength(count);
  });

  test('walking by any cursor gives no gap and no repeat', async () => {
    const whole = await concordance({ word: 'gracia', testament: 'NEW', first: 100 });
    const walked: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: Connection = await concordance({ word: 'gracia', testament: 'NEW', first: 7, after });
      walked.push(...page.edges.map(({ node }) => node.verse.reference));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(walked).toHaveLength(whole.totalCount);
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.slice(0, 100)).toEqual(whole.edges.map(({ node }) => node.verse.reference));
    const middle = whole.edges[40];
    expect(
      (await concordance({ word: 'gracia', testament: 'NEW', first: 1, after: middle?.cursor })).edges[0]?.node.verse
        .reference,
    ).toBe(walked[41]);
  });

  test('null and "" are the first page', async () => {
    const first = await concordance({ word: 'amor' });
    expect(await concordance({ word: 'amor', after: null })).toEqual(first);
    expect(await concordance({ word: 'amor', after: '' })).toEqual(first);
  });

  test('a cursor is url-safe base64 of BOOK:chapter:verse, with padding or without', async () => {
    const { edges } = await concordance({ word: 'amor', first: 1, after: cursor('JHN:3:16') });
    expect(edges[0]?.node.verse.reference).toBe('Juan 5:42');
    const padded = Buffer.from('JHN:3:1').toString('base64');
    expect(padded.endsWith('=')).toBe(true);
    expect((await concordance({ word: 'amor', first: 1, after: padded })).edges).toEqual(edges);
    expect(Buffer.from(edges[0]?.cursor ?? '', 'base64url').toString()).toBe('JHN:5:42');
  });

  test('a cursor of another query is a place to go on from, also where the translation has no such verse', async () => {
    const { edges } = await concordance({ word: 'misericordia', first: 1, after: cursor('MAT:5:6') });
    expect(edges[0]?.node.verse.reference).toBe('Mateo 5:7');
    expect((await concordance({ word: 'misericordia', first: 1, after: cursor('MAL:999:999') })).edges).toEqual(edges);
    expect(await concordance({ word: 'misericordia', book: 'GEN', after: cursor('EXO:1:1') })).toMatchObject({
      totalCount: 12,
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    expect((await concordance({ word: 'misericordia', book: 'RUT', after: cursor('GEN:1:1') })).edges).toHaveLength(1);
  });

  test.each([
    ['words', 'not a cursor'],
    ['a blank', ' '],
    ['no base64', 'R0VOOjE6MQ!'],
    ['an unknown book', cursor('XXX:1:1')],
    ['a book in small letters', cursor('gen:1:1')],
    ['chapter 0', cursor('GEN:0:1')],
    ['verse 0', cursor('GEN:1:0')],
    ['a leading zero', cursor('GEN:01:1')],
    ['no verse', cursor('GEN:1')],
    ['four digits', cursor('GEN:1000:1')],
    ['a negative number', cursor('GEN:1:-1')],
    ['spare bits set', 'R0VOOjE6MR'],
    ['too much padding', 'R0VOOjE6MQ==='],
    ['padding that pads nothing', `${cursor('PSA:10:16')}=`],
    ['half of the padding', 'R0VOOjE6MQ='],
    ['something behind', cursor('GEN:1:1\n')],
    ['a NUL', 'R0VO\0OjE6MQ'],
    ['a long text', 'A'.repeat(5000)],
    ['an injection', "'; DROP TABLE verse"],
  ])('%s is no cursor', async (_, after) => {
    expect(await refusal({ word: 'amor', after })).toEqual({ message: 'Invalid cursor', code: 'BAD_USER_INPUT' });
  });
});

describe('what is asked for', () => {
  test('is trimmed, may not be blank, and has at most 100 characters', async () => {
    expect(await concordance({ word: '  amor\n', first: 1 })).toEqual(await concordance({ word: 'amor', first: 1 }));
    expect(await refusal({ word: ' \t ' })).toEqual({ message: 'word must not be blank', code: 'BAD_USER_INPUT' });
    expect(await refusal({ word: '' })).toEqual({ message: 'word must not be blank', code: 'BAD_USER_INPUT' });
    expect(await refusal({ word: 'a'.repeat(101) })).toEqual({
      message: 'word must be 100 characters or fewer',
      code: 'BAD_USER_INPUT',
    });
    expect((await concordance({ word: ` ${'a'.repeat(100)} ` })).totalCount).toBe(0);
    expect((await concordance({ word: '😀'.repeat(100) })).totalCount).toBe(0);
  });

  test('no hit: an empty page and an entry of zeros under the stem that was asked for', async () => {
    expect(await concordance({ word: 'computadoras' })).toEqual({
      totalCount: 0,
      entry: {
        lemma: 'comput',
        surfaceForms: [],
        totalOccurrences: 0,
        verseCount: 0,
        occurrencesByBook: [],
        occurrencesByTestament: { old: 0, new: 0 },
      },
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    expect((await concordance({ word: 'amor computadora' })).entry).toMatchObject({
      lemma: 'amor comput',
      totalOccurrences: 0,
      surfaceForms: [],
    });
  });

  test.each([
    ['a combining mark', '\u0301'],
    ['a NUL', '\0'],
    ['marks of direction', '\u200f\u202e'],
    ['an emoji', '😀'],
    ['punctuation', '*"(-'],
    ['half a surrogate', '\ud83d'],
  ])('%s is no word: nothing is found', async (_, word) => {
    expect(await concordance({ word })).toMatchObject({
      totalCount: 0,
      edges: [],
      entry: { lemma: '', totalOccurrences: 0 },
    });
  });

  test.each(["'; DROP TABLE verse; --", 'amor OR 1=1', '" OR ""="', 'NEAR(amor)', 'amor*', '-amor'])(
    '%s is words and nothing else',
    async (word) => {
      const { entry } = await concordance({ word });
      expect(entry.lemma).toMatch(/^[a-z0-9 ]+$/);
      expect((await concordance({ word: 'amor' })).totalCount).toBe(170);
    },
  );
});

describe('the context', () => {
  const words = (html: string): number => tokenize(html.replace(/<\/?mark>|&\w+;/g, '')).length;

  test('of a short verse is the verse, with every hit marked', async () => {
    const { edges } = await concordance({ translation: 'eng-web', word: 'wept', book: 'JHN', first: 1 });
    expect(edges[0]?.node).toMatchObject({
      context: 'Jesus <mark>wept</mark>.',
      matches: [{ start: 6, length: 4 }],
      verse: { reference: 'John 11:35' },
    });
  });

  test('of a long verse is the earliest 25 words that hold the most hits', async () => {
    const { edges } = await concordance({ translation: 'eng-web', word: 'king', first: 100 });
    const long = edges.filter(({ node }) => words(node.verse.text) > 25);
    expect(long.length).toBeGreaterThan(20);
    for (const {
      node: { context, matches, verse },
    } of long) {
      const all = tokenize(verse.text);
      const isHit = (index: number): boolean => matches.some(({ start }) => start === all[index]?.start);
      const held = (from: number): number =>
        Array.from({ length: 25 }, (_, index) => from + index).filter(isHit).length;
      const windows = Array.from({ length: all.length - 24 }, (_, from) => held(from));
      const best = windows.indexOf(Math.max(...windows));
      const shown = verse.text.slice(
        best === 0 ? 0 : all[best]?.start,
        best + 25 === all.length ? undefined : (all[best + 24]?.start ?? 0) + (all[best + 24]?.length ?? 0),
      );
      expect(context.replace(/<\/?mark>/g, '')).toBe(
        `${best > 0 ? '…' : ''}${shown}${best + 25 < all.length ? '…' : ''}`,
      );
      expect(context.match(/<mark>/g)).toHaveLength(windows[best] ?? 0);
    }
  });

  test('of any verse holds 25 words at most, and the hits of the whole verse stand in matches', async () => {
    for (const translation of ['eng-kjv', 'spa-rv1909']) {
      const { edges } = await concordance({ translation, word: translation === 'eng-kjv' ? 'and' : 'y', first: 100 });
      for (const {
        node: { context, matches, verse },
      } of edges) {
        expect(words(context)).toBe(Math.min(25, words(verse.text)));
        expect(new Set(matches.map(({ start, length }) => foldWord(verse.text.slice(start, start + length))))).toEqual(
          new Set([translation === 'eng-kjv' ? 'and' : 'y']),
        );
      }
    }
  });
});
