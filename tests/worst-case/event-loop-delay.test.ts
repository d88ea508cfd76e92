import { performance } from 'node:perf_hooks';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createSearchSubgraph } from '@lectern/search';
import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, serveSubgraph } from '@lectern/subgraph';
import { dataDir, itemsOfThisRun, send, useStarted } from '@lectern/testing';
import { createTextSubgraph } from '@lectern/text';
import { startEmbeddedLectern } from '../support/embedded-lectern';

/**
 * A request that needs 60 to 1,000 ms of CPU time. In earlier versions, whose executions did not
 * pause to let other requests run, it blocked the event loop for all of this time.
 */
interface ExpensiveRequest {
  query: string;
  variables?: Record<string, unknown>;
}

const aliased = (count: number, field: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');
const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const letters = (index: number): string => `${'abcdefghijklmnopqrstuvwxyz'.charAt(index % 26)} t h a i o w s b `;
const letterQuery = (index: number): string => repeated(letters(index), 199);
const afterEsther88 = Buffer.from('EST:8:8').toString('base64url');

const expensiveRequests: [string, ExpensiveRequest][] = [
  [
    '27 searches for single letters',
    { query: `{ ${aliased(27, (index) => `searchVerses(query: "${letterQuery(index)}", first: 1) { totalCount }`)} }` },
  ],
  [
    'the matches of 300 verses, selected under 10 aliases',
    {
      query: `{ ${aliased(3, (index) => `searchVerses(query: "${letterQuery(index)}", first: 100) { edges { ${aliased(10, () => 'matches { start }')} } }`)} }`,
    },
  ],
  [
    'the suggestion of one page, selected under 250 aliases',
    {
      query: `{ searchVerses(query: "${repeated('thzee andd theer a t h o ', 190)}", first: 1) { ${aliased(250, () => 'suggestion')} } }`,
    },
  ],
  [
    '27 searches in a list of books of 90 kB',
    {
      query: `query ($books: String) { ${aliased(27, () => 'searchVerses(query: "xyzzy", books: $books, first: 1) { totalCount }')} }`,
      variables: { books: repeated('1 Juan , First Kings,', 90_000) },
    },
  ],
  [
    '140 random verses of a list of books of 90 kB',
    {
      query: `query ($books: String) { ${aliased(140, () => 'randomVerse(books: $books) { chapter }')} }`,
      variables: { books: repeated('1 Juan , First Kings,', 90_000) },
    },
  ],
  [
    '140 random verses of the longest list of books',
    {
      query: `query ($books: String) { ${aliased(140, () => 'randomVerse(books: $books) { chapter }')} }`,
      variables: {
        books: Array.from({ length: 285 }, (_, index) => ` ${index % 7}1 Jn`.slice(0, 6).replace(/\d1/, '1')).join(','),
      },
    },
  ],
  [
    'the references in two texts of 10,000 characters',
    {
      query:
        'query ($text: String!) { a: references(text: $text) { reference } b: references(text: $text) { reference } }',
      variables: { text: repeated('Is Jn 3:16 é Génesis 1:1-Rev 22;', 10_000) },
    },
  ],
  [
    '140 references of about 190 characters',
    {
      query: `{ ${aliased(140, (index) => `passage(reference: "Genesis ${repeated('1,3,5,7,9,', 180)}${index}") { reference }`)} }`,
    },
  ],
  [
    '690,000 values of __typename',
    { query: `{ passage(reference: "Psalms") { verses { ${aliased(280, () => '__typename')} } } }` },
  ],
  [
    'four fields of the 2,461 verses of Psalms, selected under 2 aliases',
    {
      query:
        '{ a: passage(reference: "Psalms") { verses { id bookName text reference } } b: passage(reference: "Psalms") { verses { id bookName text reference } } }',
    },
  ],
  [
    'the words of 4,500 verses, from two subgraphs',
    {
      query: `{ ${aliased(2, (index) => `passage(reference: "${['Psalms', 'Genesis; Exodus 1-20'][index] ?? ''}", translation: "eng-kjv") { verses { words { text } } }`)} }`,
    },
  ],
  [
    'the context of 5 long verses, selected under 290 aliases',
    {
      query: `{ concordance(translation: "eng-web", word: "the and to", first: 5, book: "EST", after: "${afterEsther88}") { edges { node { ${aliased(290, () => 'context')} } } } }`,
    },
  ],
  [
    '140 pages of the word index without an entry',
    {
      query: `{ ${aliased(140, () => 'concordanceIndex(translation: "eng-web", minOccurrences: 1000000, first: 1) { lemma }')} }`,
    },
  ],
];

/**
 * Returns the longest allowed delay in milliseconds: the duration of a fixed computation, which
 * takes 50 ms on an ordinary machine and longer on a slow one.
 */
function maxDelay(): number {
  const startedAt = performance.now();
  let sum = 1;
  for (let index = 0; index < 50_000_000; index += 1) sum = (Math.imul(sum, 31) + index) | 0;
  expect(sum).not.toBe(0);
  return performance.now() - startedAt;
}

/**
 * Resolves with the longest time between two turns of the event loop during `work`, in
 * milliseconds.
 */
async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isRunning = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isRunning = false;
  return longest;
}

