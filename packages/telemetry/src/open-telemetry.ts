import type { Logger } from '@lectern/serving';
import { address, httpUrl, wholeNumber } from '@lectern/serving';
import { EnvError, makeValidator, str } from 'envalid';
import type { Metrics, MetricsRegistry, MetricValues } from './metrics';
import { createMetrics, silentMetrics } from './metrics';
import { serveMetrics } from './serve-metrics';
import { startTracing } from './start-tracing';
import type { Tracing } from './tracing';
import { noTracing } from './tracing';

const portOrNone = wholeNumber(0, 65_535);

const partOfOne = makeValidator((text: string) => {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) throw new EnvError('must be a number from 0 to 1');
  return number;
});

const samplers = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
  'always_on',
  'traceidratio',
  'always_off',
];

/** What every process reads about its metrics and traces. */
export const telemetrySettings = {
  METRICS_PORT: portOrNone({ default: 0, desc: 'The port where Prometheus reads /metrics; 0 for none.' }),
  METRICS_HOST: address({
    default: '127.0.0.1',
    desc: 'The address that the metrics are served on. Whoever reaches it can read them.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: '',
    desc: 'The OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as http://collector:4318; /v1/traces is appended. Empty: no traces.',
  }),
  OTEL_SERVICE_NAME: str({
    default: '',
    desc: 'What traces call this process. Empty: lectern- and its name, such as lectern-gateway.',
  }),
  OTEL_TRACES_SAMPLER: str({
    default: 'parentbased_always_on',
    choices: samplers,
    desc: "Which requests are traced: parentbased ones follow the client's traceparent where it sends one.",
  }),
  OTEL_TRACES_SAMPLER_ARG: partOfOne({
    default: 1,
    desc: 'With a sampler of ratios: the share of requests that are traced, from 0 to 1.',
  }),
};

export interface TelemetryConfig {
  METRICS_PORT: number;
  METRICS_HOST: string;
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
}

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  close(): Promise<void>;
}

export const noTelemetry: Telemetry = { metrics: silentMetrics, tracing: noTracing, close: async () => {} };

export interface TelemetryOptions {
  /** The process' name: gateway, text ... */
  service: string;
  config: TelemetryConfig;
  /** In a worker: hands the metrics to the process that serves those of all workers, rather than serve them here. Returns what hands them over a last time. */
  share?: (read: () => Promise<MetricValues>) => () => Promise<void>;
  log: Logger;
}

/** Metrics and traces as far as they are asked for. */
export async function openTelemetry({ service, config, share, log }: TelemetryOptions): Promise<Telemetry> {
  const registry = config.METRICS_PORT === 0 ? null : createMetrics({ service });
  const metrics: Metrics = registry ?? silentMetrics;
  const endMetrics =
    registry && (share ? share(() => registry.values()) : await servedMetrics(registry, { config, log }));
  const tracing =
    config.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? noTracing : await openTracing({ service, config, log }, metrics);
  return {
    metrics,
    tracing,
    async close() {
      await tracing.close();
      await endMetrics?.();
    },
  };
}

/** Returns what ends it. */
async function servedMetrics(
  registry: MetricsRegistry,
  { config, log }: Pick<TelemetryOptions, 'config' | 'log'>,
): Promise<() => Promise<void>> {
  const listening = await serveMetrics(registry, { host: config.METRICS_HOST, port: config.METRICS_PORT });
  log.info({ host: listening.host, port: listening.port }, 'metrics are served');
  return () => listening.close(0);
}

async function openTracing(
  { service, config: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, log }: TelemetryOptions,
  metrics: Metrics,
): Promise<Tracing> {
  const sent = metrics.counter({
    name: 'lectern_spans_total',
    help: 'Spans for the collector, by whether it took them.',
    labels: ['outcome'],
  });
  // Without what may stand before the @ of a URL.
  const { origin } = new URL(endpoint);
  return startTracing({
    service: service === 'lectern' ? service : `lectern-${service}`,
    endpoint,
    onSent: (outcome, spans) => sent({ outcome }, spans),
    onCollector: (fault) =>
      fault === null
        ? log.info({ collector: origin }, 'the collector takes traces again')
        : log.warn({ collector: origin, fault }, 'the collector takes no traces: they are lost until it does'),
  });
}
