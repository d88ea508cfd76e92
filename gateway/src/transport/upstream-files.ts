import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createPacer, type Logger } from '@lectern/serving';
import { Agent, type Dispatcher } from 'undici';

export type UpstreamFile = Dispatcher.ResponseData;

/** How long a replica may take to send the headers of a response, in milliseconds. Then the next replica is tried. */
const headersTimeoutMs = 5_000;
/** How long a download may receive no data before it is stopped, in milliseconds. */
const idleMs = 60_000;
const maxConnectionsPerReplica = 512;
/**
 * The time between two parts (64 kB) of all downloads together, in milliseconds. It limits a gateway to about 8 MB/s.
 * undici reads each part into new memory, and V8 collects the whole heap after each 10 MB. Each collection pauses all
 * requests for 7 ms.
 */
const partIntervalMs = 8;

const forwardedRequestHeaders = ['range', 'if-range', 'if-match', 'if-none-match'] as const;
/** Response headers that are not forwarded: they concern one connection, and node sets `date`. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/**
 * Creates functions that fetch and forward files from replicas. `urls` returns the replicas in the order of the
 * attempts. Paths must have no `..` and no percent sign.
 */
export function createUpstreamFiles(urls: () => readonly string[], log: Logger) {
  const agent = new Agent({
    connections: maxConnectionsPerReplica,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleMs,
    connect: { timeout: headersTimeoutMs },
  });

  const pace = createPacer(partIntervalMs);
  // The transform passes on each part as undici has read it. An async iterator would copy waiting parts into new
  // memory.
  const pacedParts = (): Transform =>
    new Transform({ transform: (part: Buffer, _, done) => void pace().then(() => done(null, part)) });

  /** Fetches a file from the first replica that responds. Resolves with null if none responds. */
  async function fetchFile(
    path: string,
    method: 'GET' | 'HEAD',
    headers: IncomingHttpHeaders = {},
  ): Promise<UpstreamFile | null> {
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
    fetch: fetchFile,

    /**
     * Streams a file from a replica at a limited speed. Resolves with false if no replica responds. A client can
     * continue a broken download with a Range header.
     */
    async forward(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
      const headers = Object.fromEntries(forwardedRequestHeaders.map((name) => [name, request.headers[name]]));
      const upstream = await fetchFile(path, request.method === 'HEAD' ? 'HEAD' : 'GET', headers);
      if (!upstream) return false;
      const ownHeaders = Object.entries(upstream.headers).filter(([name]) => !connectionHeaders.has(name));
      response.setTimeout(idleMs, () => response.destroy());
      response.writeHead(upstream.statusCode, Object.fromEntries(ownHeaders));
      // If the replica or the client closes its connection early, `pipeline` closes both.
      await pipeline(upstream.body, pacedParts(), response).catch(() => undefined);
      return true;
    },

    close: () => agent.destroy(),
  };
}

export type UpstreamFiles = ReturnType<typeof createUpstreamFiles>;