/**
 * Expects that one of eight attempts of `work` blocks the event loop for less than `maxDelay()` at
 * a time. Other attempts may block it longer, because the first attempt compiles the operation, and
 * another process may use the CPU.
 */
async function expectShortDelays(work: () => Promise<unknown>): Promise<void> {
  const attempts: string[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const delay = await longestDelay(work);
    const max = maxDelay();
    if (delay < max) return;
    attempts.push(`${delay.toFixed(0)} of ${max.toFixed(0)} ms`);
  }
  throw new Error(`The request blocked the event loop too long in each attempt: ${attempts.join(', ')}`);
}

describe('the embedded service', () => {
  const lectern = useStarted(() =>
    startEmbeddedLectern({
      responseCache: { maxBytes: 0, maxSeconds: 1 },
      // Some of these requests cost more than the default maximum.
      limits: { tokens: 5_000, depth: 15, complexity: 100_000 },
    }),
  );

  test.each(itemsOfThisRun(expensiveRequests, 4))(
    'a request blocks the event loop for less than 50 ms at a time: %s',
    async (_, { query, variables }) => {
      const { errors = [] } = await lectern.client(query, variables);
      // Checks that the gateway has not rejected the request for its size or cost before its
      // execution.
      expect(errors.filter(({ extensions }) => /^QUERY|^GRAPHQL/.test(String(extensions?.['code'])))).toEqual([]);
      await expectShortDelays(() => lectern.client(query, variables));
    },
  );

  test('the first request of a document whose response is large blocks the event loop for less than 50 ms at a time', async () => {
    let documents = 0;
    const executeNewDocument = () => {
      documents += 1;
      return lectern.client(
        `{ document${documents}: passage(reference: "Psalms") { verses { ${aliased(75, () => '__typename')} } } }`,
      );
    };
    expect(await executeNewDocument()).toHaveProperty('data.document1.verses.2460');
    await expectShortDelays(executeNewDocument);
  });
});

describe('a subgraph over HTTP', () => {
  // The CPU limit of a request is so high that a slow machine rejects no request.
  const scheduler = createWorkScheduler({ requestCpuMs: 60_000 });
  const representations = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      __typename: 'Verse',
      id: Buffer.from(`v1:eng-web.PSA.${1 + (index % 150)}.${1 + (Math.floor(index / 150) % 20)}`).toString(
        'base64url',
      ),
    }));
  const fetchEntities = async (port: number, selection: string, count: number) => {
    const { text } = await send(`http://127.0.0.1:${port}/graphql`, {
      headers: ['Content-Type', 'application/json', 'Accept', 'application/json'],
      body: JSON.stringify({
        query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Verse { ${selection} } } }`,
        variables: { representations: representations(count) },
      }),
    });
    return JSON.parse(text) as { data: { _entities: unknown[] | null } | null; errors?: { extensions: unknown }[] };
  };
  const options = { host: '127.0.0.1', port: 0, secrets: '', log: silentLogger };
  const serve = {
    text: async () => serveSubgraph(createTextSubgraph({ dataDir, preloadParser: false, scheduler }), options),
    search: async () =>
      serveSubgraph(await createSearchSubgraph({ dataDir, semantic: null, preloadParser: false, scheduler }), options),
    concordance: async () => serveSubgraph(createConcordanceSubgraph({ dataDir, scheduler }), options),
  };

  test.each([
    ['text', 'text reference inTranslation(identifier: "eng-kjv") { text }', 2_500],
    ['text', 'text reference', 5_000],
    ['search', 'text reference', 5_000],
    ['concordance', 'words { text }', 5_000],
  ] as const)(
    'the %s subgraph resolves { %s } of %i representations in turns below 50 ms, and rejects more than 5,000',
    async (name, selection, count) => {
      const server = await serve[name]();
      try {
        expect((await fetchEntities(server.port, selection, count)).errors).toBeUndefined();
        await expectShortDelays(() => fetchEntities(server.port, selection, count));
        const rejected = await fetchEntities(server.port, selection, 5_001);
        expect(rejected.errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_USER_INPUT' }]);
      } finally {
        await server.close();
      }
    },
  );
});
