import { AggregatorRegistry } from 'prom-client';
import type { MetricValues, ReadableMetrics } from './metrics';

/**
 * Sums the metrics of several worker processes: counters, histograms and gauges. Metrics that
 * cannot be summed, such as a lag or a version, are aggregated by the `aggregator` that they
 * declare.
 */
export const summedMetrics = (read: () => Promise<readonly MetricValues[]>): ReadableMetrics => ({
  text: async () => AggregatorRegistry.aggregate([...(await read())]).metrics(),
  contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
});

/**
 * Sums the counters and histograms of ended processes. The caller adds these sums to the metrics of
 * the running processes, so that no total of the service falls. The gauges of ended processes are
 * dropped.
 */
export async function endedProcessMetrics(all: readonly MetricValues[]): Promise<MetricValues> {
  // `type` is a string at run time, although prom-client declares a number.
  const withoutGauges = all.map((values) => values.filter(({ type }) => String(type) !== 'gauge'));
  return AggregatorRegistry.aggregate(withoutGauges).getMetricsAsJSON();
}
