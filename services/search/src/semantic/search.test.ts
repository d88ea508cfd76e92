import { parseTopicId } from '@lectern/reference-works';
import { createMetrics } from '@lectern/telemetry';
import { isLongRun, metricValue } from '@lectern/testing';
import type { SemanticClient } from '../../test-support/semantic-client';
import { ensureSemanticFiles, isRanked, openSemanticClient, referencesOf } from '../../test-support/semantic-client';

let client: SemanticClient;
const metrics = createMetrics({ service: 'search' });
const countedCalls = async (outcome = '') =>
  metricValue(await metrics.text(), 'lectern_embedding_call_duration_seconds_count', outcome);

beforeAll(async () => {
  await ensureSemanticFiles();
  client = await openSemanticClient({ metrics, overrides: { timeoutMs: 60_000 } });
});

afterAll(() => client.close());

describe('relevance', () => {
  test.each([
    ['the poor widow gave two coins', 'Marcos 12:42'],
    ['love your enemies', 'Lucas 6:27'],
    ['anxiety', 'Filipenses 4:6'],
    ['Angst', 'Isaías 41:10'],
    ['el buen pastor', 'Juan 10:11'],
    ['lluvia cuarenta días', 'Génesis 7:12'],
    ['bread of life', 'Juan 6:48'],
    ['En el principio crió Dios los cielos y la tierra', 'Génesis 1:1'],
  ])('semanticSearch for the query %p returns %s among the first five verses', async (query, reference) => {
    expect(referencesOf(await client.semanticSearch(query, { limit: 5 }))).toContain(reference);
  });

  test('semanticSearch returns a verse first if the query equals its text', async () => {
    const [first] = await client.semanticSearch('JEHOVA es mi pastor; nada me faltará.', { limit: 1 });
    expect(first?.verse).toMatchObject({ reference: 'Salmos 23:1', bookId: 'PSA', chapter: 23, verse: 1 });
  });
});

describe('references as queries', () => {
  test.each([
    ['Juan 3:16', ['Juan 3:16']],
    ['  juan 3.16 ', ['Juan 3:16']],
    ['John 3:16-17', ['Juan 3:16', 'Juan 3:17']],
    ['Juan 3:16; Génesis 1:1', ['Génesis 1:1', 'Juan 3:16']],
    ['Salmo 117', ['Salmos 117:1', 'Salmos 117:2']],
    // A reference uses the numbering of the translation: Jonah 2:1 here is Jonah 1:17 in English.
    ['Jonás 2:1', ['Jonás 2:1']],
  ])(
    'semanticSearch for the reference %p returns the verses of the reference first, with the highest similarity 1',
    async (query, references) => {
      const found = await client.semanticSearch(query);
      expect(found).toHaveLength(10);
      expect(referencesOf(found.filter(({ similarity }) => similarity === 1))).toEqual(references);
      expect(isRanked(found)).toBe(true);
      expect(new Set(found.map(({ verse }) => verse.id)).size).toBe(10);
    },
  );

  test.each(['Juan', 'Job', 'Juan 99:1', 'Juan 3:999', 'John 3:16 God so loved the world', '7 churches'])(
    'semanticSearch treats %p, which is not a reference to existing verses, as an ordinary query',
    async (query) => {
      const found = await client.semanticSearch(query);
      expect(found).toHaveLength(10);
      expect(found[0]?.similarity).toBeLessThan(1);
    },
  );

  test('semanticSearch with limit: 50 for a reference to a psalm of 176 verses returns the first 50 verses of the psalm', async () => {
    const found = await client.semanticSearch('Salmo 119', { limit: 50 });
    expect(referencesOf(found)).toEqual(Array.from({ length: 50 }, (_, index) => `Salmos 119:${index + 1}`));
  });
});

