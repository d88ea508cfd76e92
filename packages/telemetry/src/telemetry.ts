import type { Logger } from '@lectern/serving';
import { EnvError, host, makeValidator, str } from 'envalid';
import { createMetrics, silentMetrics } from './metrics';
import type { Metrics } from './metrics';
import { serveMetrics } from './serve-metrics';
import { noTracing, startTracing } from './tracing';
import type { Tracing } from './tracing';

const portOrNone = makeValidator((text: string) => {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new EnvError(`${JSON.stringify(text)} is no port`);
  return number;
});

/** What every process reads about being seen from outside. */
export const telemetrySettings = {
  METRICS_PORT: portOrNone({ default: 0, desc: 'The port where Prometheus reads /metrics; 0 for none.' }),
  METRICS_HOST: host({ default: '127.0.0.1', desc: 'The address that the metrics are served on. Whoever reaches it can read them.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: str({ default: '', desc: 'The OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as http://collector:4318. Empty: no traces.' }),
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

/** Metrics and traces as far as they are asked for. */
export async function openTelemetry({ service, config, log }: { service: string; config: TelemetryConfig; log: Logger }): Promise<Telemetry> {
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? noTracing : await startTracing({ service, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  if (config.METRICS_PORT === 0) return { metrics: silentMetrics, tracing, close: () => tracing.close() };
  const metrics = createMetrics({ service });
  const listening = await serveMetrics(metrics, { host: config.METRICS_HOST, port: config.METRICS_PORT });
  log.info({ host: listening.host, port: listening.port }, 'metrics are served');
  return {
    metrics,
    tracing,
    async close() {
      await listening.close(0);
      await tracing.close();
    },
  };
}
