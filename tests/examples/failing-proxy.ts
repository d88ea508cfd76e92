import { request, type ServerResponse } from 'node:http';
import { listen } from '../support/example-reader';

/** A failure of downloads that a test can set. */
type Failure = 'none' | 'stops after the first bytes' | 'changes a byte';

/**
 * Starts a proxy that forwards requests for offline packages to the service, with the failure that
 * is set.
 */
export async function startPackageDownloadProxy(target: () => string) {
  const requests: { range: string | undefined; authorization: string | undefined }[] = [];
  const stopped = new Set<ServerResponse>();
  let failure: Failure = 'none';
  const server = await listen(({ url = '', method = '', headers }, response) => {
    const { range, authorization } = headers;
    if (method === 'GET') requests.push({ range, authorization });
    request(`${target()}${url}`, { method, headers, agent: false }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.on('data', (chunk: Buffer) => {
        if (failure === 'changes a byte') chunk[0] = 255 - (chunk[0] ?? 0);
        response.write(chunk);
        if (failure !== 'stops after the first bytes') return;
        stopped.add(response);
        upstream.destroy();
      });
      upstream.on('end', () => response.end());
    }).end();
  });
  return {
    ...server,
    requests,
    setFailure: (next: Failure): void => {
      failure = next;
    },
    /** Closes the connections of the downloads that stopped after their first bytes. */
    cutOff: (): void => stopped.forEach((response) => response.destroy()),
  };
}

export type PackageDownloadProxy = Awaited<ReturnType<typeof startPackageDownloadProxy>>;
