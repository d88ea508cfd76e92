import { useStarted } from '@lectern/testing';
import { foldWord, tokenize } from '@lectern/words';
import type { PageData } from '../test-support/search-client';
import { openSearchClient } from '../test-support/search-client';

const client = useStarted(openSearchClient);

const ids = (edges: PageData['edges']): string[] => edges.map(({ node }) => node.id);

describe('pages', () => {
  test.each(['RELEVANCE', 'CANONICAL'] as const)(
    'the pages of searchVerses in the order %s together contain each of the totalCount verses once',
    async (order) => {
      const whole = await client.allEdges({ query: 'love', order });
      const { totalCount } = await client.page({ query: 'love', order });
      expect(new Set(ids(whole)).size).toBe(totalCount);
      expect(whole).toHaveLength(totalCount);
      expect(ids(await client.allEdges({ query: 'love', order, first: 7 }))).toEqual(ids(whole));
    },
  );

  test('the first page of searchVerses has the same verses in the same order as the field search', async () => {
    expect(ids((await client.page({ query: 'bread of life' })).edges)).toEqual(
      (await client.search('bread of life')).map(({ id }) => id),
    );
  });

  test('the page after a searchVerses cursor begins with the next verse, and has its own startCursor and endCursor', async () => {
    const { edges } = await client.page({ query: 'shepherd', first: 20 });
    const next = await client.page({ query: 'shepherd', first: 14, after: edges[5]?.cursor ?? '' });
    expect(ids(next.edges)).toEqual(ids(edges).slice(6));
    expect(next.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: next.edges[0]?.cursor,
      endCursor: next.edges.at(-1)?.cursor,
    });
  });

  test('the last page of searchVerses has hasNextPage: false, and the page after the last cursor is empty', async () => {
    const { edges, pageInfo } = await client.page({ query: 'jesus wept', translation: 'eng-kjv' });
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    });
    const beyond = await client.page({ query: 'jesus wept', translation: 'eng-kjv', after: pageInfo.endCursor });
    expect(beyond).toMatchObject({
      totalCount: edges.length,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
      suggestion: null,
    });
  });

  test('searchVerses returns the first page if the argument after is null or an empty text', async () => {
    const first = await client.page({ query: 'love' });
    expect(await client.page({ query: 'love', after: null })).toEqual(first);
    expect(await client.page({ query: 'love', after: '' })).toEqual(first);
  });

  test('a searchVerses cursor stays valid if the page size changes, or only case, spaces or punctuation of the query change', async () => {
    const { pageInfo } = await client.page({ query: 'good shepherd', first: 2 });
    const next = await client.page({ query: '  GOOD   Shepherd. ', first: 5, after: pageInfo.endCursor });
    expect(ids(next.edges)).toEqual(ids((await client.page({ query: 'good shepherd', first: 7 })).edges).slice(2));
  });

  test('searchVerses rejects a cursor that comes from another query, translation, order or filter', async () => {
    const {
      pageInfo: { endCursor: after },
    } = await client.page({ query: 'shepherd', first: 2 });
    const invalid = { message: 'Invalid cursor', code: 'BAD_USER_INPUT' };
    expect(await client.pageError({ query: 'sheep', after })).toEqual(invalid);
    expect(await client.pageError({ query: 'shepherd', after, translation: 'eng-kjv' })).toEqual(invalid);
    expect(await client.pageError({ query: 'shepherd', after, order: 'CANONICAL' })).toEqual(invalid);
    expect(await client.pageError({ query: 'shepherd', after, testament: 'NEW' })).toEqual(invalid);
    expect(await client.pageError({ query: 'shepherd', after, books: 'John' })).toEqual(invalid);
    expect(await client.pageError({ query: '"shepherd"', after })).toEqual(invalid);
  });

  test('searchVerses rejects a cursor if any of its characters is changed', async () => {
    const {
      pageInfo: { endCursor },
    } = await client.page({ query: 'shepherd', first: 2 });
    const cursor = endCursor ?? '';
    const changed = Array.from(
      cursor,
      (letter, at) => `${cursor.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
    );
    const others = [
      `${cursor}A`,
      `${cursor}=`,
      cursor.slice(1),
      cursor.slice(0, -1),
      ` ${cursor}`,
      'x',
      '0',
      '\u0000',
      'a'.repeat(10_000),
      Buffer.from('v1:1:43003016').toString('base64url'),
    ];
    for (const after of [...changed, ...others])
      expect(await client.pageError({ query: 'shepherd', after })).toEqual({
        message: 'Invalid cursor',
        code: 'BAD_USER_INPUT',
      });
  });
});

describe('filters, totals and facets', () => {
  test('the facets of searchVerses count the hits of all pages', async () => {
    const { totalCount, facets } = await client.page({ query: 'love', first: 1 });
    const edges = await client.allEdges({ query: 'love', order: 'CANONICAL' });
    const counts = new Map<string, number>();
    for (const { node } of edges) counts.set(node.bookId, (counts.get(node.bookId) ?? 0) + 1);
    expect(facets.byBook.map(({ bookId, count }) => [bookId, count])).toEqual([...counts]);
    expect(facets.byTestament.old + facets.byTestament.new).toBe(totalCount);
    expect(facets.byBook.find(({ bookId }) => bookId === '1JN')?.bookName).toBe('1 John');
  });

  test('the facets of searchVerses use the book names of the translation', async () => {
    const { facets } = await client.page({ query: 'verbo', translation: 'spa-rv1909' });
    expect(facets.byBook.find(({ bookId }) => bookId === 'REV')?.bookName).toBe('Apocalipsis');
  });

  test('the argument books of searchVerses accepts book codes, English names and names in the language of the translation', async () => {
    const expected = await client.page({ query: 'amor', translation: 'spa-rv1909', books: 'JHN,1JN' });
    expect(expected.totalCount).toBeGreaterThan(0);
    expect(expected.facets.byBook.map(({ bookId }) => bookId)).toEqual(['JHN', '1JN']);
    for (const books of ['Juan, 1 Juan', '1 john,,John , JHN', 'jhn,San Juan,1ra Juan']) {
      const { totalCount, edges } = await client.page({ query: 'amor', translation: 'spa-rv1909', books });
      expect([totalCount, ids(edges)]).toEqual([expected.totalCount, ids(expected.edges)]);
    }
  });

  test('searchVerses searches all books if the argument books is null, empty or only spaces and commas', async () => {
    const all = await client.page({ query: 'amor', translation: 'spa-rv1909' });
    for (const books of ['', ' , ,', null])
      expect((await client.page({ query: 'amor', translation: 'spa-rv1909', books })).totalCount).toBe(all.totalCount);
  });

  test('searchVerses with testament finds only verses of it, and none if books names a book of the other testament', async () => {
    const all = await client.page({ query: 'shepherd' });
    const [oldTestament, newTestament] = [
      await client.page({ query: 'shepherd', testament: 'OLD' }),
      await client.page({ query: 'shepherd', testament: 'NEW' }),
    ];
    expect([oldTestament.totalCount, newTestament.totalCount]).toEqual([
      all.facets.byTestament.old,
      all.facets.byTestament.new,
    ]);
    expect(newTestament.facets.byTestament).toEqual({ old: 0, new: newTestament.totalCount });
    expect(await client.page({ query: 'shepherd', books: 'PSA', testament: 'NEW' })).toMatchObject({
      totalCount: 0,
      edges: [],
      suggestion: null,
      facets: { byBook: [], byTestament: { old: 0, new: 0 } },
    });
    expect(
      (await client.page({ query: 'shepherd', books: 'PSA,JHN', testament: 'NEW' })).facets.byBook.map(
        ({ bookId }) => bookId,
      ),
    ).toEqual(['JHN']);
  });

  test('searchVerses rejects testament: OT, because the enum values are OLD and NEW, with GRAPHQL_VALIDATION_FAILED', async () => {
    const { errors } = await client.execute('{ searchVerses(query: "love", testament: OT) { totalCount } }');
    expect(errors?.[0]?.extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('searchVerses in the book Ruth finds verses for año and none for ano, although words in other books begin with ano', async () => {
    // Other books have words that begin with "ano", so ñ does not count as n: the rule looks at the
    // whole translation, although only Ruth is searched.
    const countOfAnoche = async (books: string | null) =>
      (await client.page({ query: 'anoche', translation: 'spa-rv1909', prefix: true, books })).totalCount;
    expect([await countOfAnoche(null), await countOfAnoche('RUT')]).toEqual([3, 0]);
    expect(
      (await client.page({ query: 'año', translation: 'spa-rv1909', prefix: true, books: 'RUT' })).totalCount,
    ).toBeGreaterThan(0);
    expect(await client.page({ query: 'ano', translation: 'spa-rv1909', prefix: true, books: 'RUT' })).toMatchObject({
      totalCount: 0,
      suggestion: null,
    });
  });
});

describe('matches', () => {
  const matchedWords = ({ node, matches }: PageData['edges'][number]): string[] =>
    matches.map(({ start, length }) => node.text.slice(start, start + length));

  test('the field matches of searchVerses marks whole words, even if only the beginning or the stem of a word matches', async () => {
    for (const edge of await client.allEdges({ query: 'love', translation: 'eng-kjv' })) {
      expect(matchedWords(edge).length).toBeGreaterThan(0);
      for (const word of matchedWords(edge)) expect(foldWord(word)).toMatch(/^(love|loving)/);
    }
  });

  test('the field matches of searchVerses marks every word of the query in the verse, in the order of the text', async () => {
    const {
      edges: [shepherd],
    } = await client.page({ query: 'lord is my shepherd', translation: 'eng-kjv' });
    expect(shepherd && matchedWords(shepherd)).toEqual(['LORD', 'is', 'my', 'shepherd']);
  });

  test('the field matches of searchVerses marks the words of a quoted phrase only where they are adjacent', async () => {
    const {
      edges: [first],
    } = await client.page({ query: '"the word was god"', translation: 'eng-kjv' });
    expect(first?.node.reference).toBe('John 1:1');
    expect(first?.matches.map(({ start }) => start)).toEqual(
      tokenize(first?.node.text ?? '')
        .slice(-4)
        .map(({ start }) => start),
    );
    expect(first && matchedWords(first)).toEqual(['the', 'Word', 'was', 'God']);
  });

  test('the field matches of searchVerses has correct offsets in a text with accents', async () => {
    const { edges } = await client.page({ query: 'oracion', translation: 'spa-rv1909' });
    expect(edges.length).toBeGreaterThan(0);
    for (const edge of edges) for (const word of matchedWords(edge)) expect(foldWord(word)).toMatch(/^oracion/);
  });

  test('the field matches of searchVerses marks the Spanish word mañana for the query manana', async () => {
    const {
      edges: [first],
    } = await client.page({ query: 'manana', translation: 'spa-rv1909' });
    expect(first && matchedWords(first).map(foldWord)).toContain('mañana');
  });
});

describe('synonyms from other translations', () => {
  test.each([
    ['eng-web', 'church rock', 'Matthew 16:18'],
    ['eng-web', 'manger', 'Luke 2:7'],
    ['eng-web', 'brimstone gomorrah', 'Genesis 19:24'],
    ['eng-web', 'hell', 'Matthew 5:22'],
    ['eng-web', 'calvary', 'Luke 23:33'],
    ['eng-web', 'propitiation', '1 John 2:2'],
    ['eng-web', 'firmament', 'Genesis 1:6'],
    ['eng-web', 'mote in thy brothers eye', 'Matthew 7:3'],
    ['eng-web', 'publicans and harlots', 'Matthew 21:31'],
    ['eng-kjv', 'yeast', 'Galatians 5:9'],
    ['spa-rv1909', 'churches', '1 Corintios 16:19'],
    ['spa-rv1909', 'Yahvé es mi pastor', 'Salmos 23:1'],
    ['spa-rv1909', 'Yavé es mi pastor', 'Salmos 23:1'],
  ])(
    'searchVerses in %s, which lacks a word of the query %p, finds %s by a synonym from another translation',
    async (translation, query, reference) => {
      const edges = await client.allEdges({ query, translation });
      expect(edges.map(({ node }) => node.reference)).toContain(reference);
    },
  );

  test('searchVerses for hell uses no synonyms in a translation that has the word hell', async () => {
    const edges = await client.allEdges({ query: 'hell', translation: 'eng-kjv' });
    for (const edge of edges) expect(edge.node.text).toMatch(/hell/i);
    expect(edges.length).toBeGreaterThan(0);
  });

  test('searchVerses for storm uses no synonyms, because the searched translation often has the word storm', async () => {
    const edges = await client.allEdges({ query: 'storm', translation: 'eng-web' });
    for (const { node } of edges) expect(node.text).toMatch(/storm/i);
    expect(edges.length).toBeGreaterThan(0);
  });
});

describe('numbers', () => {
  test.each([
    ['eng-web', '666', 'Revelation 13:18'],
    ['eng-kjv', '666', 'Revelation 13:18'],
    ['spa-rv1909', '666', 'Apocalipsis 13:18'],
    ['eng-web', '144,000', 'Revelation 14:1'],
    ['eng-kjv', '144000 children of Israel', 'Revelation 7:4'],
    ['spa-rv1909', '144.000', 'Apocalipsis 14:1'],
    ['eng-web', '70 times 7', 'Matthew 18:22'],
    ['spa-rv1909', '70 veces 7', 'Mateo 18:22'],
    ['eng-web', '30 pieces of silver', 'Matthew 26:15'],
    ['eng-kjv', '153 fishes', 'John 21:11'],
  ])(
    'searchVerses in %s for the digits in the query %p finds the number written in words in %s',
    async (translation, query, reference) => {
      const { edges } = await client.page({ query, translation, first: 10 });
      expect(edges.map(({ node }) => node.reference)).toContain(reference);
    },
  );

  test('searchVerses finds nothing for a number of 40 digits', async () => {
    expect(await client.page({ query: '1'.repeat(40) })).toMatchObject({ totalCount: 0, suggestion: null });
  });
});

describe('suggestion', () => {
  test.each([
    ['eng-kjv', 'sheperd', 'shepherd'],
    ['eng-kjv', 'jeruslaem', 'Jerusalem'],
    ['eng-kjv', 'the lord is my sheperd', 'the lord is my shepherd'],
    ['spa-rv1909', 'misericorida', 'misericordia'],
    ['spa-rv1909', 'Jehoba', 'Jehová'],
    ['eng-web', 'shadrack abendigo', 'Shadrach Abednego'],
    ['eng-web', '"holy spirit" baptised', '"holy spirit" baptized'],
    ['eng-web', 'psalsm 23:1-3', 'Psalms 23:1-3'],
    ['spa-rv1909', 'apocalpsis 3:20', 'Apocalipsis 3:20'],
  ])(
    'searchVerses in %s finds nothing for the query %p, and so searches for its suggestion %p instead',
    async (translation, query, suggestion) => {
      const page = await client.page({ query, translation });
      expect(page).toMatchObject({ suggestion, correctedQuery: suggestion });
      expect(page.totalCount).toBeGreaterThan(0);
      const corrected = await client.page({ query: suggestion, translation });
      expect(corrected.correctedQuery).toBeNull();
      expect([page.totalCount, ids(page.edges)]).toEqual([corrected.totalCount, ids(corrected.edges)]);
    },
  );

  test.each([
    ['eng-web', 'isaiah fifty three five', 'Isaiah 53:5'],
    ['eng-web', 'first corinthians thirteen verse four through seven', '1 Corinthians 13:4-7'],
    ['spa-rv1909', 'juan tres dieciséis', 'Juan 3:16'],
    ['eng-web', '约翰福音三章十六节', 'John 3:16'],
  ])('searchVerses in %s reads the query %p as the reference %s', async (translation, query, reference) => {
    const page = await client.page({ query, translation });
    expect([page.reference, page.edges[0]?.node.reference]).toEqual([reference, reference.replace('-7', '')]);
  });

  test('searchVerses reads no reference in ordinary words with a number', async () => {
    for (const query of ['two or three', 'love one another', 'am one', 'mark the one'])
      expect((await client.page({ query })).reference).toBeNull();
  });

  test('VerseSearchPage.suggestion changes no misspelt book name without a chapter and no ordinary word before a number', async () => {
    for (const query of ['psalsm', 'chapter 5', 'bread 5', 'psalsm 999', 'psalsm of qwertz 23'])
      expect((await client.page({ query })).reference).toBeNull();
  });

  test('the pages of searchVerses for a misspelt query contain the same verses as for the corrected query', async () => {
    const corrected = await client.allEdges({ query: 'the lord is my sheperd', first: 40 });
    const typed = await client.allEdges({ query: 'the lord is my shepherd', first: 40 });
    expect(corrected.map(({ node }) => node.id)).toEqual(typed.map(({ node }) => node.id));
  });

  test('the field suggestion of searchVerses is null for an ordinary word that the translation happens to lack', async () => {
    for (const [translation, query] of [
      ['eng-web', 'be anxious for nothing'],
      ['eng-web', 'the pastor of the church'],
      ['eng-web', 'hallowed be thy name'],
      ['eng-kjv', 'christmas story'],
      ['spa-rv1909', 'biblia'],
      ['spa-rv1909', 'love'],
      ['eng-web', 'burnout in ministry'],
      ['eng-web', 'Billy Graham altar call'],
      ['eng-web', 'ADHD and focus'],
      ['spa-rv1909', 'rezar el rosario'],
      ['spa-rv1909', 'celular en la iglesia'],
      ['spa-rv1909', 'redes sociales y chismes'],
      ['spa-rv1909', 'la transfiguración'],
      ['spa-rv1909', 'la escalera de Jacob'],
    ] as const)
      expect((await client.page({ query, translation })).suggestion).toBeNull();
  });

  test('VerseSearchPage.suggestion is null for a misspelt word if no similar word occurs with the other words', async () => {
    expect((await client.page({ query: 'the meak shall inherit' })).suggestion).toBeNull();
  });

  test('VerseSearchPage.suggestion is null for a word with two wrong letters if no verse has the correction with the rest', async () => {
    for (const query of ['asention of Christ', 'shepard', 'the shepard'])
      expect((await client.page({ query, translation: 'eng-web' })).suggestion).toBeNull();
  });

  test('the field suggestion of searchVerses never corrects sermen to semen, an offensive suggestion', async () => {
    const { suggestion } = await client.page({ query: 'sermen on the mount', translation: 'eng-web' });
    expect(suggestion ?? '').not.toMatch(/semen/i);
  });

  test('the field search finds nothing for a misspelt query, and does not search for a suggestion as searchVerses does', async () => {
    expect(await client.search('the lord is my sheperd')).toEqual([]);
  });

  test('VerseSearchPage.suggestion is null for a query with hits, and for words that resemble no word of the translation', async () => {
    for (const query of [
      'love',
      'xqzjkwv',
      'nebuchadnezzar galilee',
      'x'.repeat(200),
      'aaaq bbbq cccq dddq eeeq',
      '¿?',
    ])
      expect((await client.page({ query })).suggestion).toBeNull();
  });
});

test('searchVerses adds a hint if the query is a saying that is falsely quoted as Scripture, but not if it quotes a verse', async () => {
  const hintsOf = async (query: string) => {
    const { hints } = await client.execute('query($query: String!) { searchVerses(query: $query) { totalCount } }', {
      query,
    });
    return hints;
  };
  expect(await hintsOf('does the Bible say that God helps those who help themselves')).toEqual([
    { coordinate: 'Query.searchVerses', message: expect.stringContaining('Nearest verses: Psalms 121:1-2') },
  ]);
  expect(await hintsOf('the love of money is the root of all evil')).toBeUndefined();
});
