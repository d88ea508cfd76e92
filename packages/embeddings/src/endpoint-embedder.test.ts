import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '@lectern/serving';
import {
  builtInModel,
  createBuiltInEmbedder,
  createEndpointEmbedder,
  type Embedder,
  type EndpointOptions,
} from './index';

const builtIn = createBuiltInEmbedder({ cores: 1, queueLength: 500 });
const closing: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const close of closing) await close();
  await builtIn.close();
});

const at = ({ port }: Listening): string => `http://127.0.0.1:${port}/v1`;

function connect(url: string, options: Partial<EndpointOptions> = {}): Embedder {
  const embedder = createEndpointEmbedder({
    url,
    model: 'm',
    dimensions: 2,
    sendDimensions: false,
    queryPrefix: '',
    passagePrefix: '',
    // This timeout is longer than a busy machine needs. Tests of the timeout set a shorter timeout.
    timeoutMs: 20_000,
    random: () => 0,
    ...options,
  });
  closing.push(() => embedder.close());
  return embedder;
}

/**
 * Starts an endpoint with one handler per request. The last handler serves all further requests.
 */
async function endpoint(
  ...handlers: ((request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>)[]
): Promise<{ url: string; requestCount: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const handler = handlers[Math.min(requests, handlers.length - 1)];
    requests += 1;
    void text(request).then((body) => handler?.(request, response, body));
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  closing.push(() => listening.close({ graceMs: 0 }));
  return { url: at(listening), requestCount: () => requests };
}

const json =
  (body: unknown) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(code, headers).end('no');
  };
const good = json({ data: [{ index: 0, embedding: [3, 4] }] });

test('an endpoint that serves the built-in model gives the endpoint embedder the same id and vectors as the built-in embedder', async () => {
  const { url, requestCount } = await endpoint(async (request, response, body) => {
    expect(request.headers.authorization).toBe('Bearer a key for tests');
    const { model, input } = JSON.parse(body) as { model: string; input: string[] };
    expect(model).toBe(builtInModel.id);
    const prefix = input[0]?.startsWith(builtInModel.queryPrefix) ? 'query: ' : 'passage: ';
    const texts = input.map((text) => text.slice(prefix.length));
    const vectors = await (prefix === 'query: ' ? builtIn.embedQueries(texts) : builtIn.embedPassages(texts));
    const data = vectors.map((vector, index) => ({ index, embedding: Array.from(vector) }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
  const remote = connect(url, { ...builtInModel, model: builtInModel.id, apiKey: 'a key for tests' });
  expect([remote.id, remote.passageId]).toEqual([builtIn.id, builtIn.passageId]);
  const [near] = await remote.embedQueries(['amor al prójimo']);
  const [own] = await builtIn.embedQueries(['amor al prójimo']);
  for (const [dimension, value] of (own ?? []).entries()) expect(near?.[dimension]).toBeCloseTo(value, 6);
  const many = Array.from({ length: 150 }, (_, index) => `${index} \ud800 \0 😀`);
  expect(await remote.embedPassages(many)).toHaveLength(150);
  // At most 64 texts in a request.
  expect(requestCount()).toBe(4);
});

test('the endpoint embedder retries after status 429 or 503, unless Retry-After exceeds its deadline', async () => {
  const recovering = await endpoint(status(429, { 'retry-after': '0' }), status(503), good);
  expect(Array.from((await connect(recovering.url).embedQueries(['x']))[0] ?? [], (value) => value.toFixed(2))).toEqual(
    ['0.60', '0.80'],
  );
  expect(recovering.requestCount()).toBe(3);
  const slow = await endpoint(status(429, { 'retry-after': '1' }), good);
  const startedAt = performance.now();
  await connect(slow.url).embedQueries(['x']);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  const slower = await endpoint(status(429, { 'retry-after': '60' }));
  const sentAt = performance.now();
  await expect(connect(slower.url).embedQueries(['x'])).rejects.toMatchObject({
    failure: 'unavailable',
    message: expect.stringContaining('429'),
  });
  expect(performance.now() - sentAt).toBeLessThan(10_000);
});

test('the endpoint embedder rejects an invalid response, and says what is invalid', async () => {
  const row = (embedding: unknown, index = 0) => ({ data: [{ index, embedding }] });
  const cases: [unknown, RegExp][] = [
    ['<!doctype html><p>Sign in', /HTML instead of JSON/],
    ['plain text', /not JSON/],
    [{}, /without a list/],
    [null, /without a list/],
    [{ data: [null] }, /without a list/],
    [{ data: [] }, /0 vectors for 1 texts/],
    [row([1, 2, 3]), /3 dimensions/],
    ['{"data":[{"index":0,"embedding":[1,NaN]}]}', /not JSON/],
    [row([1, null]), /not a number/],
    [row([1, '2']), /not a number/],
    ['{"data":[{"index":0,"embedding":[1e999,1]}]}', /not a number/],
    [row([0, 0]), /zeros/],
    [row([1, 2], 1), /invalid or repeated indexes/],
    [row({}), /without a vector/],
    [row(Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString('base64')), /not a number/],
  ];
  for (const [body, message] of cases)
    await expect(connect((await endpoint(json(body))).url).embedQueries(['x'])).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringMatching(message),
    });
});

test('the endpoint embedder rejects a response that repeats an index', async () => {
  const row = { index: 0, embedding: [1, 0] };
  const { url } = await endpoint(json({ data: [row, row] }));
  await expect(connect(url).embedQueries(['a', 'b'])).rejects.toThrow(/invalid or repeated indexes/);
});

test('the endpoint embedder assigns vectors to texts by index, and scales the vectors to length 1', async () => {
  const inBase64 = Buffer.from(Float32Array.of(0, -5).buffer).toString('base64');
  const mixed = await endpoint(
    json({
      data: [
        { index: 1, embedding: inBase64 },
        { index: 0, embedding: [7, 0] },
      ],
    }),
  );
  expect((await connect(mixed.url).embedQueries(['a', 'b'])).map((vector) => Array.from(vector))).toEqual([
    [1, 0],
    [0, -1],
  ]);
});

test('the endpoint embedder rejects a call if the endpoint sends no complete response within the timeout, or is unreachable', async () => {
  const hanging = await endpoint(() => {});
  const trickling = await endpoint((_, response) => void response.writeHead(200).write('{'));
  for (const [url, message] of [
    [hanging.url, 'no response within 400 ms'],
    [trickling.url, 'no response within 400 ms'],
    ['http://127.0.0.1:9/v1', 'ECONNREFUSED'],
  ] as const)
    await expect(connect(url, { timeoutMs: 400 }).embedQueries(['x'])).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringContaining(message),
    });
});

