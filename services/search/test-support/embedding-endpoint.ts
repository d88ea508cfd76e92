import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { listen } from '@lectern/serving';

type Respond = (response: ServerResponse, texts: string[]) => void;

const dimensions = 384;

const rowOf = (text: string): number[] => {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: dimensions }, (_, at) => (bytes[at % bytes.length] ?? 0) - 127.5 + at);
};

export const vectorsFor: Respond = (response, texts) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: rowOf(text) })) }));
};

/** An endpoint that does what a test tells it to, and remembers which texts it was sent. */
export async function startEndpoint() {
  const asked: string[] = [];
  let respond = vectorsFor;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const { input } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { input: string[] };
        asked.push(...input);
        respond(response, input);
      });
  });
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    asked,
    url: `http://127.0.0.1:${port}/v1`,
    respondWith(how: Respond): void {
      respond = how;
    },
    close: () => {
      server.closeAllConnections();
      return close(0);
    },
  };
}
