import { createHash } from 'node:crypto';
import { createLogger } from '@lectern/serving';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import { graphqlHeaders, metricValue, send, sendReady } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import type { Operation } from './operations-and-responses';
import {
  books,
  hashOf,
  jesusWept,
  notInSafelist,
  persistedQuery,
  post,
  verse,
  withVariable,
} from './operations-and-responses';
import { apolloManifest, removeManifests, writeManifest } from './write-manifest';

afterAll(removeManifests);

describe('a gateway with trusted documents', () => {
  let lectern: EmbeddedLectern;
  let restricted: string;
  let file: string;
  const lines: string[] = [];
  const metrics = createMetrics({ service: 'test' });
  const initial = apolloManifest([verse, withVariable]);

  beforeAll(async () => {
    file = writeManifest(initial);
    lectern = await startEmbeddedLectern({
      trustedDocuments: { location: file, pollMs: 20, isOnly: false },
      telemetry: { metrics, tracing: noTelemetry.tracing },
      log: createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }),
    });
    restricted = (await issueKey(lectern.keys, { email: 'app@example.org', documents: 'trusted' })).token;
  });
  afterAll(() => lectern.close());

  const request = (body: object, token = lectern.token) => post(lectern, token, body);
  const readiness = async () =>
    (
      (await sendReady(lectern.origin, '?verbose')).json() as {
        trustedDocuments: { documents: number; rejected: string | null; invalid: string[] };
      }
    ).trustedDocuments;
  /** Writes a manifest and waits until the gateway uses it. */
  const useManifest = async (operations: readonly Operation[]): Promise<void> => {
    const uses = () => lines.filter((line) => line.includes('new trusted documents are used')).length;
    const before = uses();
    writeManifest(apolloManifest(operations));
    await waitUntil(() => uses() > before);
  };

  test.each<[string, object]>([
    ['its hash in extensions.persistedQuery', persistedQuery(hashOf(verse.body))],
    ['its hash in documentId', { documentId: `sha256:${hashOf(verse.body)}` }],
    ['its own id in documentId', { documentId: 'verse-of-john', variables: { verse: 35 } }],
    [
      'its own id in extensions.persistedQuery, as Apollo Client sends it',
      { ...persistedQuery('verse-of-john'), variables: { verse: 35 } },
    ],
    [
      'the hash of its text, although it has another id',
      { ...persistedQuery(hashOf(withVariable.body)), variables: { verse: 35 }, operationName: 'VerseOfJohn' },
    ],
  ])('unrestricted keys and keys restricted to trusted documents execute a trusted document by %s', async (_, body) => {
    for (const token of [lectern.token, restricted]) expect((await request(body, token)).json()).toEqual(jesusWept);
  });

  test('a key restricted to trusted documents can send the text of a trusted document instead of its hash', async () => {
    expect((await request({ query: verse.body }, restricted)).json()).toEqual(jesusWept);
    expect((await request({ query: verse.body, ...persistedQuery(hashOf(verse.body)) }, restricted)).json()).toEqual(
      jesusWept,
    );
  });

  test.each<[string, object]>([
    ['another query', { query: books.body }],
    ['a trusted document with one more space', { query: `${verse.body} ` }],
    ['an introspection query', { query: '{ __schema { types { name } } }' }],
    ['a text that is not GraphQL', { query: '{' }],
    ['an unknown hash', persistedQuery('a'.repeat(64))],
    ['an unknown id', { documentId: 'nothing' }],
    ['another query with its hash', { query: books.body, ...persistedQuery(hashOf(books.body)) }],
  ])('a key restricted to trusted documents gets 403 QUERY_NOT_IN_SAFELIST for %s', async (_, body) => {
    const response = await request(body, restricted);
    expect([response.status, response.json()]).toMatchObject([403, notInSafelist]);
  });

  test('a key restricted to trusted documents cannot execute a query that another key has persisted', async () => {
    await request({ query: books.body, ...persistedQuery(hashOf(books.body)) });
    expect((await request(persistedQuery(hashOf(books.body)))).json()).toHaveProperty('data');
    expect((await request(persistedQuery(hashOf(books.body)), restricted)).json()).toMatchObject(notInSafelist);
  });

  test('an unrestricted key may send any query, and gets DOCUMENT_NOT_FOUND for an unknown documentId', async () => {
    expect((await request({ query: books.body })).json()).toHaveProperty('data');
    for (const documentId of ['nothing', `sha256:${'a'.repeat(64)}`])
      for (const [accept, status] of [
        ['application/graphql-response+json', 404],
        ['application/json', 200],
      ] as const) {
        const headers = [...graphqlHeaders(lectern.token), 'Accept', accept];
        const response = await send(lectern.url, { headers, body: JSON.stringify({ documentId }) });
        expect([response.status, response.json()]).toMatchObject([
          status,
          { errors: [{ extensions: { code: 'DOCUMENT_NOT_FOUND' } }] },
        ]);
      }
  });

  test.each([[5], [''], [['verse-of-john']], [{}]])(
    'the gateway responds 400 to the invalid documentId %j',
    async (documentId) => {
      const response = await request({ documentId });
      expect([response.status, response.json()]).toMatchObject([
        400,
        { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
      ]);
      expect(response.text).toContain('documentId');
    },
  );

  test('the gateway responds 400 to a request with both a query and a documentId', async () => {
    const response = await request({ query: verse.body, documentId: 'verse-of-john' });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('not both')]);
  });

  test('after a new manifest, a restricted key gets an error for a document that only the old manifest has', async () => {
    await useManifest([books]);
    expect((await request(persistedQuery(hashOf(books.body)), restricted)).json()).toHaveProperty('data');
    expect((await request({ query: verse.body }, restricted)).json()).toMatchObject(notInSafelist);
    await useManifest([verse, withVariable]);
    expect((await request({ query: verse.body }, restricted)).json()).toEqual(jesusWept);
  });

  const other = { name: 'Other', body: 'query Other { books { name } }' };
  test.each<[string, string, RegExp]>([
    ['is empty', '', /is not JSON, or it is cut off/],
    ['is cut off', initial.slice(0, -20), /is not JSON, or it is cut off/],
    ['is a list', '[]', /is not a JSON object/],
    ['has no operations', apolloManifest([]), /has no operations/],
    ['has version 2', apolloManifest([verse], { version: 2 }), /another format or version/],
    ['has an id twice', apolloManifest([verse, { ...verse, name: 'Again' }]), /"Verse" and "Again" have the same id/],
    [
      'has a mutation',
      apolloManifest([verse, { name: 'Change', type: 'mutation', body: 'mutation Change { testField }' }]),
      /"Change" is rejected: it is a mutation/,
    ],
    [
      'has a subscription',
      apolloManifest([{ name: 'Watch', body: 'subscription Watch { books { name } }' }]),
      /"Watch" is rejected: it is a subscription/,
    ],
    [
      'has an operation with a syntax error',
      apolloManifest([{ name: 'Half', body: 'query Half {' }]),
      /"Half" is rejected: it is not GraphQL/,
    ],
    [
      'has an operation with an unknown field',
      apolloManifest([verse, { name: 'Nope', body: 'query Nope { nope }' }]),
      /"Nope" is rejected: Cannot query field/,
    ],
    [
      'has an operation that costs too much',
      apolloManifest([
        {
          name: 'Costly',
          body: `query Costly { ${Array.from({ length: 301 }, (_, index) => `b${index}: books { name }`).join(' ')} }`,
        },
      ]),
      /"Costly" is rejected: Query has complexity of 602/,
    ],
    [
      'has an operation that is too deep',
      apolloManifest([
        {
          name: 'Deep',
          body: `query Deep { __schema { types { fields { type { ${'ofType { '.repeat(12)}name${' }'.repeat(17)}`,
        },
      ]),
      /"Deep" is rejected: Query has depth of 17/,
    ],
    [
      'has two operations in one text',
      apolloManifest([{ name: 'Two', body: `${verse.body} ${other.body}` }]),
      /"Two" is rejected: it has 2 operations/,
    ],
    [
      'has an operation whose id is the hash of another text',
      apolloManifest([{ ...verse, id: hashOf(other.body) }]),
      /"Verse" is rejected: its id looks like a SHA-256 hash/,
    ],
    ['has an operation without a text', JSON.stringify({ 'verse-of-john': 5 }), /"verse-of-john" has no text/],
    [
      'has 50 MB',
      apolloManifest([{ ...verse, body: `${verse.body} #${'x'.repeat(50_000_000)}` }]),
      /too large.*at most 5000000 bytes/,
    ],
  ])(
    'if the new manifest %s, the gateway keeps the old one, and says so in a log line, /ready?verbose and a metric',
    async (_, text, reason) => {
      const rejections = () => lines.filter((line) => line.includes('the new trusted documents are rejected'));
      const before = rejections().length;
      writeManifest(text);
      await waitUntil(() => rejections().length > before);
      expect(JSON.parse(rejections().at(-1) ?? '')).toMatchObject({ reason: expect.stringMatching(reason) as string });
      expect(await readiness()).toEqual({
        documents: 2,
        rejected: expect.stringMatching(reason) as string,
        invalid: [],
      });
      expect(metricValue(await metrics.text(), 'lectern_trusted_documents_rejected')).toBe(1);
      expect((await request({ query: verse.body }, restricted)).json()).toEqual(jesusWept);
      await useManifest([verse, withVariable]);
      expect(rejections()).toHaveLength(before + 1);
      expect(metricValue(await metrics.text(), 'lectern_trusted_documents_rejected')).toBe(0);
      expect(await readiness()).toEqual({ documents: 2, rejected: null, invalid: [] });
    },
  );

  test("the gateway accepts the manifest of Relay's compiler, a map of ids to queries", async () => {
    const id = createHash('md5').update(other.body).digest('hex');
    const before = lines.length;
    writeManifest(JSON.stringify({ [id]: other.body }));
    await waitUntil(() => lines.slice(before).some((line) => line.includes('new trusted documents are used')));
    expect((await request({ documentId: id }, restricted)).json()).toHaveProperty('data');
    await useManifest([verse, withVariable]);
  });

  test('GET /health responds 200 while the gateway checks a manifest of 300 trusted documents', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      name: `V${index}`,
      body: verse.body.replace('Verse', `V${index}`),
    }));
    const answered: boolean[] = [];
    const loaded = useManifest(many).then(() => answered.push(true));
    while (answered.length === 0) expect((await send(`${lectern.origin}/health`, { method: 'GET' })).status).toBe(200);
    await loaded;
    expect((await readiness()).documents).toBe(300);
    await useManifest([verse, withVariable]);
  });
});
