import { createServer } from 'node:http';
import type { Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import type { ReadableMetrics } from './metrics';

/** Serves GET /metrics on a separate port, so that clients of the API cannot reach the metrics. */
export function serveMetrics(
  metrics: ReadableMetrics,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else {
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  return listen(server, { host, port, setting: 'METRICS_PORT' });
}
