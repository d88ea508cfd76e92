import { createServer } from 'node:http';
import { silentLogger } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import { graphqlUrl } from '../../test-support/graphql-url';
import { createHttpSubgraphs } from './http-subgraphs';

/**
 * Sends a request to a subgraph whose response has these headers and this body. Resolves to the response as the gateway
 * reads it.
 */
async function responseWith(
  headers: Readonly<Record<string, string>>,
  body = '{"data":{"a":1}}',
  request: SubgraphRequest = { query: '{ a }' },
): Promise<SubgraphResponse> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const url = await graphqlUrl(server);
  const subgraphs = createHttpSubgraphs({
    urls: '',
    secrets: '',
    timeoutMs: 5_000,
    hedgeMs: 5_000,
    connections: 1,
    log: silentLogger,
  });
  const fetch = subgraphs.subgraph('text', url);
  try {
    return await fetch(request, { requestId: 'request' });
  } finally {
    await subgraphs.close();
    server.close();
  }
}

test('the gateway reads only data and errors from the body of a subgraph, which so cannot declare its body complete', async () => {
  const body = JSON.stringify({
    data: { a: 1 },
    rawBody: 'x',
    isComplete: true,
    hints: [],
    embeddingCalls: 5,
    maxAge: 9,
  });
  const { cpuMs: _, ...response } = await responseWith({}, body);
  expect(response).toEqual({ data: { a: 1 }, maxAge: 0 });
});

test('the gateway reads at most four digits from x-lectern-embedding-calls, and takes any other value as 0', async () => {
  const counts = ['3', '9999', '10000', '-1', '1.5', 'many', ''].map(async (count) => {
    const { embeddingCalls } = await responseWith({ 'x-lectern-embedding-calls': count });
    return embeddingCalls;
  });
  expect(await Promise.all(counts)).toEqual([3, 9999, 0, 0, 0, 0, 0]);
});

test('the gateway reads at most ten hints from x-lectern-hints, and none if the header is malformed', async () => {
  const hint = { coordinate: 'Query.semanticSearch', message: '“eng-kjv”' };
  const hintsOf = async (header: string) => (await responseWith({ 'x-lectern-hints': header })).hints;
  const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  expect(await hintsOf(encoded([hint, null, 1, { coordinate: 'Query.books' }, { message: 5 }]))).toEqual([hint]);
  expect(await hintsOf(encoded(Array.from({ length: 12 }, () => hint)))).toHaveLength(10);
  for (const header of ['', '[', '%', '%FF', 'null', '5', encoded(hint), encoded('text')])
    expect(await hintsOf(header)).toEqual([]);
});

test('the gateway replaces a subgraph response with more than 1,000 errors by one error with BAD_USER_INPUT', async () => {
  const responseOf = (count: number) =>
    responseWith(
      {},
      JSON.stringify({ data: { a: null }, errors: Array.from({ length: count }, () => ({ message: 'no' })) }),
    );
  const allowed = await responseOf(1_000);
  expect([allowed.data, allowed.errors?.length]).toEqual([{ a: null }, 1_000]);
  expect(await responseOf(1_001)).toMatchObject({
    data: null,
    errors: [{ message: expect.stringMatching(/^More than 1000 fields/), extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

test('the gateway counts at most its own waiting time as the computing time of a response, even if the subgraph reports more', async () => {
  const startedAt = performance.now();
  const { cpuMs } = await responseWith({ 'x-lectern-cpu-ms': '900000000' });
  expect(cpuMs).toBeGreaterThan(0);
  expect(cpuMs).toBeLessThan(performance.now() - startedAt);
});
