import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@lectern/serving';
import { createPacer } from '@lectern/serving';
import { Agent, type Dispatcher } from 'undici';

export interface UpstreamFilesOptions {
  /** Returns the URLs of the replicas that serve the files, the best first. */
  urls: () => readonly string[];
  log: Logger;
}

/** The time for the headers of a response, in milliseconds. Then the next replica is tried. */
const headersTimeoutMs = 5_000;
/** The time for which a download may stand still, in milliseconds. */
const idleMs = 60_000;
const maxConnectionsPerReplica = 512;
/**
 * The time between two parts of all downloads, in milliseconds: about 8 MB/s in one gateway, at 64 kB for each part.
 * undici reads each part into new memory, and V8 collects the whole heap after each 10 MB of that. Every request waits
 * for these pauses of 7 ms, so a gateway sends less than a process that reads the files itself.
 */
const partIntervalMs = 8;

const forwardedRequestHeaders = ['range', 'if-range', 'if-match', 'if-none-match'] as const;
/** Headers that concern one connection only. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** A path that `new URL` leaves as it is: no dots, no escapes, no empty parts. */
const plainPath = /^(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/;

/**
 * Creates the handler that streams files from a subgraph to the client. Only a request without a response is sent to
 * another replica: a client continues a download that breaks off with a Range request.
 */
export function createUpstreamFiles({ urls, log }: UpstreamFilesOptions) {
  const agent = new Agent({
    connections: maxConnectionsPerReplica,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleMs,
    connect: { timeout: headersTimeoutMs },
  });

  const pace = createPacer(partIntervalMs);
  // A transform gets each part as undici read it. An async iterator would join waiting parts in new memory.
  const pacedParts = (): Transform =>
    new Transform({ transform: (part: Buffer, _, done) => void pace().then(() => done(null, part)) });

  async function fetchFile(request: IncomingMessage, path: string): Promise<Dispatcher.ResponseData | null> {
    const headers: Record<string, string> = {};
    for (const name of forwardedRequestHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod;
    for (const url of urls()) {
      try {
        return await agent.request({ origin: new URL(url).origin, path, method, headers });
      } catch (error) {
        log.warn({ err: error, url, path }, 'a replica did not send a file');
      }
    }
    return null;
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
      // The subgraph responds 404 to other paths too. They are not sent to it, because it would decode them again.
      const upstream = plainPath.test(path) ? await fetchFile(request, path) : 'not-found';
      if (upstream === 'not-found') return sendMessage(response, 404, 'There is no such file.');
      if (upstream === null)
        return sendMessage(response, 503, 'The file cannot be read at the moment. Try again later.');
      const headers: OutgoingHttpHeaders = {};
      for (const [name, value] of Object.entries(upstream.headers))
        if (!connectionHeaders.has(name)) headers[name] = value;
      response.setTimeout(idleMs, () => response.destroy());
      response.writeHead(upstream.statusCode, headers);
      // Either side may break off. `pipeline` then closes the other.
      await pipeline(upstream.body, pacedParts(), response).catch(() => undefined);
    },
    close: () => agent.destroy(),
  };
}

function sendMessage(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'access-control-allow-origin': '*',
      ...(status === 503 && { 'retry-after': '5' }),
    })
    .end(response.req.method === 'HEAD' ? undefined : `${message}\n`);
}
