import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongRun, repositoryRoot } from '@lectern/testing';
import { waitUntil } from '../support/processes';
import { openRegistryGateway } from '../support/registry-gateway';
import type { SchemaRegistry } from '../support/schema-registry';
import { startSchemaRegistry } from '../support/schema-registry';

const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
const withComment = (comment: string) => `# ${comment}\n${composed}`;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

let folder: string;
let registry: SchemaRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  registry = await startSchemaRegistry();
});
afterEach(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts a gateway in this process that fetches its supergraph from a schema registry. Without the
 * option `respond`, no subgraph of the gateway responds.
 */
const openGateway = ({
  from = registry,
  ...options
}: { from?: SchemaRegistry } & Partial<Parameters<typeof openRegistryGateway>[1]> = {}) =>
  openRegistryGateway(from, { copyFolder: folder, ...options });

const withGateway = async (
  options: Parameters<typeof openGateway>[0],
  use: (gateway: Awaited<ReturnType<typeof openGateway>>) => Promise<void>,
): Promise<void> => {
  const gateway = await openGateway(options);
  try {
    await use(gateway);
  } finally {
    await gateway.close();
  }
};

test('a gateway responds 503 until its registry has a supergraph, and these requests do not count against the quota', () =>
  withGateway({}, async (gateway) => {
    expect(await gateway.ready()).toMatchObject({
      status: 503,
      reason: `the gateway has no supergraph: Cannot fetch the supergraph from ${registry.url}/supergraph.graphql: the response has the status 404.`,
      supergraph: { sha256: null },
    });
    expect((await gateway.get('/health')).status).toBe(200);
    const rejected = await gateway.query();
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '2']);
    expect(rejected.json()).toEqual({
      errors: [
        {
          message: 'The service has no schema at the moment. Please try again later.',
          extensions: { code: 'SUPERGRAPH_UNAVAILABLE', retryAfter: 2 },
        },
      ],
    });
    for (const path of ['/reference', '/schema.graphql', '/up'])
      expect([path, (await gateway.get(path)).status]).toEqual([path, 503]);
    expect((await gateway.get('/')).status).toBe(200);
    expect(gateway.lines('the gateway has no supergraph')).toHaveLength(1);

    registry.put('supergraph.graphql', composed);
    await waitUntil(async () => (await gateway.ready()).status === 200);
    expect(await gateway.ready()).toMatchObject({ supergraph: { sha256: digestOf(composed), isCopy: false } });
    const served = await gateway.query();
    expect(served.json()).toEqual({ data: { __typename: 'Query' } });
    // The quota is 100,000, and only this request has counted against it. The request that the
    // gateway rejected while it had no supergraph has not.
    expect(served.headers['ratelimit']).toContain('"key";r=99999');
    expect((await gateway.get('/reference')).status).toBe(200);
  }));

test('/ready and the log show the URL of the schema registry without the query string, which may contain a secret', () =>
  withGateway({}, async (gateway) => {
    const { reason } = await gateway.ready();
    expect(reason).toContain(`${registry.url}/supergraph.graphql: the response`);
    expect(gateway.output()).toContain(`${registry.url}/supergraph.graphql`);
    expect(`${reason} ${gateway.output()}`).not.toContain('secret-signature');
  }));

test('a gateway sends SUPERGRAPH_HEADERS to the registry, and downloads each version only once, even a rejected one', () =>
  withGateway({}, async () => {
    registry.put('supergraph.graphql', composed);
    const countResponses = (status: number) => registry.requests.filter((each) => each.endsWith(` ${status}`)).length;
    await waitUntil(() => countResponses(304) > 2);
    expect(countResponses(200)).toBe(1);
    registry.put('supergraph.graphql', withComment('newer'));
    await waitUntil(() => countResponses(304) > 5);
    registry.put('supergraph.graphql', half);
    await waitUntil(() => countResponses(304) > 10);
    expect([countResponses(200), countResponses(403)]).toEqual([3, 0]);
  }));

