import { createMetrics } from '@lectern/telemetry';
import { corpusFile, dataDir, metricValue } from '@lectern/testing';
import { buildingMs } from '../../test-support/search-client';
import type { OpenMeaning } from '../../test-support/semantic-client';
import { buildMeaning, isRanked, openMeaning, references } from '../../test-support/semantic-client';

jest.setTimeout(60_000);

let opened: OpenMeaning;
const metrics = createMetrics({ service: 'search' });
const calls = async (outcome = '') =>
  metricValue(await metrics.text(), 'lectern_embedding_calls_seconds_count', outcome);

beforeAll(async () => {
  await buildMeaning({ corpusFile, dataDir });
  opened = await openMeaning({ dataDir, metrics, instead: { timeoutMs: 60_000 } });
}, buildingMs);

afterAll(() => opened.close());

describe('a question finds the verses that speak of it', () => {
  test.each([
    ['the poor widow gave two coins', 'Marcos 12:42'],
    ['love your enemies', 'Lucas 6:27'],
    ['anxiety', 'Proverbios 12:25'],
    ['Angst', 'Isaías 21:4'],
    ['el buen pastor', 'Juan 10:11'],
    ['lluvia cuarenta días', 'Génesis 7:12'],
    ['bread of life', 'Juan 6:48'],
    ['En el principio crió Dios los cielos y la tierra', 'Génesis 1:1'],
  ])('%s: %s', async (question, reference) => {
    expect(references(await opened.meaning(question, { limit: 5 }))).toContain(reference);
  });

  test('a verse asked for in its own words comes first', async () => {
    const [first] = await opened.meaning('JEHOVA es mi pastor; nada me faltará.', { limit: 1 });
    expect(first?.verse).toMatchObject({ reference: 'Salmos 23:1', bookId: 'PSA', chapter: 23, verse: 1 });
  });
});

describe('the order', () => {
  test.each(['amor', 'hijo de', 'miedo a la muerte', 'what is love?', '?!', 'Misram'])(
    '%s: falling scores of four decimals, the order of the Bible among equals, no verse twice',
    async (question) => {
      const found = await opened.meaning(question, { limit: 50 });
      expect(isRanked(found)).toBe(true);
      expect(new Set(found.map(({ verse }) => verse.id)).size).toBe(50);
    },
  );

  test('is the same in every process, however busy it is', async () => {
    const other = await openMeaning({ dataDir, env: { EMBEDDINGS_THREADS: '1' }, instead: { timeoutMs: 60_000 } });
    const questions = [
      'perdón',
      'the end of the world',
      'qui est mon prochain ?',
      'Wer bin ich?',
      'vinho novo',
      'la pace',
    ];
    const together = await Promise.all(questions.map((question) => other.meaning(question, { limit: 50 })));
    for (const [index, question] of questions.entries())
      expect(await opened.meaning(question, { limit: 50 })).toEqual(together[index]);
    await other.close();
  });

  test('does not depend on blanks around and between the words, or on how an accent is written', async () => {
    const found = await opened.meaning('oración de fe');
    for (const spelt of ['  oración   de\n\tfe ', 'oracio\u0301n de fe', 'oración\u00a0de fe'])
      expect(await opened.meaning(spelt)).toEqual(found);
  });
});

