import { createServer, type Server } from 'node:http';
import { silentLogger } from '@lectern/serving';
import { graphqlUrl } from '../../test-support/graphql-url';
import { createHttpSubgraphs } from './http-subgraphs';

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
        ...(reply.status === 401 && { 'www-authenticate': 'Lectern' }),
        ...(reply.datasetVersion !== undefined && { 'x-lectern-dataset-version': reply.datasetVersion }),
      })
      .end('{"data":{"__typename":"Query"}}');
  });
  return { reply, url: await graphqlUrl(server), close: () => server.close() };
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

test('datasetGeneration changes with the dataset version of a subgraph, but not when a subgraph rejects the gateway token', async () => {
  const [text, search] = [await startSubgraph('one'), await startSubgraph('one')];
  await withSubgraphs({ text: [text.url], search: [search.url] }, async ({ datasetGeneration }, send) => {
    await send('text');
    await send('search');
    const generations = new Set([datasetGeneration()]);
    for (const version of ['two', 'one', undefined, 'one']) {
      search.reply.datasetVersion = version;
      await send('search');
      generations.add(datasetGeneration());
    }
    expect(generations.size).toBe(5);
    search.reply.datasetVersion = undefined;
    search.reply.status = 401;
    await expect(send('search')).rejects.toThrow(/401/);
    expect(generations).toContain(datasetGeneration());
  });
  text.close();
  search.close();
});

test('versionSkew ignores a subgraph until one of its responses has a dataset version', async () => {
  const [text, second, other] = [
    await startSubgraph('one'),
    await startSubgraph('one'),
    await startSubgraph(undefined),
  ];
  const urls = { text: [text.url], second: [second.url], other: [other.url] };
  await withSubgraphs(urls, async ({ versionSkew }, send) => {
    for (const name of ['text', 'second', 'other']) await send(name);
    expect(versionSkew()).toBeNull();
    text.reply.datasetVersion = 'newer';
    await send('text');
    expect(versionSkew()).toEqual({ second: ['one'], text: ['newer'] });
    text.reply.datasetVersion = 'one';
    await send('text');
    other.reply.datasetVersion = 'two';
    await send('other');
    expect(versionSkew()).toEqual({ text: ['one'], second: ['one'], other: ['two'] });
  });
  for (const subgraph of [text, second, other]) subgraph.close();
});
