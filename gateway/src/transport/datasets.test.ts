import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@lectern/serving';
import { createHttpSubgraphs } from './subgraphs';

/**
 * Starts a subgraph that responds with this dataset version, or without a version if
 * `datasetVersion` is undefined.
 */
async function startSubgraph(datasetVersion: string | undefined) {
  const reply = { datasetVersion, status: 200 };
  const server: Server = createServer((_, response) => {
    response
      .writeHead(reply.status, {
        'content-type': 'application/json',
        ...(reply.datasetVersion !== undefined && { 'x-lectern-dataset-version': reply.datasetVersion }),
      })
      .end('{"data":{"__typename":"Query"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    reply,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    close: () => server.close(),
  };
}

/**
 * Opens subgraphs with these URLs. Calls `use` with the subgraphs and with a function that sends a
 * query to a subgraph. Closes the subgraphs afterwards.
 */
async function withSubgraphs(
  urls: Record<string, readonly string[]>,
  use: (subgraphs: ReturnType<typeof createHttpSubgraphs>, send: (name: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const list = Object.entries(urls)
    .flatMap(([name, own]) => own.map((url) => `${name}=${url}`))
    .join(',');
  const subgraphs = createHttpSubgraphs({
    urls: list,
    secrets: '',
    timeoutMs: 5_000,
    hedgeMs: 5_000,
    connections: 1,
    log: silentLogger,
  });
  const fetches = new Map(Object.keys(urls).map((name) => [name, subgraphs.subgraph(name, '')]));
  const send = async (name: string) => fetches.get(name)?.({ query: '{ __typename }' }, { requestId: 'request' });
  try {
    await use(subgraphs, send);
  } finally {
    await subgraphs.close();
  }
}

test('datasetVersion of the subgraphs returns the dataset version when every subgraph has reported the same version', async () => {
  const [text, search] = [await startSubgraph('one'), await startSubgraph('one')];
  await withSubgraphs({ text: [text.url], search: [search.url] }, async ({ datasetVersion }, send) => {
    expect(datasetVersion()).toBeNull();
    await send('text');
    await send('search');
    expect(datasetVersion()).toBe('one');
  });
  text.close();
  search.close();
});

test('after a response with another dataset version or without one, datasetVersion of the subgraphs is null and datasetGeneration has a new value; a 401 changes neither', async () => {
  const [text, search] = [await startSubgraph('one'), await startSubgraph('one')];
  await withSubgraphs(
    { text: [text.url], search: [search.url] },
    async ({ datasetVersion, datasetGeneration }, send) => {
      await send('text');
      await send('search');
      const versions: unknown[] = [];
      const generations = new Set([datasetGeneration()]);
      for (const version of ['two', 'one', undefined, 'one']) {
        search.reply.datasetVersion = version;
        await send('search');
        versions.push(datasetVersion());
        generations.add(datasetGeneration());
      }
      expect(versions).toEqual([null, 'one', null, 'one']);
      expect(generations.size).toBe(5);
      search.reply.datasetVersion = undefined;
      search.reply.status = 401;
      await expect(send('search')).rejects.toThrow(/401/);
      expect(datasetVersion()).toBe('one');
      expect(generations).toContain(datasetGeneration());
    },
  );
  text.close();
  search.close();
});

test('datasetVersion and versionSkew of the subgraphs ignore a subgraph whose responses have no dataset version, until one of its responses has one', async () => {
  const [text, second, other] = [
    await startSubgraph('one'),
    await startSubgraph('one'),
    await startSubgraph(undefined),
  ];
  const urls = { text: [text.url], second: [second.url], other: [other.url] };
  await withSubgraphs(urls, async ({ datasetVersion, versionSkew }, send) => {
    for (const name of ['text', 'second', 'other']) await send(name);
    expect([datasetVersion(), versionSkew()]).toEqual(['one', null]);
    text.reply.datasetVersion = 'newer';
    await send('text');
    expect([datasetVersion(), versionSkew()]).toEqual([null, { second: ['one'], text: ['newer'] }]);
    text.reply.datasetVersion = 'one';
    await send('text');
    other.reply.datasetVersion = 'two';
    await send('other');
    expect(datasetVersion()).toBeNull();
  });
  for (const subgraph of [text, second, other]) subgraph.close();
});

test.each<[expectation: string, response: string, string | undefined, number, string | null]>([
  ["returns the first replica's version", 'responds with 500', undefined, 500, 'one'],
  ['returns null', 'responds without a dataset version', undefined, 200, null],
  ['returns null', 'responds with another dataset version', 'two', 200, null],
])(
  'with one subgraph that has two replicas, datasetVersion %s if the second replica %s',
  async (_expectation, _response, version, status, expected) => {
    const [first, second] = [await startSubgraph('one'), await startSubgraph(version)];
    second.reply.status = status;
    await withSubgraphs({ text: [first.url, second.url] }, async ({ datasetVersion }, send) => {
      for (let time = 0; time < 4; time += 1) await send('text');
      expect(datasetVersion()).toBe(expected);
    });
    for (const subgraph of [first, second]) subgraph.close();
  },
);
