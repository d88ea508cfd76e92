import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen, silentLogger } from '@lectern/serving';
import OpenAI from 'openai';
import {
  builtInModel,
  createBuiltInEmbedder,
  createEmbeddingsServer,
  createEndpointEmbedder,
  type Embedder,
  type EndpointOptions,
} from '.';

const apiKey = 'a key for tests';
const builtIn = createBuiltInEmbedder({ cores: 1, queueLength: 500 });
let real: Listening;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  real = await listen(createEmbeddingsServer({ embedder: builtIn, apiKey, log: silentLogger }), {
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(async () => {
  for (const close of closing) await close();
  await real.close(0);
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
    timeoutMs: 1500,
    random: () => 0,
    ...options,
  });
  closing.push(() => embedder.close());
  return embedder;
}

/** An endpoint that answers each request as told, the last answer again and again. */
async function endpoint(
  ...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]
): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    request.resume().on('end', () => answer?.(request, response));
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  closing.push(() => listening.close(0));
  return { url: at(listening), asked: () => asked };
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

test('the openai client gets the vectors of the built-in model, in base64 as it asks by default and in digits', async () => {
  const client = new OpenAI({ baseURL: at(real), apiKey, maxRetries: 0 });
  const [expected] = await builtIn.embedQueries(['amor al prójimo']);
  const input = ['query: amor al prójimo', 'passage: otra cosa'];
  const inBase64 = await client.embeddings.create({ model: builtInModel.id, input });
  const inDigits = await client.embeddings.create({ model: builtInModel.id, input, encoding_format: 'float' });
  for (const { data, usage } of [inBase64, inDigits]) {
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    expect(data[0]?.embedding).toHaveLength(384);
    for (const [dimension, value] of (data[0]?.embedding ?? []).entries())
      expect(value).toBeCloseTo(expected?.[dimension] ?? 9, 6);
    expect(usage.prompt_tokens).toBeGreaterThan(10);
  }
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual([builtInModel.id]);
});

test('the openai client understands what is wrong: a key, a model, an input', async () => {
  const ask = (body: Partial<OpenAI.EmbeddingCreateParams>, key = apiKey) =>
    new OpenAI({ baseURL: at(real), apiKey: key, maxRetries: 0 }).embeddings.create({
      model: builtInModel.id,
      input: 'x',
      ...body,
    });
  await expect(ask({}, 'another key')).rejects.toMatchObject({
    status: 401,
    code: 'invalid_api_key',
    type: 'invalid_request_error',
  });
  await expect(ask({ model: 'text-embedding-3-small' })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  await expect(ask({ input: '' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('empty text'),
  });
  await expect(ask({ input: [] })).rejects.toMatchObject({ status: 400 });
  await expect(ask({ input: [[1, 2]] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('lists of tokens'),
  });
  await expect(ask({ dimensions: 12 })).rejects.toMatchObject({ status: 400 });
  await expect(ask({ input: 'x'.repeat(4_100_000) })).rejects.toMatchObject({ status: 413 });
});

test('a body that is no request is refused in the shape of the API', async () => {
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const body of ['', '{', '[]', 'null', '{"model":1}']) {
    const response = await fetch(`${at(real)}/embeddings`, { method: 'POST', headers, body });
    expect([400, 404]).toContain(response.status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: 'invalid_request_error', code: expect.any(String) },
    });
  }
  expect((await fetch(`${at(real)}/embeddings`, { headers })).status).toBe(405);
  expect((await fetch(`${at(real)}/nothing`, { headers })).status).toBe(404);
  expect((await fetch(at(real).replace('/v1', '/health'))).status).toBe(200);
  expect((await fetch(at(real).replace('/v1', '/ready'))).status).toBe(200);
});

test('through the endpoint the built-in model gives the same vectors under the same id: those that ship fit', async () => {
  const through = connect(at(real), { ...builtInModel, model: builtInModel.id, apiKey });
  expect(through.id).toBe(builtIn.id);
  const [near] = await through.embedQueries(['amor al prójimo']);
  const [own] = await builtIn.embedQueries(['amor al prójimo']);
  for (const [dimension, value] of (own ?? []).entries()) expect(near?.[dimension]).toBeCloseTo(value, 6);
  const many = Array.from({ length: 150 }, (_, index) => `${index} \ud800 \0 😀`);
  expect(await through.embedPassages(many)).toHaveLength(150);
}, 30_000);