test.each([
  ['no key', {}],
  ['a wrong key', { 'x-registry-key': 'wrong' }],
])(
  'a gateway that sends the schema registry %s is not ready, and names SUPERGRAPH_HEADERS as the setting to check',
  async (_, headers) => {
    registry.put('supergraph.graphql', composed);
    await withGateway({ headers }, async (gateway) => {
      expect(await gateway.ready()).toMatchObject({
        status: 503,
        reason: expect.stringMatching(/the status 403\. Check SUPERGRAPH_HEADERS/) as string,
      });
    });
  },
);

const respond =
  (text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).end(text);
const half = composed.slice(0, composed.length / 2);
const wholeLength = { 'content-length': String(composed.length) };

const noResponse: [string, RequestListener, RegExp] = [
  'no response for 5 seconds',
  () => undefined,
  /^Cannot fetch the supergraph.*timeout/,
];

describe('failures of the schema registry', () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let shared: SchemaRegistry;
  const copyFolder = mkdtempSync(join(tmpdir(), 'lectern-'));
  beforeAll(async () => {
    shared = await startSchemaRegistry();
    shared.put('supergraph.graphql', composed);
    gateway = await openGateway({ from: shared, copyFolder });
  });
  afterAll(async () => {
    await gateway.close();
    shared.close();
    rmSync(copyFolder, { recursive: true, force: true });
  });

  test.each<[string, RequestListener, RegExp]>([
    ['an HTML page', respond('<!doctype html><title>Sign in</title>'), /is an HTML or XML page, not a supergraph/],
    ['an empty body', respond(''), /Syntax Error/],
    ['half a supergraph', respond(half), /Syntax Error/],
    [
      'a body that ends before its Content-Length',
      (_, response) => void response.writeHead(200, wholeLength).write(half, () => response.destroy()),
      /^Cannot fetch the supergraph/,
    ],
    ['a schema that is not a supergraph', respond('type Query { weather: String }'), /has no subgraphs/],
    [
      'a body that never ends',
      function write(_, response): void {
        if (!response.destroyed) response.write('#'.repeat(100_000), () => setImmediate(() => write(_, response)));
      },
      /is too large to be a supergraph/,
    ],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
      /Redirects are not followed/,
    ],
    ...(isLongRun ? [noResponse] : []),
  ])(
    'a gateway keeps its current supergraph while the schema registry sends %s, and logs the reason once',
    async (_, listener, reason) => {
      const before = gateway.lines('the new supergraph is rejected').length;
      shared.respondWith(listener);
      await waitUntil(async () => (await gateway.ready()).supergraphRejected !== undefined);
      expect(await gateway.ready()).toMatchObject({
        status: 200,
        supergraphRejected: { reason: expect.stringMatching(reason) as string },
        supergraph: { sha256: digestOf(composed) },
      });
      expect((await gateway.query()).json()).toEqual({ data: { __typename: 'Query' } });
      shared.respondWith(null);
      await waitUntil(async () => (await gateway.ready()).supergraphRejected === undefined);
      const logged = gateway.lines('the new supergraph is rejected');
      expect(logged).toHaveLength(before + 1);
      expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ reason: expect.stringMatching(reason) as string });
    },
  );
});

test('a gateway that starts while the registry fails serves its copy of the supergraph until the registry responds', async () => {
  registry.put('supergraph.graphql', composed);
  await withGateway({}, async () => {});
  registry.respondWith((_, response) => void response.writeHead(500).end());
  await withGateway({}, async (gateway) => {
    await waitUntil(async () => (await gateway.ready()).status === 200);
    expect(await gateway.ready()).toMatchObject({
      supergraphRejected: { reason: expect.stringMatching(/the status 500/) as string, sha256: null },
      supergraph: { sha256: digestOf(composed), isCopy: true },
    });
    expect(gateway.lines('the copy of the last supergraph is served')).toHaveLength(1);
    registry.put('supergraph.graphql', withComment('newer'));
    registry.respondWith(null);
    await waitUntil(async () => !(await gateway.ready()).supergraph.isCopy);
    expect(await gateway.ready()).toMatchObject({ supergraph: { sha256: digestOf(withComment('newer')) } });
    await waitUntil(() => copies().every((file) => readFileSync(join(folder, file), 'utf8') === withComment('newer')));
    expect(copies()).toHaveLength(1);
  });
});