describe('topics', () => {
  const topicsOf = async (query: string, limit?: number | null) => {
    const { data, errors } = await client.execute(
      'query($query: String!, $limit: Int) { semanticTopics(query: $query, limit: $limit) { similarity topic { id } } }',
      { query, ...(limit !== undefined && { limit }) },
    );
    const found = (data?.['semanticTopics'] ?? []) as { similarity: number; topic: { id: string } }[];
    return { errors, found, names: found.map(({ topic }) => parseTopicId(topic.id)) };
  };

  test.each([
    ['drunkenness', 'DRUNKENNESS'],
    ['anxiety', 'CARE'],
    ['slavery', 'SERVANT'],
    ['cómo perdonar a mi hermano', 'FORGIVENESS'],
    ['Steuern zahlen', 'TAX'],
  ])('the field semanticTopics for the query %p returns the topic %s among the first five', async (query, name) => {
    const { names, found } = await topicsOf(query);
    expect(names).toContain(name);
    expect(found.map(({ similarity }) => similarity)).toEqual(
      found.map(({ similarity }) => similarity).sort((a, b) => b - a),
    );
  });

  test('the field semanticTopics rejects a query of spaces only and a query of more than 200 characters', async () => {
    expect((await topicsOf(' ')).errors).toMatchObject([{ message: 'query must not be blank' }]);
    expect((await topicsOf('x'.repeat(201))).errors).toMatchObject([
      { message: 'query must be 200 characters or fewer' },
    ]);
  });
});

describe('order', () => {
  test.each(['amor', 'hijo de', 'miedo a la muerte', 'what is love?', '?!', 'Misram'])(
    'semanticSearch with limit: 50 for %p returns 50 different verses by similarity and then in canonical order',
    async (query) => {
      const found = await client.semanticSearch(query, { limit: 50 });
      expect(isRanked(found)).toBe(true);
      expect(new Set(found.map(({ verse }) => verse.id)).size).toBe(50);
    },
  );

  test('semanticSearch returns the same verses with one embedding thread as with the default number of threads', async () => {
    const other = await openSemanticClient({ env: { EMBEDDINGS_THREADS: '1' }, overrides: { timeoutMs: 60_000 } });
    const queries = [
      'perdón',
      'the end of the world',
      'qui est mon prochain ?',
      'Wer bin ich?',
      'vinho novo',
      'la pace',
    ];
    const together = await Promise.all(queries.map((query) => other.semanticSearch(query, { limit: 50 })));
    for (const [index, query] of queries.entries())
      expect(await client.semanticSearch(query, { limit: 50 })).toEqual(together[index]);
    await other.close();
  });

  test('semanticSearch ignores extra whitespace in the query, and whether an accent is a separate Unicode character', async () => {
    const found = await client.semanticSearch('oración de fe');
    for (const spelt of ['  oración   de\n\tfe ', 'oracio\u0301n de fe', 'oración\u00a0de fe'])
      expect(await client.semanticSearch(spelt)).toEqual(found);
  });
});

