import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Sent {
  method?: string;
  /** Name, value, name, value ... exactly as they go out, also twice the same. */
  headers?: readonly string[];
  body?: string | Buffer;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON. Throws when it is none. */
  json(): unknown;
}

/** One HTTP request without the courtesies of a client library: nothing is added but Host and what frames the body. */
export function send(url: string, { method = 'POST', headers = [], body }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const framing =
      body === undefined || headers.some((header) => /^(content-length|transfer-encoding)$/i.test(header))
        ? []
        : ['Content-Length', String(Buffer.byteLength(body))];
    const outgoing = request(
      url,
      { method, headers: ['Host', host, ...headers, ...framing], agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