test('429 and 5xx are tried again, after what Retry-After says', async () => {
  const shy = await endpoint(status(429, { 'retry-after': '0' }), status(503), good);
  expect(Array.from((await connect(shy.url).embedQueries(['x']))[0] ?? [], (value) => value.toFixed(2))).toEqual([
    '0.60',
    '0.80',
  ]);
  expect(shy.asked()).toBe(3);
  const slow = await endpoint(status(429, { 'retry-after': '1' }), good);
  const began = performance.now();
  await connect(slow.url).embedQueries(['x']);
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  const slower = await endpoint(status(429, { 'retry-after': '60' }));
  const asked = performance.now();
  await expect(connect(slower.url).embedQueries(['x'])).rejects.toMatchObject({
    failure: 'unavailable',
    message: expect.stringContaining('429'),
  });
  expect(performance.now() - asked).toBeLessThan(1000);
});

test('what cannot be used is refused, each with what is wrong', async () => {
  const row = (embedding: unknown, index = 0) => ({ data: [{ index, embedding }] });
  const cases: [unknown, RegExp][] = [
    ['<!doctype html><p>Sign in', /HTML instead of JSON/],
    ['nonsense', /not JSON/],
    [{}, /without a list/],
    [null, /without a list/],
    [{ data: [null] }, /without a list/],
    [{ data: [] }, /0 vectors for 1 texts/],
    [row([1, 2, 3]), /3 dimensions/],
    ['{"data":[{"index":0,"embedding":[1,NaN]}]}', /not JSON/],
    [row([1, null]), /no number/],
    [row([1, '2']), /no number/],
    ['{"data":[{"index":0,"embedding":[1e999,1]}]}', /no number/],
    [row([0, 0]), /zeros/],
    [row([1, 2], 1), /numbered wrong/],
    [row({}), /without a vector/],
    [row(Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString('base64')), /no number/],
  ];
  for (const [body, message] of cases)
    await expect(connect((await endpoint(json(body))).url).embedQueries(['x'])).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringMatching(message),
    });
});

test('rows in another order find their texts; base64 is read', async () => {
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

test('an endpoint that hangs, trickles or is not there fails within the deadline', async () => {
  const hanging = await endpoint(() => {});
  const trickling = await endpoint((_, response) => void response.writeHead(200).write('{'));
  for (const url of [hanging.url, trickling.url, 'http://127.0.0.1:9/v1']) {
    const began = performance.now();
    await expect(connect(url, { timeoutMs: 400 }).embedQueries(['x'])).rejects.toMatchObject({
      failure: 'unavailable',
    });
    expect(performance.now() - began).toBeLessThan(900);
  }
});

test('a caller who leaves waits no longer', async () => {
  const { url } = await endpoint(() => {});
  const leaving = new AbortController();
  const waiting = connect(url).embedQueries(['x'], { signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});

test('after failures in a row nothing more is sent for a while', async () => {
  const broken = await endpoint(status(500));
  const embedder = connect(broken.url, { timeoutMs: 150 });
  for (let time = 0; time < 5; time += 1)
    await expect(embedder.embedQueries(['x'])).rejects.toMatchObject({ failure: 'unavailable' });
  const before = broken.asked();
  await expect(embedder.embedQueries(['x'])).rejects.toThrow(/failed too often/);
  expect(broken.asked()).toBe(before);
});

test('a refused key is a matter of settings, a refused text is not held against the endpoint; neither is tried again', async () => {
  const locked = await endpoint(status(401));
  await expect(connect(locked.url).embedQueries(['x'])).rejects.toMatchObject({
    failure: 'misconfigured',
    message: expect.stringContaining('EMBEDDINGS_API_KEY'),
  });
  expect(locked.asked()).toBe(1);
  const picky = await endpoint(status(400));
  const embedder = connect(picky.url);
  for (let time = 0; time < 8; time += 1) await expect(embedder.embedQueries(['x'])).rejects.toThrow(/refused a text/);
  expect(picky.asked()).toBe(8);
});
