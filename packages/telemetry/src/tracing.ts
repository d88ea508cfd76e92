import { setTimeout } from 'node:timers/promises';
import { httpStatus, isPublicError } from '@lectern/errors';
import type { OutageReporter } from '@lectern/serving';
import type { Context, Span as OpenTelemetrySpan, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { attribute, type SpanAttributes } from './conventions';
import type { ServiceIdentity } from './metrics';

export interface SpanDescription {
  name: string;
  /** `server` handles a request of another process, and `client` sends one. */
  kind: 'server' | 'client' | 'internal';
  attributes: SpanAttributes;
  /** From `Date.now()`, for a span that is created after its work has begun. */
  startedAt?: number;
}

export interface Span {
  /** Log lines contain it too. Null if tracing is off. */
  readonly traceId: string | null;
  /** Whether the sampler chose the request, so that attributes are exported. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  fail(errorType: string): void;
  /** The W3C Trace Context headers for a request to another process. */
  headers(): Record<string, string>;
  /** Runs work in a child span. */
  span: RunSpan;
}

/**
 * Runs the work in a span. A rejection marks the span as failed, unless the client caused it. The
 * span has the error's code or kind, but not its message, which may contain a client's input.
 */
export type RunSpan = <T>(description: SpanDescription, work: (span: Span) => Promise<T>) => Promise<T>;

/** A span is an argument: AsyncLocalStorage would slow down every promise of the process. */
export interface Tracing {
  readonly on: boolean;
  /** Continues the trace that a request's headers name, or begins one. */
  from(headers: Readonly<Record<string, unknown>>): RunSpan;
  /** Sends the remaining spans, and waits at most two seconds. */
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
  /** OTEL_RESOURCE_ATTRIBUTES may set another name and version. */
  identity: ServiceIdentity;
  /** The setting OTEL_EXPORTER_OTLP_ENDPOINT. `/v1/traces` is appended. */
  endpoint: string;
  outage: OutageReporter;
  /** Is called for every batch of spans. */
  onSent: (outcome: 'sent' | 'failed', spans: number) => void;
}

/**
 * Sends spans to a collector by OTLP over HTTP. OpenTelemetry's libraries read the standard
 * variables for the sampler, batches, headers and compression from the environment.
 *
 * Nothing is registered globally: @apollo/gateway and other libraries would add spans with
 * attributes that may contain secrets. W3C baggage is not forwarded, because a client may put
 * anything into it.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const provider = await createProvider(options);
  return {
    on: true,
    from: await createRunSpan(provider.getTracer('lectern')),
    close: () => Promise.race([provider.shutdown(), setTimeout(2_000, undefined, { ref: false })]).catch(() => {}),
  };
}

// The functions below import OpenTelemetry when they are called, so that a process without tracing
// does not load it.

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
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
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
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

  const fail = (span: OpenTelemetrySpan, type: string): void => {
    span.setAttribute(attribute.errorType, type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };

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

/** Returns the code of a public error, the kind of an upstream error, or an error's class. */
function errorType(error: unknown): string {
  const { extensions, kind, name } = error as { extensions?: { code?: unknown }; kind?: unknown; name?: unknown };
  return String(extensions?.code ?? kind ?? name ?? 'error');
}

const isClientError = (error: unknown): boolean => isPublicError(error) && httpStatus(error.extensions.code) < 500;

/** Reports outages. OpenTelemetry itself logs either nothing or every failed batch. */
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

/** If all addresses of a host name refuse connections, node's error has a code but no message. */
const exportErrorMessage = (error: (Error & { code?: unknown }) | undefined): string =>
  error?.message || String(error?.code ?? 'no reason given');
