import { address, createOutageReporter, httpUrl, isWorker, type Logger, wholeNumber } from '@lectern/serving';
import { EnvError, makeValidator, str } from 'envalid';
import {
  createMetrics,
  type Metrics,
  type ReadableMetrics,
  readServiceIdentity,
  serveMetrics,
  silentMetrics,
} from './metrics';
import { noTracing, startTracing, type Tracing } from './tracing';
import { createWorkerMetrics, shareMetrics } from './workers';

const ratio = makeValidator((text: string) => {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) throw new EnvError('must be a number from 0 to 1');
  return number;
});

const rootSamplers = ['always_on', 'traceidratio', 'always_off'];

/** The settings of metrics, for a process that writes no traces. */
export const metricsSettings = {
  METRICS_PORT: wholeNumber(0, 65_535)({ default: 0, desc: 'The port where Prometheus reads /metrics; 0 for none.' }),
  METRICS_HOST: address({
    default: '127.0.0.1',
    desc: 'The address on which the metrics are served. Everybody who can reach it can read them.',
  }),
  OTEL_SERVICE_NAME: str({
    default: '',
    desc: 'The service name in metrics and traces. If empty, lectern- and the name of the process, such as lectern-gateway.',
  }),
};

export const telemetrySettings = {
  ...metricsSettings,
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: '',
    desc: 'The OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://collector:4318; /v1/traces is appended. If empty, there are no traces.',
  }),
  OTEL_TRACES_SAMPLER: str({
    default: 'parentbased_always_on',
    choices: [...rootSamplers.map((name) => `parentbased_${name}`), ...rootSamplers],
    desc: "The sampler, which decides what requests are traced. The parentbased samplers follow the client's traceparent header.",
  }),
  OTEL_TRACES_SAMPLER_ARG: ratio({
    default: 1,
    desc: 'The share of requests that are traced, from 0 to 1, for the samplers with traceidratio.',
  }),
};

export interface TelemetryConfig {
  METRICS_PORT: number;
  METRICS_HOST: string;
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  OTEL_SERVICE_NAME: string;
}

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  close(): Promise<void>;
}

export const noTelemetry: Telemetry = { metrics: silentMetrics, tracing: noTracing, close: async () => {} };

interface TelemetryOptions {
  /** The name of the process, such as `gateway` or `text`. */
  service: string;
  config: TelemetryConfig;
  log: Logger;
}

/** Starts metrics and tracing. The primary process serves those of workers. Rejects if the port is in use. */
export async function startTelemetry({ service, config, log }: TelemetryOptions): Promise<Telemetry> {
  const identity = readServiceIdentity(service, config.OTEL_SERVICE_NAME);
  const registry = config.METRICS_PORT === 0 ? null : createMetrics(identity);
  const metrics: Metrics = registry ?? silentMetrics;
  const closeMetrics =
    registry && (isWorker() ? shareMetrics(registry) : await startMetricsServer(registry, config, log));
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === '') return { metrics, tracing: noTracing, close: async () => closeMetrics?.() };
  const sent = metrics.counter({
    name: 'lectern_spans_total',
    help: 'Spans sent to the collector, by outcome (sent, failed).',
    labels: ['outcome'],
  });
  const tracing = await startTracing({
    identity,
    endpoint,
    onSent: (outcome, spans) => sent({ outcome }, spans),
    // Only the origin of the endpoint is logged, because it contains no user and password.
    outage: createOutageReporter(log, outageMessages, { collector: new URL(endpoint).origin }),
  });
  return {
    metrics,
    tracing,
    async close() {
      await tracing.close();
      await closeMetrics?.();
    },
  };
}

const outageMessages = {
  began: 'the collector accepts no traces: spans are dropped until it does',
  ended: 'the collector accepts traces again',
};

interface WorkersTelemetryOptions extends TelemetryOptions {
  config: TelemetryConfig & { WORKERS: number };
  /** Returns the number of workers that serve requests. */
  ready: () => number;
}

/** Serves the metrics of a primary process and its workers as the settings say, until the process ends. */
export async function startWorkersTelemetry({ service, config, ready, log }: WorkersTelemetryOptions): Promise<void> {
  if (config.METRICS_PORT === 0) return;
  const metrics = createMetrics(readServiceIdentity(service, config.OTEL_SERVICE_NAME));
  metrics.gauge({ name: 'lectern_workers', help: 'Worker processes that serve requests.' }, () => [
    { labels: {}, value: ready() },
  ]);
  metrics.gauge({ name: 'lectern_workers_configured', help: 'Worker processes that WORKERS asks for.' }, () => [
    { labels: {}, value: config.WORKERS },
  ]);
  await startMetricsServer(createWorkerMetrics(metrics), config, log);
}

/** Starts the server for metrics. Returns the function that stops the server. */
async function startMetricsServer(
  metrics: ReadableMetrics,
  config: TelemetryConfig,
  log: Logger,
): Promise<() => Promise<void>> {
  const { host, port, close } = await serveMetrics(metrics, { host: config.METRICS_HOST, port: config.METRICS_PORT });
  log.info({ host, port }, 'metrics are served');
  return () => close({ graceMs: 0 });
}
