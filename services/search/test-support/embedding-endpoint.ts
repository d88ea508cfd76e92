import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@lectern/serving';

type Respond = (response: ServerResponse, texts: string[]) => void;

const dimensions = 384;

/** Returns a vector made from the hash of the text, so that equal texts have equal vectors. */
const vectorOf = (text: string): number[] => {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: dimensions }, (_, at) => (bytes[at % bytes.length] ?? 0) - 127.5 + at);
};

export const respondWithVectors: Respond = (response, texts) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })) }));
};

/**
 * Starts an embedding endpoint whose responses a test sets with `respondWith`. The endpoint records
 * the texts that it receives. By default it listens on a free port.
 */
export async function startEmbeddingEndpoint(onPort = 0) {
  const receivedTexts: string[] = [];
  let respond = respondWithVectors;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        // The search subgraph probes an endpoint by requesting its list of models.
        if (request.method === 'GET') return void response.end('{"object":"list","data":[]}');
        const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] };
        receivedTexts.push(...input);
        return respond(response, input);
      });
  });
  const { port, close } = await listen(server, { host: '127.0.0.1', port: onPort });
  return {
    receivedTexts,
    url: `http://127.0.0.1:${port}/v1`,
    respondWith(nextRespond: Respond): void {
      respond = nextRespond;
    },
    close: () => {
      server.closeAllConnections();
      return close({ graceMs: 0 });
    },
  };
}