const copies = () => readdirSync(folder).filter((file) => file.startsWith('supergraph-'));

test("a gateway's copy of its supergraph is not overwritten by an invalid one, and is not served if it is damaged", async () => {
  registry.put('supergraph.graphql', composed);
  await withGateway({}, async (gateway) => {
    registry.put('supergraph.graphql', half);
    await waitUntil(async () => (await gateway.ready()).supergraphRejected !== undefined);
  });
  const [copy = ''] = copies();
  expect(readFileSync(join(folder, copy), 'utf8')).toBe(composed);
  writeFileSync(join(folder, copy), half);
  await withGateway({}, async (gateway) => {
    expect(await gateway.ready()).toMatchObject({ status: 503, supergraph: { sha256: null } });
    expect(gateway.lines('the copy of the last supergraph is invalid')).toHaveLength(1);
  });
});

test('a gateway that cannot write a copy of its supergraph to disk serves the supergraph and logs a warning', async () => {
  // The path of a file, so the gateway cannot create this folder.
  const copyFolder = join(folder, 'file');
  writeFileSync(copyFolder, '');
  registry.put('supergraph.graphql', composed);
  await withGateway({ copyFolder }, async (gateway) => {
    await waitUntil(async () => (await gateway.ready()).status === 200);
    expect(gateway.lines('the copy of the supergraph cannot be written')).toHaveLength(1);
  });
});

test('a gateway rejects a supergraph with an older Last-Modified than its current one, but accepts it if it is published again', async () => {
  const minute = 60_000;
  const now = Date.now();
  registry.put('supergraph.graphql', withComment('version 2'), new Date(now - minute));
  await withGateway({}, async (gateway) => {
    const serves = async (text: string) => (await gateway.ready()).supergraph.sha256 === digestOf(text);
    await waitUntil(() => serves(withComment('version 2')));
    registry.put('supergraph.graphql', withComment('version 1'), new Date(now - 2 * minute));
    await waitUntil(async () => (await gateway.ready()).supergraphRejected !== undefined);
    expect((await gateway.ready()).supergraphRejected?.reason).toMatch(
      /a cache sent an old response.*publish it again/,
    );
    expect(await serves(withComment('version 2'))).toBe(true);
    // A rollback publishes the old text again, so Last-Modified is new.
    registry.put('supergraph.graphql', withComment('version 1'), new Date(now));
    await waitUntil(() => serves(withComment('version 1')));
    expect(await gateway.ready()).not.toHaveProperty('supergraphRejected');
  });
});

test('while two gateways have different supergraphs, each gateway serves the fields of its own supergraph', async () => {
  // The second registry imitates an HTTP cache that still has the old supergraph.
  const stale = await startSchemaRegistry();
  for (const each of [registry, stale]) each.put('supergraph.graphql', composed);
  const withOtherField = composed.replace(/^ {2}testField: String!.*\n/m, '  otherField: String!\n');
  const respond = async () => ({ data: { otherField: 'new' } });
  const rejected = { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] };
  const served = { data: { otherField: 'new' } };
  await withGateway({ from: stale, respond }, (slow) =>
    withGateway({ respond }, async (fast) => {
      const responses = () =>
        Promise.all([slow, fast].map(async (gateway) => (await gateway.query('mutation { otherField }')).json()));
      const publish = async (to: SchemaRegistry, gateway: typeof fast) => {
        to.put('supergraph.graphql', withOtherField, new Date(Date.now() + 1_000));
        await waitUntil(async () => (await gateway.ready()).supergraph.sha256 === digestOf(withOtherField));
      };
      expect(await responses()).toMatchObject([rejected, rejected]);
      await publish(registry, fast);
      expect(await responses()).toMatchObject([rejected, served]);
      await publish(stale, slow);
      expect(await responses()).toMatchObject([served, served]);
    }),
  );
  stale.close();
});

test('a gateway with SUPERGRAPH_POLL_MS=0 does not start if the schema registry has no supergraph', async () => {
  await expect(openGateway({ pollMs: 0 })).rejects.toThrow(/Cannot fetch the supergraph from/);
});
