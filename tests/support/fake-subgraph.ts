import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@lectern/serving';

/** Returns the error of a field whose subgraph does not respond. */
export const unavailableAt = (...path: (string | number)[]) => ({
  message: 'This part of the graph is temporarily unavailable. Please try again later.',
  locations: expect.any(Array) as unknown,
  path,
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
});

export interface FakeSubgraph {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server in the place of a subgraph. The server responds to the gateway's probes itself, and leaves each
 * other request with its body to `respond`.
 */
export async function startFakeSubgraph(
  respond: (response: ServerResponse, request: IncomingMessage, body: string) => void,
): Promise<FakeSubgraph> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (!body.includes('__typename')) return respond(response, request, body);
    return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"__typename":"Query"}}');
  });
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  return { origin: `http://127.0.0.1:${port}`, close: () => close({ graceMs: 0 }) };
}