describe('arguments', () => {
  test.each([
    [undefined, 10],
    [null, 10],
    [1, 1],
    [0, 0],
    [-1, 0],
    [-2_147_483_648, 0],
    [50, 50],
    [51, 50],
    [2_147_483_647, 50],
  ])('a limit of %p gives %p verses, the best', async (limit, count) => {
    const found = await opened.meaning('esperanza', limit === undefined ? {} : { limit });
    expect(found).toEqual((await opened.meaning('esperanza', { limit: 50 })).slice(0, count));
  });

  test.each([[''], ['   '], ['\n\t\u00a0']])('a blank query is refused: %j', async (query) => {
    const { data, errors } = await opened.answer(query);
    expect([data, errors]).toMatchObject([
      { semanticSearch: null },
      [{ message: 'query must not be blank', path: ['semanticSearch'], extensions: { code: 'BAD_USER_INPUT' } }],
    ]);
  });

  test.each([['x'.repeat(201)], ['y '.repeat(5_000)], [' '.repeat(10_000)]])(
    'a query of more than 200 characters is refused',
    async (query) => {
      expect((await opened.answer(query)).errors).toMatchObject([
        { message: 'query must be 200 characters or fewer', extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    },
  );

  test.each([
    '\u0000',
    'amor\u0000odio',
    '😀',
    '👨‍👩‍👧'.repeat(20),
    'שלום עליכם',
    'الله',
    '神愛世人',
    '\ud800',
    'a\udc00b',
    '\ud83d',
    '?!',
    '"',
    '\u202eamor',
    '\u0301',
    '\u200b',
    'x'.repeat(200),
    'ñ '.repeat(100),
    "'; DROP TABLE verse; --",
    '<script>',
    'query: passage: query:',
  ])('any text is a question: %j', async (query) => {
    const found = await opened.meaning(query);
    expect(found).toHaveLength(10);
    expect(isRanked(found)).toBe(true);
  });

  test('an unknown translation is an error, also for a blank query', async () => {
    for (const query of ['amor', '']) {
      expect((await opened.answer(query, { translation: 'spa-rv1908' })).errors).toMatchObject([
        { message: "Translation 'spa-rv1908' not found", extensions: { code: 'NOT_FOUND' } },
      ]);
    }
  });

  test('null for the translation means the Reina-Valera', async () => {
    expect(await opened.meaning('amor', { translation: null })).toEqual(
      await opened.meaning('amor', { translation: 'spa-rv1909' }),
    );
  });
});

test('a translation without vectors finds nothing, and its question counts all the same; one that is refused does not', async () => {
  const before = await calls();
  const beforeWithout = await calls('outcome="no-vectors"');
  expect(await opened.meaning('love', { translation: 'eng-web' })).toEqual([]);
  expect(await opened.meaning('amor')).toHaveLength(10);
  expect(await opened.meaning('amor', { limit: 0 })).toEqual([]);
  expect(await calls()).toBe(before + 3);
  expect(await calls('outcome="no-vectors"')).toBe(beforeWithout + 1);
  await opened.answer('');
  await opened.answer('amor', { translation: 'xxx' });
  expect(await calls()).toBe(before + 3);
});

test('hasEmbeddings tells the two kinds of translation apart, and a translation that is not there has none', async () => {
  const representations = ['spa-rv1909', 'eng-web', 'gone', 'spa-rv1909'].map((identifier) => ({
    __typename: 'Translation',
    identifier,
  }));
  const { data, errors } = await opened.ask(
    'query($representations: [_Any!]!) { _entities(representations: $representations) { ... on Translation { hasEmbeddings } } }',
    { representations },
  );
  expect([data, errors]).toEqual([
    { _entities: [{ hasEmbeddings: true }, { hasEmbeddings: false }, null, { hasEmbeddings: true }] },
    undefined,
  ]);
});

describe('five hundred different questions at once', () => {
  const question = (number: number): string =>
    `${['amor', 'muerte', 'pan', 'rey', 'mar'][number % 5]} y ${['paz', 'ira', 'fe', 'luz', 'sal', 'oro', 'vino'][number % 7]} ${number}`;
  const questions = Array.from({ length: 500 }, (_, number) => question(number));

  test('each gets its own answer', async () => {
    const answers = await Promise.all(questions.map((each) => opened.meaning(each, { limit: 3 })));
    const alone = await openMeaning({ dataDir, instead: { timeoutMs: 60_000 } });
    for (let number = 0; number < 500; number += 17)
      expect(answers[number]).toEqual(await alone.meaning(question(number), { limit: 3 }));
    await alone.close();
    expect(answers.every((answer) => answer.length === 3 && isRanked(answer))).toBe(true);
  });

  test('of more than may wait, the others are told to come back, and then they are answered', async () => {
    const small = await openMeaning({ dataDir, env: { EMBEDDINGS_QUEUE: '40' }, instead: { timeoutMs: 60_000 } });
    const answers = await Promise.all(questions.map((each) => small.answer(each, { limit: 3 })));
    const refused = answers.filter(({ errors }) => errors);
    expect(refused.length).toBeGreaterThan(300);
    expect(refused.length).toBeLessThanOrEqual(460);
    for (const { data, errors } of refused) {
      expect(data).toEqual({ semanticSearch: null });
      expect(errors).toMatchObject([
        {
          message: 'Embedding service is temporarily unavailable. Please try again later.',
          extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
        },
      ]);
    }
    for (const number of [0, 499])
      expect(await small.meaning(question(number), { limit: 3 })).toEqual(
        await opened.meaning(question(number), { limit: 3 }),
      );
    await small.close();
  });
});
