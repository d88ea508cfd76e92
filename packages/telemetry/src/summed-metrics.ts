import { AggregatorRegistry } from 'prom-client';
import type { MetricValues, ReadableMetrics } from './metrics';

/**
 * The metrics of several processes as one: counters, histograms and gauges are added up, and what cannot be added (a lag, a version) is as prom-client
 * says of each.
 */
export const summedMetrics = (read: () => Promise<readonly MetricValues[]>): ReadableMetrics => ({
  text: async () => AggregatorRegistry.aggregate([...(await read())]).metrics(),
  contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
});

/** What processes that are gone had counted, as one: without it a sum would fall when one of them goes. What they measured of themselves is gone with them. */
export async function endedProcessMetrics(all: readonly MetricValues[]): Promise<MetricValues> {
  // A word, though the library's types have a number.
  const counted = all.map((values) => values.filter(({ type }) => String(type) !== 'gauge'));
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON();
}
