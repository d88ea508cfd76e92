import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { silentLogger } from '@lectern/serving';
import { createHttpSubgraphs } from './http-subgraphs';

/** Sends a query to a subgraph that closes every connection. Resolves to the number of requests that it received. */
async function requestsFor(query: string): Promise<number> {
  let received = 0;
  const server = createServer(async (request) => {
    // Before the first request, the subgraph receives a probe.
    if ((await text(request)).includes(JSON.stringify(query))) received += 1;
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { subgraph, close } = createHttpSubgraphs({
    urls: '',
    secrets: '',
    timeoutMs: 5_000,
    hedgeMs: 5_000,
    connections: 1,
    log: silentLogger,
  });
  const fetch = subgraph('text', `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`);
  await expect(async () => fetch({ query }, { requestId: 'request' })).rejects.toMatchObject({ kind: 'unreachable' });
  await close();
  server.close();
  return received;
}

test('the gateway retries a query once after a closed connection, and never retries a mutation', async () => {
  expect(await requestsFor('{ languages { code } }')).toBe(2);
  expect(await requestsFor('mutation { change }')).toBe(1);
});