describe('arguments', () => {
  test.each([[''], ['   '], ['\n\t\u00a0']])(
    'semanticSearch rejects the query %j, which has no visible character',
    async (query) => {
      const { data, errors } = await client.semanticResponse(query);
      expect([data, errors]).toMatchObject([
        { semanticSearch: null },
        [{ message: 'query must not be blank', path: ['semanticSearch'], extensions: { code: 'BAD_USER_INPUT' } }],
      ]);
    },
  );

  test.each([
    ['201 letters', 'x'.repeat(201)],
    ['5,000 words', 'y '.repeat(5_000)],
    ['10,000 spaces', ' '.repeat(10_000)],
  ])('semanticSearch rejects a query of %s, because the maximum is 200 characters', async (_, query) => {
    expect((await client.semanticResponse(query)).errors).toMatchObject([
      { message: 'query must be 200 characters or fewer', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

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
  ])('semanticSearch returns verses for the unusual query %j', async (query) => {
    const found = await client.semanticSearch(query);
    expect(found).toHaveLength(10);
    expect(isRanked(found)).toBe(true);
  });

  test('semanticSearch rejects an unknown translation with NOT_FOUND', async () => {
    for (const query of ['amor', '']) {
      expect((await client.semanticResponse(query, { translation: 'spa-rv1908' })).errors).toMatchObject([
        { message: "Translation 'spa-rv1908' not found", extensions: { code: 'NOT_FOUND' } },
      ]);
    }
  });

  test('semanticSearch searches the Reina-Valera 1909 if the argument translation is null', async () => {
    expect(await client.semanticSearch('amor', { translation: null })).toEqual(
      await client.semanticSearch('amor', { translation: 'spa-rv1909' }),
    );
  });
});

test('the search metrics count each valid semanticSearch query, and no rejected query', async () => {
  const before = await countedCalls();
  const withoutVectorsBefore = await countedCalls('outcome="no-vectors"');
  expect(await client.semanticSearch('love', { translation: 'eng-web' })).toEqual([]);
  expect(await client.semanticSearch('amor')).toHaveLength(10);
  expect(await client.semanticSearch('amor', { limit: 0 })).toEqual([]);
  expect(await countedCalls()).toBe(before + 3);
  expect(await countedCalls('outcome="no-vectors"')).toBe(withoutVectorsBefore + 1);
  await client.semanticResponse('');
  await client.semanticResponse('amor', { translation: 'xxx' });
  expect(await countedCalls()).toBe(before + 3);
});

test('the field hasEmbeddings is true only for a translation with vectors', async () => {
  const representations = ['spa-rv1909', 'eng-web', 'gone', 'spa-rv1909'].map((identifier) => ({
    __typename: 'Translation',
    identifier,
  }));
  const { data, errors } = await client.execute(
    'query($representations: [_Any!]!) { _entities(representations: $representations) { ... on Translation { hasEmbeddings } } }',
    { representations },
  );
  expect([data, errors]).toEqual([
    { _entities: [{ hasEmbeddings: true }, { hasEmbeddings: false }, null, { hasEmbeddings: true }] },
    undefined,
  ]);
});

describe('concurrent queries', () => {
  const queryAt = (number: number): string =>
    `${['amor', 'muerte', 'pan', 'rey', 'mar'][number % 5]} y ${['paz', 'ira', 'fe', 'luz', 'sal', 'oro', 'vino'][number % 7]} ${number}`;
  const queries = Array.from({ length: 500 }, (_, number) => queryAt(number));

  const count = isLongRun ? 500 : 50;

  test(`semanticSearch returns the same verses for a query alone as among ${count} concurrent queries`, async () => {
    const responses = await Promise.all(
      queries.slice(0, count).map((each) => client.semanticSearch(each, { limit: 3 })),
    );
    const alone = await openSemanticClient({ overrides: { timeoutMs: 60_000 } });
    for (let number = 0; number < count; number += 17)
      expect(responses[number]).toEqual(await alone.semanticSearch(queryAt(number), { limit: 3 }));
    await alone.close();
    expect(responses.every((response) => response.length === 3 && isRanked(response))).toBe(true);
  });

  test('semanticSearch rejects concurrent queries beyond the setting EMBEDDINGS_QUEUE with SUBGRAPH_UNAVAILABLE', async () => {
    const small = await openSemanticClient({ env: { EMBEDDINGS_QUEUE: '20' }, overrides: { timeoutMs: 60_000 } });
    const responses = await Promise.all(queries.map((each) => small.semanticResponse(each, { limit: 3 })));
    const rejected = responses.filter(({ errors }) => errors);
    expect(rejected.length).toBeGreaterThan(300);
    expect(rejected.length).toBeLessThanOrEqual(480);
    for (const { data, errors } of rejected) {
      expect(data).toEqual({ semanticSearch: null });
      expect(errors).toMatchObject([
        {
          message: 'Embedding service is temporarily unavailable. Please try again later.',
          extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
        },
      ]);
    }
    for (const number of [0, 499])
      expect(await small.semanticSearch(queryAt(number), { limit: 3 })).toEqual(
        await client.semanticSearch(queryAt(number), { limit: 3 }),
      );
    await small.close();
  });
});
