import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface RequestOptions {
  method?: string;
  /**
   * The headers as alternating names and values, which are sent unchanged, repeated names included.
   */
  headers?: readonly string[];
  body?: string | Buffer;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as the server sent it, for example compressed. */
  bytes: Buffer;
  text: string;
  /** Parses the body. Throws a SyntaxError if the body is not JSON. */
  json(): unknown;
}

/** Uses a new connection. Adds only the headers Host, Connection and Content-Length. */
export function send(url: string, { method = 'POST', headers = [], body }: RequestOptions = {}): Promise<HttpResponse> {
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
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
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

/** How long a process sends one report of /ready to all who ask, in milliseconds, with some time to spare. */
const sharedReportMs = 260;

/** Sends GET /ready when no earlier report of the process is sent any more. */
export async function sendReady(origin: string, query = ''): Promise<HttpResponse> {
  await pause(sharedReportMs);
  return send(`${origin}/ready${query}`, { method: 'GET' });
}
