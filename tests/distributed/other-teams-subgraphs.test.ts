import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { type GraphqlClient, graphqlHeaders, send } from '@lectern/testing';
import { parse } from 'graphql';
import { type FakeSubgraph, startFakeSubgraph, unavailableAt } from '../support/fake-subgraph';
import { openProcesses, type TestProcesses, waitUntil } from '../support/processes';

/** How the subgraph of another team, which serves our field `languages`, responds. */
interface Reply {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

const data = { languages: [{ code: 'eng' }] };
const query = '{ languages { code } }';
const errorsOf = (message: string, code?: string) => ({
  errors: [{ message, ...(code !== undefined && { extensions: { code } }) }],
});
const masked = { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };

let processes: TestProcesses;
let subgraph: FakeSubgraph;
let reply: Reply = {};
let received: IncomingMessage[] = [];

beforeAll(async () => {
  processes = await openProcesses();
  subgraph = await startFakeSubgraph((response, request) => {
    received.push(request);
    const { status = 200, headers, body = { data } } = reply;
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
afterAll(async () => {
  await processes.close();
  await subgraph.close();
});
beforeEach(() => {
  reply = {};
  received = [];
});

const serveGateway = (env: Record<string, string> = {}) => processes.serveGateway({ text: [subgraph.origin] }, env);

/** The logged lines that have a member, as objects. */
const linesWith = (output: string, member: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"${member}"`))
    .map((line) => JSON.parse(line));

test.each([400, 401, 403, 404, 500, 503])(
  'errors of a GraphQL response with the status %s reach the client, and unknown codes are masked and logged',
  async (status) => {
    const { gateway, client } = await serveGateway();
    reply = { status, body: errorsOf('no such translation', 'NOT_FOUND') };
    expect(await client(query)).toMatchObject({
      data: { languages: null },
      errors: [{ message: 'no such translation', extensions: { code: 'NOT_FOUND' } }],
    });
    reply = { status, body: errorsOf('the secret of another team', 'TEAM_CODE') };
    const response = await client(query);
    expect(response).toMatchObject({ data: { languages: null }, errors: [masked] });
    expect(JSON.stringify(response)).not.toContain('team');
    const [line] = linesWith(gateway.output(), 'error');
    expect(line).toMatchObject({ subgraph: 'text', error: 'the secret of another team', msg: 'a field failed' });
    await processes.stop(gateway);
  },
);

test.each([401, 403])(
  'a subgraph that responds %s receives further requests, and the log names it once and not SUBGRAPH_SECRET',
  async (status) => {
    const { gateway, client } = await serveGateway();
    const replies: [Reply, unknown][] = [
      [
        { body: errorsOf('sign in', 'FORBIDDEN') },
        { ...masked, extensions: { ...masked.extensions, requestId: expect.any(String) } },
      ],
      [{ body: '<h1>Forbidden</h1>', headers: { 'content-type': 'text/html' } }, unavailableAt('languages')],
      [{ body: {} }, unavailableAt('languages')],
    ];
    for (const [denial, error] of replies) {
      reply = { status, ...denial };
      for (let time = 0; time < 8; time += 1)
        expect(await client(query)).toEqual({ data: { languages: null }, errors: [error] });
      reply = {};
      expect(await client(query)).toEqual({ data });
    }
    expect(linesWith(gateway.output(), 'status').filter(({ subgraph: name }) => name === 'text')).toMatchObject([
      { subgraph: 'text', status, msg: expect.stringContaining('denies a request') },
    ]);
    expect(gateway.output()).not.toContain('circuit open');
    expect(gateway.output()).not.toContain('SUBGRAPH_SECRET');
    await processes.stop(gateway);
  },
);

test.each(['auto', 'standard'])(
  'with EXECUTION_STRATEGY=%s, SUBGRAPH_EXPOSED_ERRORS lets messages and codes of the named subgraphs alone through',
  async (EXECUTION_STRATEGY) => {
    const other = await startFakeSubgraph((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(errorsOf('the other', 'ALIEN'))),
    );
    const both = '{ languages { code } strongs(number: "G26") { number } }';
    const messages = async (exposed: string) => {
      const { gateway, client } = await processes.serveGateway(
        { text: [subgraph.origin], concordance: [other.origin] },
        { EXECUTION_STRATEGY, SUBGRAPH_EXPOSED_ERRORS: exposed },
      );
      const { errors = [] } = await client(both);
      await processes.stop(gateway);
      return errors.map(({ message, extensions }) => `${extensions?.['code']}: ${message}`).sort();
    };
    const internal = 'INTERNAL_SERVER_ERROR: Internal server error';
    reply = { status: 403, body: errorsOf('not yours', 'FORBIDDEN') };
    expect(await messages('')).toEqual([internal, internal]);
    expect(await messages('text')).toEqual(['FORBIDDEN: not yours', internal]);
    expect(await messages('study, concordance')).toEqual(['ALIEN: the other', internal]);
    reply = { body: { errors: [{ message: 'a team without codes', extensions: { subgraph: 'concordance' } }] } };
    expect(await messages('concordance')).toEqual(['ALIEN: the other', internal]);
    expect(await messages('*')).toEqual(['ALIEN: the other', 'INTERNAL_SERVER_ERROR: a team without codes']);
    await other.close();
  },
);

test('MAX_PARALLEL_FETCHES limits how many fetches of one operation are sent at once, whatever their subgraphs', async () => {
  let inFlight = 0;
  let maxInFlight = 0;
  const slow = await startFakeSubgraph((response) => {
    inFlight += 1;
    maxInFlight = Math.max(maxInFlight, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
    }, 200);
  });
  const names = ['text', 'concordance', 'search'];
  const origins = Object.fromEntries(names.map((name) => [name, [slow.origin]]));
  const maxWith = async (env: Record<string, string>) => {
    const { gateway, client } = await processes.serveGateway(origins, { EXECUTION_STRATEGY: 'auto', ...env });
    maxInFlight = 0;
    await client('{ languages { code } strongs(number: "G26") { number } search(query: "a") { reference } }');
    await processes.stop(gateway);
    return maxInFlight;
  };
  expect(await maxWith({ MAX_PARALLEL_FETCHES: '1' })).toBe(1);
  expect(await maxWith({ MAX_PARALLEL_FETCHES: '2' })).toBe(2);
  expect(await maxWith({})).toBe(3);
  await slow.close();
});

/** Sends the query twice within the time to live. Returns whether the second response was cached. */
const isCached = async (client: GraphqlClient, headers: Reply['headers'] = {}): Promise<boolean> => {
  received = [];
  // Each call has a document of its own.
  const name = names.next().value;
  const document = `{ ${name}: languages { code } }`;
  reply = { body: { data: { [String(name)]: [] } }, headers };
  for (const _ of [1, 2]) await client(document);
  return received.length === 1;
};
const names = (function* () {
  for (let count = 0; ; count += 1) yield `a${count}`;
})();

test.each(['auto', 'standard'])(
  'with EXECUTION_STRATEGY=%s, the response cache keeps only responses whose Cache-Control allows it to a shared cache',
  async (EXECUTION_STRATEGY) => {
    const { gateway, client } = await serveGateway({ EXECUTION_STRATEGY, RESPONSE_CACHE_BYTES: '1000000' });
    const cachedWith = (control: string, headers = {}) => isCached(client, { 'cache-control': control, ...headers });
    for (const control of ['public, max-age=600', 'MAX-AGE="600"', 'max-age=0, s-maxage=600'])
      expect([control, await cachedWith(control)]).toEqual([control, true]);
    for (const control of [
      'private, max-age=600',
      'no-store',
      'max-age=600, no-cache',
      'public',
      'public, max-age=0',
      's-maxage=0, max-age=600',
      'x-max-age=600',
    ])
      expect([control, await cachedWith(control)]).toEqual([control, false]);
    expect(await cachedWith('max-age=600', { age: '600' })).toBe(false);
    expect(await isCached(client)).toBe(false);
    await processes.stop(gateway);
  },
);

test('a cached response expires after the shortest max-age of the subgraphs that took part in it', async () => {
  const short = await startFakeSubgraph((response) => {
    received.push(response.req);
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=1' })
      .end('{"data":{"strongs":{"number":"G26"}}}');
  });
  const { gateway, client } = await processes.serveGateway(
    { text: [subgraph.origin], concordance: [short.origin] },
    { RESPONSE_CACHE_BYTES: '1000000' },
  );
  reply = { headers: { 'cache-control': 'max-age=600' } };
  const both = '{ languages { code } strongs(number: "G26") { number } }';
  await client(both);
  expect(received).toHaveLength(2);
  await client(both);
  expect(received).toHaveLength(2);
  await waitUntil(async () => {
    await client(both);
    return received.length > 2;
  });
  expect(received).toHaveLength(4);
  await processes.stop(gateway);
  await short.close();
});

test.each(['auto', 'standard'])(
  "with EXECUTION_STRATEGY=%s, SUBGRAPH_FORWARD_HEADERS sends clients' headers, and responses are cached by their values",
  async (EXECUTION_STRATEGY) => {
    const { gateway } = await serveGateway({
      EXECUTION_STRATEGY,
      RESPONSE_CACHE_BYTES: '1000000',
      SUBGRAPH_FORWARD_HEADERS: 'X-Tenant, accept-language',
    });
    reply = { headers: { 'cache-control': 'max-age=600' } };
    const sendAs = (...headers: string[]) =>
      send(`${gateway.origin}/graphql`, {
        headers: [...graphqlHeaders(processes.token), 'X-Other', 'own', ...headers],
        body: JSON.stringify({ query }),
      });
    for (const _ of [1, 2]) {
      await sendAs('X-Tenant', 'one', 'Accept-Language', 'es');
      await sendAs('X-Tenant', 'two');
      await sendAs();
    }
    const seen = received.map(({ headers }) => [headers['x-tenant'], headers['accept-language'], headers['x-other']]);
    expect(seen).toEqual([
      ['one', 'es', undefined],
      ['two', undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
    await processes.stop(gateway);
  },
);

test.each(['Authorization', 'Content-Length', 'x-lectern-clients', 'a b', 'Connection'])(
  'a gateway does not start with SUBGRAPH_FORWARD_HEADERS=%s',
  async (name) => {
    await expect(serveGateway({ SUBGRAPH_FORWARD_HEADERS: `X-Tenant,${name}` })).rejects.toThrow(
      `SUBGRAPH_FORWARD_HEADERS: "${name.toLowerCase()}" cannot be forwarded.`,
    );
  },
);

test('SITE_TITLE is the title of the page /, which then says nothing of Bible texts', async () => {
  const page = async (env: Record<string, string>) => {
    const { gateway } = await serveGateway(env);
    const { text } = await send(`${gateway.origin}/`, { method: 'GET' });
    await processes.stop(gateway);
    return text;
  };
  const titled = await page({ SITE_TITLE: 'Orders & <Reviews>' });
  expect(titled).toContain('<h1>Orders &amp; &lt;Reviews&gt;</h1>');
  expect(titled).not.toMatch(/bible|verse|passage|#reader/i);
  expect(await page({})).toContain('<h1>Bible text over GraphQL</h1>');
});

describe('security directives of Apollo', () => {
  const subgraphWith = (directives: string, fields: string) =>
    parse(`
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", ${directives}])
      ${fields}
    `);
  const text = (field: string) => `type Query { secret: String ${field} }`;

  // `npm run test:standard` runs the same with @apollo/gateway.
  test.each([
    ['@authenticated', 'authenticated', text('@authenticated')],
    ['@requiresScopes', 'requiresScopes', text('@requiresScopes(scopes: [["read"]])')],
    ['@policy', 'policy', text('@policy(policies: [["admin"]])')],
    [
      '@context',
      'context',
      `type Query { box: Box } type Box @key(fields: "id") @context(name: "box") { id: ID! colour: String item: Item }
       type Item @key(fields: "id") { id: ID! label(colour: String @fromContext(field: "$box { colour }")): String }`,
    ],
  ])(
    'a gateway does not start with a supergraph that uses %s, and names the feature',
    async (name, feature, fields) => {
      const imports = name === '@context' ? '"@context", "@fromContext"' : `"${name}"`;
      const typeDefs = subgraphWith(imports, fields);
      const { supergraphSdl, errors } = composeServices([{ name: 'text', url: subgraph.origin, typeDefs }]);
      expect(errors).toBeUndefined();
      const file = join(processes.folder, `${feature}.graphql`);
      writeFileSync(file, supergraphSdl ?? '');
      await expect(serveGateway({ SUPERGRAPH: file })).rejects.toThrow(
        `the supergraph uses ${name} (https://specs.apollo.dev/${feature}/v`,
      );
    },
  );
});
