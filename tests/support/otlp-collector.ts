import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { listen } from '@lectern/serving';

export interface ReceivedSpan {
  service: string;
  name: string;
  /** OpenTelemetry's number for the kind of the span: 2 is a server span, 3 is a client span. */
  kind: number;
  traceId: string;
  spanId: string;
  /** The id of the parent span. Empty for the root span of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** OpenTelemetry's status of the span: `code` is 2 if the span has an error, else 0. */
  status: { code: number };
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'service' | 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

const objectOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/**
 * Starts an OpenTelemetry collector that records the traces that services send as OTLP JSON to
 * POST /v1/traces. `respond` may imitate a collector that fails. Listens by default on a free port.
 */
export async function startOtlpCollector(
  respond: (response: ServerResponse) => void = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  listenPort = 0,
) {
  const exports: string[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      paths.add(`${request.method} ${request.url}`);
      exports.push(Buffer.concat(chunks).toString('utf8'));
      respond(response);
    });
  });
  const { port } = await listen(server, { host: '127.0.0.1', port: listenPort });
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    /** Returns the bodies of all received requests, joined by line feeds. */
    written: (): string => exports.join('\n'),
    exports: (): number => exports.length,
    /** The attributes of each received resource whose `service.name` is `service`. */
    resources: (service: string): Record<string, unknown>[] =>
      exports
        .flatMap((text) => (JSON.parse(text) as Export).resourceSpans)
        .map(({ resource }) => objectOf(resource.attributes))
        .filter((attributes) => attributes['service.name'] === service),
    spans: (): ReceivedSpan[] =>
      exports
        .flatMap((text) => (JSON.parse(text) as Export).resourceSpans)
        .flatMap(({ resource, scopeSpans }) => {
          const service = String(objectOf(resource.attributes)['service.name']);
          return scopeSpans
            .flatMap(({ spans }) => spans)
            .map((span) => ({
              ...span,
              service,
              parentSpanId: span.parentSpanId ?? '',
              attributes: objectOf(span.attributes),
            }));
        }),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

export type OtlpCollector = Awaited<ReturnType<typeof startOtlpCollector>>;