test('the endpoint embedder rejects an aborted call with the reason of the abort', async () => {
  const { url } = await endpoint(() => {});
  const abort = new AbortController();
  const waiting = connect(url).embedQueries(['x'], { signal: abort.signal });
  abort.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});

test('after consecutive failures of the endpoint, the circuit breaker of its embedder opens and sends no more requests', async () => {
  const broken = await endpoint(status(500));
  const embedder = connect(broken.url, { timeoutMs: 150 });
  for (let time = 0; time < 3; time += 1)
    await expect(embedder.embedQueries(['x'])).rejects.toMatchObject({ failure: 'unavailable' });
  const before = broken.requestCount();
  await expect(embedder.embedQueries(['x'])).rejects.toThrow(/failed too often/);
  expect(broken.requestCount()).toBe(before);
});

test('only the first three calls wait for a hanging embedding endpoint, and later ones fail at once until a probe succeeds', async () => {
  const received: string[] = [];
  let hangs = true;
  const { url } = await endpoint((request, response, body) => {
    received.push(...(JSON.parse(body) as { input: string[] }).input);
    if (!hangs) good(request, response);
  });
  const embedder = connect(url, { timeoutMs: 200, probeAfterMs: 200 });
  // The caller has a timeout too, which may end before the deadline of the embedder.
  const embed = () => embedder.embedQueries(['query'], { signal: AbortSignal.timeout(200) });
  for (let time = 0; time < 3; time += 1) await expect(embed()).rejects.toThrow(/within 200 ms/);
  expect(embedder.isCircuitOpen?.()).toBe(true);
  for (let time = 0; time < 50; time += 1) await expect(embed()).rejects.toThrow(/failed too often/);
  // The first probe hangs too.
  while (received.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(embed()).rejects.toThrow(/failed too often/);
  hangs = false;
  while (embedder.isCircuitOpen?.()) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(received.filter((each) => each === 'query')).toHaveLength(3);
  expect(await embedder.embedQueries(['query'])).toHaveLength(1);
});

test('the endpoint embedder does not retry a request that the endpoint rejects for its API key or text', async () => {
  const locked = await endpoint(status(401));
  await expect(connect(locked.url).embedQueries(['x'])).rejects.toMatchObject({
    failure: 'misconfigured',
    message: expect.stringContaining('EMBEDDINGS_API_KEY'),
  });
  expect(locked.requestCount()).toBe(1);
  const strict = await endpoint(status(400));
  const embedder = connect(strict.url);
  for (let time = 0; time < 8; time += 1) await expect(embedder.embedQueries(['x'])).rejects.toThrow(/rejected a text/);
  expect(strict.requestCount()).toBe(8);
});
