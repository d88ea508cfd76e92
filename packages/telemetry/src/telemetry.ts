import type { Logger } from '@lectern/serving';
import { EnvError, host, makeValidator } from 'envalid';
import { createMetrics, silentMetrics } from './metrics';
import type { Metrics, MetricValues } from './metrics';
import { serveMetrics } from './serve-metrics';
import { noTracing } from './tracing';
import type { Tracing } from './tracing';

const portOrNone = makeValidator((text: string) => {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new EnvError(`${JSON.stringify(text)} is no port`);
  return number;
});

/** What every process reads about its metrics. */
export const metricsSettings = {
  METRICS_PORT: portOrNone({ default: 0, desc: 'The port where Prometheus reads /metrics; 0 for none.' }),
  METRICS_HOST: host({ default: '127.0.0.1', desc: 'The address that the metrics are served on. Whoever reaches it can read them.' }),
};

export interface TelemetryConfig {
  METRICS_PORT: number;
  METRICS_HOST: string;
}

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  close(): Promise<void>;
}

export const noTelemetry: Telemetry = { metrics: silentMetrics, tracing: noTracing, close: async () => {} };

export interface TelemetryOptions {
  service: string;
  config: TelemetryConfig;
  /** In a worker: hands the metrics to the process that serves those of all workers, rather than serve them here. Returns what hands them over a last time. */
  share?: (read: () => Promise<MetricValues>) => () => Promise<void>;
  log: Logger;
}

/** Metrics and traces as far as they are asked for. */
export async function openTelemetry({ service, config, share, log }: TelemetryOptions): Promise<Telemetry> {
  // Traces have no setting yet: that they arrive at a collector is not shown by a test.
  const tracing = noTracing;
  if (config.METRICS_PORT === 0) return { metrics: silentMetrics, tracing, close: () => tracing.close() };
  const metrics = createMetrics({ service });
  if (share) {
    const handOver = share(() => metrics.values());
    return {
      metrics,
      tracing,
      async close() {
        await handOver();
        await tracing.close();
      },
    };
  }
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
