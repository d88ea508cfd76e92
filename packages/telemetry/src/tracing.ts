import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';

export type SpanOf = 'server' | 'client' | 'internal';

/** Spans of what is under way. Where tracing is off, the work is done and nothing else. */
export interface Tracing {
  readonly on: boolean;
  /** Runs the work within a span. A rejection marks it as failed; what `attributes` holds must never be a key or a query's text. */
  span<T>(name: string, kind: SpanOf, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** The headers that carry the span under way to another process, as W3C Trace Context writes them. */
  outgoing(): Record<string, string>;
  /** Runs the work as part of what the headers of a request name. */
  incoming<T>(headers: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T>;
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  on: false,
  span: (_name, _kind, _attributes, work) => work(),
  outgoing: () => ({}),
  incoming: (_headers, work) => work(),
  close: async () => {},
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const flushWithinMs = 3_000;

/**
 * Spans sent by OTLP over HTTP to a collector (`endpoint`, as OTEL_EXPORTER_OTLP_ENDPOINT has it; `/v1/traces` is appended).
 * Further settings of OpenTelemetry (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES) are read by its own libraries.
 */
export async function startTracing({ service, endpoint }: { service: string; endpoint: string }): Promise<Tracing> {
  // Only now: whoever has it off pays neither the memory nor the time to load it.
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes, defaultResource }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'), import('@opentelemetry/exporter-trace-otlp-http'), import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: flushWithinMs });
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  const tracer = trace.getTracer('lectern');

  return {
    on: true,
    span: (name, kind, attributes, work) => tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, async (span) => {
      try {
        return await work();
      } catch (error) {
        // The kind of fault, not its words: they may hold what a client sent.
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'fault' });
        throw error;
      } finally {
        span.end();
      }
    }),
    outgoing() {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return headers;
    },
    incoming: (headers, work) => context.with(propagation.extract(context.active(), headers), work),
    close: () => Promise.race([provider.shutdown(), new Promise<void>((resolve) => setTimeout(resolve, flushWithinMs).unref())]).catch(() => {}),
  };
}
