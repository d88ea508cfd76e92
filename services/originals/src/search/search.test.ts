import { useStarted } from '@lectern/testing';
import { describeWithTexts, openRealOriginalsClient } from '../../test-support/originals-client';

interface Page {
  totalCount: number;
  wordCount: number;
  edges: { cursor: string; node: { reference: string }; matches: { surface: string }[] }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  facets: {
    byBook: { bookId: string; count: number }[];
    byForm: { form: string; count: number }[];
    byParsing: { parsing: { code: string }; count: number }[];
  };
}

const fields =
  'totalCount wordCount edges { cursor node { reference } matches { surface } } pageInfo { hasNextPage endCursor } facets { byBook { bookId count } byForm { form count } byParsing { parsing { code } count } }';

describeWithTexts('searchOriginals', () => {
  const client = useStarted(openRealOriginalsClient);
  const search = async (args: string): Promise<Page> =>
    (await client.data<{ page: Page }>(`{ page: searchOriginals(${args}) { ${fields} } }`)).page;
  const errorOf = async (args: string): Promise<[string | undefined, unknown]> =>
    client.error(`{ searchOriginals(${args}) { totalCount } }`);
  const referencesOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.reference);

  test.each([
    [
      'in Hebrew letters',
      'form: "בראשית"',
      ['Genesis 1:1', 'Jeremiah 26:1', 'Jeremiah 27:1', 'Jeremiah 28:1', 'Jeremiah 49:34'],
    ],
    [
      'with points',
      'form: "בְּרֵאשִׁית"',
      ['Genesis 1:1', 'Jeremiah 26:1', 'Jeremiah 27:1', 'Jeremiah 28:1', 'Jeremiah 49:34'],
    ],
    ['with points and an accent', 'form: "בְּרֵאשִׁ֖ית"', ['Genesis 1:1']],
    [
      'in a popular transliteration',
      'form: "Bereshit"',
      ['Genesis 1:1', 'Jeremiah 26:1', 'Jeremiah 27:1', 'Jeremiah 28:1', 'Jeremiah 49:34'],
    ],
    ['by a Strong’s number with its sense', 'strongs: "h01254b"', ['1 Samuel 2:29']],
    ['by a Greek lemma in Latin letters', 'lemma: "epiousios"', ['Matthew 6:11', 'Luke 11:3']],
    ['by a Greek form without accents in capitals', 'form: "ΕΠΙΟΥΣΙΟΝ"', ['Matthew 6:11', 'Luke 11:3']],
  ])('searchOriginals finds a word %s', async (_, word, expected) => {
    const found = referencesOf(await search(`words: [{ ${word} }]`));
    expect(found).toEqual(expected);
  });

  test('searchOriginals with withinWords: 3 finds an imperative near a vocative, in either order', async () => {
    const page = await search(
      'words: [{ mood: IMPERATIVE }, { lemma: "κύριος", case: VOCATIVE }], withinWords: 3, first: 3',
    );
    expect(
      page.edges.map(({ node, matches }) => [node.reference, matches.map(({ surface }) => surface).join(' ')]),
    ).toEqual([
      ['Matthew 8:21', 'Κύριε ἐπίτρεψόν'],
      ['Matthew 8:25', 'Κύριε σῶσον'],
      ['Matthew 14:30', 'Κύριε σῶσόν'],
    ]);
    expect(page.totalCount).toBeGreaterThan(20);
  });

  test('searchOriginals with ordered: true and withinWords: 1 finds only adjacent words in the requested order', async () => {
    const participle = '{ stem: HIPHIL, conjugation: ACTIVE_PARTICIPLE }';
    const name = '{ partOfSpeech: NOUN, type: PROPER }';
    const after = await search(`words: [${participle}, ${name}], withinWords: 1, ordered: true, first: 100`);
    const before = await search(`words: [${name}, ${participle}], withinWords: 1, ordered: true, first: 100`);
    const either = await search(`words: [${participle}, ${name}], withinWords: 1, first: 100`);
    expect(referencesOf(after)[0]).toBe('Genesis 19:14');
    expect(new Set(referencesOf(either))).toEqual(new Set([...referencesOf(after), ...referencesOf(before)]));
    expect(either.totalCount).toBeLessThanOrEqual(after.totalCount + before.totalCount);
  });

  test('searchOriginals for the same word twice finds only verses that contain this word twice', async () => {
    const page = await search(
      'words: [{ lemma: "ἀμήν" }, { lemma: "ἀμήν" }], withinWords: 1, books: "John", first: 100',
    );
    expect(page.totalCount).toBe(25);
    expect(page.edges.every(({ matches }) => matches.length === 2)).toBe(true);
  });

  test('searchOriginals for five equal words finds the same verses with the argument ordered as without it', async () => {
    const args = `words: [${'{ gender: FEMININE } '.repeat(5)}], withinWords: 12, first: 100`;
    const page = await search(args);
    expect(await search(`${args}, ordered: true`)).toEqual(page);
    expect(page.totalCount).toBeGreaterThan(1_000);
  });

  test('searchOriginals never matches two words of the query with the same word of a verse', async () => {
    const words = '{ lemma: "ἐπιούσιος" }, { lemma: "ἐπιούσιος", gender: MASCULINE }, { partOfSpeech: NOUN }';
    expect(await search(`words: [${words}], withinWords: 20`)).toMatchObject({ totalCount: 0, wordCount: 0 });
    const found = await search('words: [{ partOfSpeech: NOUN }, { lemma: "ἐπιούσιος" }], withinWords: 20');
    expect(referencesOf(found)).toEqual(['Matthew 6:11', 'Luke 11:3']);
  });

  test('searchOriginals with partOfSpeech: SUFFIX finds pronominal suffixes by person and number', async () => {
    const page = await search(
      'words: [{ lemma: "בית", partOfSpeech: SUFFIX, person: 1, number: SINGULAR }], books: "Joshua"',
    );
    expect(page.edges.map(({ node, matches }) => [node.reference, matches[0]?.surface])).toEqual([
      ['Joshua 24:15', 'וּבֵיתִ֔י'],
    ]);
  });

  test('the pages of searchOriginals together contain every hit once, and the facets count the hits of all pages', async () => {
    const whole = await search('words: [{ lemma: "ἀγάπη" }], first: 100');
    const found: string[] = [];
    for (let after: string | null = null, hasNext = true; hasNext; ) {
      const page: Page = await search(
        `words: [{ lemma: "ἀγάπη" }], first: 30${after === null ? '' : `, after: "${after}"`}`,
      );
      found.push(...referencesOf(page));
      ({ hasNextPage: hasNext, endCursor: after } = page.pageInfo);
    }
    expect(found).toHaveLength(whole.totalCount);
    expect(new Set(found).size).toBe(found.length);
    const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0);
    expect(sum(whole.facets.byBook)).toBe(whole.totalCount);
    expect([sum(whole.facets.byForm), sum(whole.facets.byParsing)]).toEqual([whole.wordCount, whole.wordCount]);
    expect(whole.wordCount).toBe(116);
  });

  test('searchOriginals finds a form in the margin with matchesQere: true, and one in the text with matchesQere: false', async () => {
    const find = async (form: string) =>
      (
        await client.data<{
          page: { edges: { matchesQere: boolean; matches: { surface: string; qere: string | null }[] }[] };
        }>(
          `{ page: searchOriginals(words: [{ form: "${form}" }], books: "2 Samuel") { edges { node { reference } matchesQere matches { surface qere } } } }`,
        )
      ).page.edges.filter((edge) => edge.matches.some(({ qere }) => qere !== null));
    const matches = [{ surface: 'ויאמר', qere: 'וָאֹמַ֣ר' }];
    expect(await find('וָאֹמַר')).toEqual([{ node: { reference: '2 Samuel 1:8' }, matchesQere: true, matches }]);
    expect(await find('ויאמר')).toContainEqual({
      node: { reference: '2 Samuel 1:8' },
      matchesQere: false,
      matches: expect.arrayContaining(matches),
    });
  });

  test('searchOriginals for several words also finds a verse in which one of the words stands only in the margin', async () => {
    const page = await search('words: [{ form: "וָאֹמַר" }, { strongs: "H413" }], withinWords: 2, books: "2 Samuel"');
    expect(referencesOf(page)).toContain('2 Samuel 1:8');
  });

  const renderings = (args: string, translation: string) =>
    `{ page: searchOriginals(${args}) { wordCount facets { byRendering(translation: "${translation}") { rendering count } } } }`;

  test('the facet byRendering of searchOriginals counts the words with which a translation renders the matching words', async () => {
    const { page } = await client.data<{
      page: { wordCount: number; facets: { byRendering: { rendering: string; count: number }[] } };
    }>(renderings('words: [{ lemma: "ἀγάπη" }]', 'eng-kjv'));
    const [first, second] = page.facets.byRendering;
    expect([first, second]).toEqual([
      { rendering: 'love', count: expect.any(Number) },
      { rendering: 'charity', count: expect.any(Number) },
    ]);
    const total = page.facets.byRendering.reduce((sum, { count }) => sum + count, 0);
    expect([total <= page.wordCount, total > 0.9 * page.wordCount]).toEqual([true, true]);
    expect(await client.data(renderings('words: [{ lemma: "ἀγάπη" }]', 'eng-web'))).toMatchObject({
      page: { facets: { byRendering: [] } },
    });
  });

  test('the facet byRendering of searchOriginals rejects a search that finds more than 300 verses, and an unknown translation', async () => {
    expect(await client.error(renderings('words: [{ lemma: "λέγω" }]', 'eng-kjv'))).toEqual([
      expect.stringMatching(
        /^byRendering counts the words of at most 300 verses, and this search finds [\d,]+; name books/,
      ),
      'BAD_USER_INPUT',
    ]);
    expect(await client.error(renderings('words: [{ lemma: "ἀγάπη" }]', 'eng-none'))).toEqual([
      "Translation 'eng-none' not found",
      'NOT_FOUND',
    ]);
  });

  test.each([
    [
      'a Greek tense with the Hebrew text',
      'words: [{ tense: AORIST }], text: "hbo-wlc"',
      /^words\[0\]\.tense is Greek, but text 'hbo-wlc' is Hebrew/,
    ],
    [
      'a Greek tense with a Hebrew stem',
      'words: [{ tense: AORIST, stem: QAL }]',
      /^words\[0\]\.tense is Greek, but words\[0\]\.stem is Hebrew/,
    ],
    [
      'a Greek and a Hebrew word',
      'words: [{ strongs: "G26" }, { strongs: "H2617" }]',
      /^words\[0\]\.strongs is Greek, but words\[1\]/,
    ],
    ['a Greek word in the Old Testament', 'words: [{ form: "λόγος" }], testament: OLD', /but testament OLD is Hebrew/],
    ['a tense of a noun', 'words: [{ partOfSpeech: NOUN, tense: AORIST }]', /^words\[0\]: no noun has a tense/],
    ['a person of 4', 'words: [{ person: 4 }]', /person must be 1, 2 or 3/],
    ['no words', 'words: []', /^words must have 1 to 5 words, but has 0/],
    ['a word without fields', 'words: [{}]', /^words\[0\] says nothing/],
    ['a null field alone', 'words: [{ form: null }]', /^words\[0\] says nothing/],
    ['a lone vowel point', 'words: [{ form: "ָ" }]', /^words\[0\]\.form has no letter/],
    ['a word that is only an accent', 'words: [{ form: "֑" }]', /^words\[0\]\.form has no letter/],
    ['a word that is only a zero-width joiner', 'words: [{ form: "\u200d" }]', /^words\[0\]\.form has no letter/],
    ['a word in Hebrew and Greek letters', 'words: [{ lemma: "בλ" }]', /^words\[0\]\.lemma mixes Hebrew and Greek/],
    ['a word of 200 characters', `words: [{ form: "${'א'.repeat(200)}" }]`, /must be 100 characters or fewer/],
    ["a malformed Strong's number", 'words: [{ strongs: "1254" }]', /^words\[0\]\.strongs must be G or H and a number/],
    ['an unknown text', 'words: [{ form: "λόγος" }], text: "grc-lxx"', /^text must be one of hbo-wlc, grc-sblgnt/],
    ['an invalid cursor', 'words: [{ form: "λόγος" }], after: "x"', /^Invalid cursor/],
  ])('searchOriginals rejects %s with BAD_USER_INPUT', async (_, args, message) => {
    expect(await errorOf(args)).toEqual([expect.stringMatching(message), 'BAD_USER_INPUT']);
  });

  test('searchOriginals rejects an unknown book with NOT_FOUND', async () => {
    expect(await errorOf('words: [{ form: "λόγος" }], books: "Nowhere"')).toEqual([
      "Book 'Nowhere' not found",
      'NOT_FOUND',
    ]);
  });

  test.each(['strongs: "H9999"', 'form: "qqqq"', 'lemma: "ααα"', 'form: "ﬡ"'])(
    'searchOriginals finds nothing and reports no error for %s',
    async (word) => {
      expect(await search(`words: [{ ${word} }]`)).toMatchObject({
        totalCount: 0,
        edges: [],
        pageInfo: { endCursor: null },
      });
    },
  );

  test('searchOriginals treats Hebrew presentation forms, joiner characters and final letters as the usual letters', async () => {
    const usual = await search('words: [{ form: "שלום" }]');
    for (const form of ['שלומ', 'שׁלום', 'ש\u200dלום'])
      expect(await search(`words: [{ form: "${form}" }]`)).toEqual(usual);
    expect(usual.totalCount).toBeGreaterThan(50);
  });
});
