import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry } from 'prom-client';
import type { MetricsRegistry, MetricValues, ReadableMetrics } from './metrics';

const request = { readMetrics: true };

interface MetricsMessage {
  readonly metrics: MetricValues;
}

/** How long the primary process waits for a worker, in milliseconds. Then it uses the last metrics that it received. */
const responseWithinMs = 2_000;

/** Sends the metrics of this worker whenever the primary requests them, and a last time when called. */
export function shareMetrics(registry: MetricsRegistry): () => Promise<void> {
  const sendMetrics = async (): Promise<void> => {
    const message: MetricsMessage = { metrics: await registry.values() };
    await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
  };
  process.on('message', (message: Partial<typeof request>) => {
    if (message.readMetrics) void sendMetrics();
  });
  return sendMetrics;
}

/**
 * Sums metrics, but for gauges with another `aggregator`. Counters of ended workers stay, because a falling total looks
 * like a jump to Prometheus. prom-client's own `clusterMetrics` forgets them, and fails if one worker does not respond.
 */
export function createWorkerMetrics(own: MetricsRegistry): ReadableMetrics {
  /** The metrics that each worker has sent last, by the id of the worker. */
  const latest = new Map<number, MetricValues>();
  let ended: object[] = [];

  cluster.on('message', ({ id }, { metrics }: Partial<MetricsMessage>) => {
    if (metrics) latest.set(id, metrics);
  });

  const requestMetrics = async (worker: Worker): Promise<void> => {
    const response = once(worker, 'message', { signal: AbortSignal.timeout(responseWithinMs) });
    // A worker that has just ended gets no message, and so sends no response.
    worker.send(request, () => undefined);
    await response.catch(() => undefined);
  };

  /** Moves the counters of ended workers from `latest` to `ended`. */
  const addEnded = (): void => {
    for (const [id, metrics] of latest) {
      if (cluster.workers?.[id]) continue;
      latest.delete(id);
      // `type` is a string at run time, although prom-client declares a number.
      const counters = metrics.filter(({ type }) => String(type) !== 'gauge');
      ended = AggregatorRegistry.aggregate([ended, counters]).getMetricsAsArray();
    }
  };

  return {
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && requestMetrics(worker)));
      const ownValues = await own.values();
      addEnded();
      return AggregatorRegistry.aggregate([ownValues, ended, ...latest.values()]).metrics();
    },
  };
}
