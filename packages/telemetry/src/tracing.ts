import { setTimeout } from 'node:timers/promises';
import { httpStatus, isPublicError } from '@lectern/errors';
import type { OutageReporter } from '@lectern/serving';
import type { Context, Span as OpenTelemetrySpan, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { attribute, type SpanAttributes } from './conventions';
import type { ServiceIdentity } from './metrics';

interface SpanDescription {
  name: string;
  /** The kind of the span: `server` handles a request, `client` sends a request. */
  kind: 'server' | 'client';
  attributes: SpanAttributes;
  /** The start time on the clock of `Date.now()`, for a span that is created after its work has begun. */
  startedAt?: number;
}

export interface Span {
  /** The id of the trace, which log lines contain too. Null if tracing is off. */
  readonly traceId: string | null;
  /** Whether the sampler chose the request, so that attributes are exported. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  fail(errorType: string): void;
  /** Returns the W3C Trace Context headers for a request to another process. */
  headers(): Record<string, string>;
  /** Runs work in a child of this span. */
  span: RunSpan;
}

/**
 * Runs work in a span, which fails if the promise rejects, unless the client caused the error. The span has the code of
 * the error, not its message, which may contain input of the client.
 */
type RunSpan = <T>(description: SpanDescription, work: (span: Span) => Promise<T>) => Promise<T>;

/** Spans are arguments, because AsyncLocalStorage would slow down every promise of the process. */
export interface Tracing {
  readonly on: boolean;
  /** Returns the function that runs work in a span, which continues the trace in the headers or begins a trace. */
  from(headers: Readonly<Record<string, unknown>>): RunSpan;
  /** Sends the remaining spans. Waits at most two seconds. */
  close(): Promise<void>;
}

export const noSpan: Span = {
  traceId: null,
  isRecorded: false,
  set: () => {},
  rename: () => {},
  fail: () => {},
  headers: () => ({}),
  span: (_description, work) => work(noSpan),
};

export const noTracing: Tracing = { on: false, from: () => noSpan.span, close: async () => {} };

interface TracingOptions {
  /** The name and version of the process. OTEL_RESOURCE_ATTRIBUTES may replace them. */
  identity: ServiceIdentity;
  /** The value of the setting OTEL_EXPORTER_OTLP_ENDPOINT. `/v1/traces` is appended. */
  endpoint: string;
  outage: OutageReporter;
  /** Called for each batch of spans. */
  onSent: (outcome: 'sent' | 'failed', spans: number) => void;
}

/**
 * Sends spans to a collector by OTLP over HTTP. OpenTelemetry's libraries read the standard environment variables.
 * Nothing is registered globally, because libraries would add spans with secrets. W3C baggage, in which a client may
 * put anything, is not forwarded.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const provider = await createProvider(options);
  return {
    on: true,
    from: await createRunSpan(provider.getTracer('lectern')),
    close: () => Promise.race([provider.shutdown(), setTimeout(2_000, undefined, { ref: false })]).catch(() => {}),
  };
}

// OpenTelemetry is imported below, so that a process without tracing does not load it.

async function createProvider({ identity, endpoint, outage, onSent }: TracingOptions) {
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { defaultResource, detectResources, envDetector, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces` });
  return new BasicTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          [attribute.serviceName]: identity.service,
          ...(identity.version !== null && { [attribute.serviceVersion]: identity.version }),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(observeExporter(exporter, { outage, onSent }))],
  });
}

async function createRunSpan(tracer: Tracer): Promise<Tracing['from']> {
  const [
    { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { W3CTraceContextPropagator },
  ] = await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/core')]);
  const propagator = new W3CTraceContextPropagator();
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

  const fail = (span: OpenTelemetrySpan, type: string): void => {
    span.setAttribute(attribute.errorType, type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };

  const within =
    (parent: Context): RunSpan =>
    async ({ name, kind, attributes, startedAt }, work) => {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, startTime: startedAt }, parent);
      const own = trace.setSpan(parent, span);
      try {
        return await work({
          traceId: span.spanContext().traceId,
          isRecorded: span.isRecording(),
          set: (more) => void span.setAttributes(more),
          rename: (newName) => void span.updateName(newName),
          fail: (type) => fail(span, type),
          headers() {
            const headers: Record<string, string> = {};
            propagator.inject(own, headers, defaultTextMapSetter);
            return headers;
          },
          span: within(own),
        });
      } catch (error) {
        if (isClientError(error)) span.setAttribute(attribute.errorType, errorType(error));
        else fail(span, errorType(error));
        throw error;
      } finally {
        span.end();
      }
    };

  return (headers) => within(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));
}

/** Returns the code of a public error, the kind of an upstream error, or the name of the error's class. */
function errorType(error: unknown): string {
  const { extensions, kind, name } = error as { extensions?: { code?: unknown }; kind?: unknown; name?: unknown };
  return String(extensions?.code ?? kind ?? name ?? 'error');
}

const isClientError = (error: unknown): boolean => isPublicError(error) && httpStatus(error.extensions.code) < 500;

/** Wraps an exporter to report outages. OpenTelemetry itself logs either nothing or each failed batch. */
function observeExporter(
  exporter: SpanExporter,
  { outage, onSent }: Pick<TracingOptions, 'outage' | 'onSent'>,
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error } = result;
        onSent(code === 0 ? 'sent' : 'failed', spans.length);
        if (code === 0) outage.end();
        else outage.begin(exportErrorMessage(error));
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** If all addresses of a host name refuse connections, the error has only a code. */
const exportErrorMessage = (error: (Error & { code?: unknown }) | undefined): string =>
  error?.message || String(error?.code ?? 'no reason given');
