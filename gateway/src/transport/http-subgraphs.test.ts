import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@lectern/serving';
import { createHttpSubgraphs } from './http-subgraphs';

/** A subgraph that says whatever texts it is told to say; undefined for none. */
async function startSubgraph(corpus: string | undefined) {
  const said = { corpus, status: 200 };
  const server: Server = createServer((_, response) => {
    response
      .writeHead(said.status, {
        'content-type': 'application/json',
        ...(said.corpus !== undefined && { 'x-lectern-corpus': said.corpus }),
      })
      .end('{"data":{"__typename":"Query"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    said,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    close: () => server.close(),
  };
}

/** A gateway's subgraphs with these URLs, and what asks one of them. */
async function withSubgraphs(
  urls: Record<string, readonly string[]>,
  use: (subgraphs: ReturnType<typeof createHttpSubgraphs>, ask: (name: string) => Promise<unknown>) => Promise<void>,
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
  const ask = async (name: string) => fetches.get(name)?.({ query: '{ __typename }' }, { requestId: 'request' });
  try {
    await use(subgraphs, ask);
  } finally {
    await subgraphs.close();
  }
}

test('the texts are known once every subgraph has said that it serves the same', async () => {
  const [text, search] = [await startSubgraph('one'), await startSubgraph('one')];
  await withSubgraphs({ text: [text.url], search: [search.url] }, async ({ datasetVersion }, ask) => {
    expect(datasetVersion()).toBeNull();
    await ask('text');
    await ask('search');
    expect(datasetVersion()).toBe('one');
  });
  text.close();
  search.close();
});

test('a subgraph that says other texts than the others, or none any more, leaves it unknown which; a refusal says nothing', async () => {
  const [text, search] = [await startSubgraph('one'), await startSubgraph('one')];
  await withSubgraphs(
    { text: [text.url], search: [search.url] },
    async ({ datasetVersion, datasetGeneration }, ask) => {
      await ask('text');
      await ask('search');
      const found: unknown[] = [];
      const numbers = new Set([datasetGeneration()]);
      for (const said of ['two', 'one', undefined, 'one']) {
        search.said.corpus = said;
        await ask('search');
        found.push(datasetVersion());
        numbers.add(datasetGeneration());
      }
      expect(found).toEqual([null, 'one', null, 'one']);
      expect(numbers.size).toBe(5);
      search.said.corpus = undefined;
      search.said.status = 401;
      await expect(ask('search')).rejects.toThrow(/401/);
      expect(datasetVersion()).toBe('one');
      expect(numbers).toContain(datasetGeneration());
    },
  );
  text.close();
  search.close();
});

test.each<[string, string | undefined, number, string | null]>([
  ['refuses to answer', undefined, 500, 'one'],
  ['answers and names no texts', undefined, 200, null],
  ['names other texts', 'two', 200, null],
])(
  'beside a replica that %s, the texts are known or not as what it answers may be given for theirs',
  async (_, named, status, known) => {
    const [here, beside] = [await startSubgraph('one'), await startSubgraph(named)];
    beside.said.status = status;
    await withSubgraphs({ text: [here.url, beside.url] }, async ({ datasetVersion }, ask) => {
      for (let time = 0; time < 4; time += 1) await ask('text');
      expect(datasetVersion()).toBe(known);
    });
    for (const subgraph of [here, beside]) subgraph.close();
  },
);
