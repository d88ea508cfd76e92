import type { Context } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { RunSpan, Tracing } from './tracing';

export interface TracingOptions {
  /** The process' name among others. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES may give another. */
  service: string;
  /** The collector, as OTEL_EXPORTER_OTLP_ENDPOINT has it: `/v1/traces` is appended. */
  endpoint: string;
  /** Told when the collector takes no spans, once, and when it does again. */
  onCollector: (fault: string | null) => void;
  /** Told of every batch. */
  onSent: (outcome: 'sent' | 'failed', spans: number) => void;
}

/** A process that stops waits this long for its last spans. */
const flushWithinMs = 2_000;

/**
 * Spans sent by OTLP over HTTP to a collector. The standard variables for the sampler, batches, headers and compression are read by OpenTelemetry's own
 * libraries, from the environment.
 *
 * Nothing is registered globally: the engine and other libraries would write spans of their own, and what stands in those nobody here decides. For the
 * same reason W3C baggage is not carried: a client may put anything into it.
 */
export async function startTracing({ service, endpoint, onCollector, onSent }: TracingOptions): Promise<Tracing> {
  // Only now: whoever has it off pays neither the memory nor the time to load it.
  const [
    { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { W3CTraceContextPropagator },
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { defaultResource, detectResources, envDetector, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(watched(exporter, { onCollector, onSent }))],
  });
  const tracer = provider.getTracer('lectern');
  const propagator = new W3CTraceContextPropagator();
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

  const within =
    (parent: Context): RunSpan =>
    async ({ name, kind, attributes, startedAt }, work) => {
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(startedAt !== undefined && { startTime: startedAt }) },
        parent,
      );
      const own = trace.setSpan(parent, span);
      try {
        return await work({
          traceId: span.spanContext().traceId,
          set: (more) => void span.setAttributes(more),
          headers() {
            const headers: Record<string, string> = {};
            propagator.inject(own, headers, defaultTextMapSetter);
            return headers;
          },
          span: within(own),
        });
      } catch (error) {
        span.setAttribute('error.type', kindOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    };

  return {
    on: true,
    from: (headers) => within(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)),
    close: () =>
      Promise.race([
        provider.shutdown(),
        new Promise<void>((resolve) => void setTimeout(resolve, flushWithinMs).unref()),
      ]).catch(() => {}),
  };
}

/** The code of an error of the catalogue, the kind of a peer's fault, or the class of anything else. */
function kindOf(error: unknown): string {
  const { extensions, kind, name } = error as { extensions?: { code?: unknown }; kind?: unknown; name?: unknown };
  return String(extensions?.code ?? kind ?? name ?? 'fault');
}

/** The same exporter, telling how it goes. Its own libraries would tell nobody, or again with every batch. */
function watched(
  exporter: SpanExporter,
  { onCollector, onSent }: Pick<TracingOptions, 'onCollector' | 'onSent'>,
): SpanExporter {
  let isLost = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error } = result;
        const failed = code !== 0;
        onSent(failed ? 'failed' : 'sent', spans.length);
        if (failed !== isLost) onCollector(failed ? faultOf(error) : null);
        isLost = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Node says of a name with several addresses that each was refused, in an error without words of its own. */
const faultOf = (error: (Error & { code?: unknown }) | undefined): string =>
  error?.message || String(error?.code ?? 'no reason given');
