import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface MetricDescription<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** A factory of metrics. `counter` and `histogram` return the function that records a value. */
export interface Metrics {
  counter<Label extends string = never>(
    description: MetricDescription<Label>,
  ): (labels: Record<Label, string>, by?: number) => void;
  /** Creates a histogram of durations in seconds. */
  histogram<Label extends string = never>(
    description: MetricDescription<Label> & { buckets?: readonly number[] },
  ): (labels: Record<Label, string>, seconds: number) => void;
  /** Creates a gauge. `read` is called whenever the metrics are read. */
  gauge<Label extends string = never>(
    description: MetricDescription<Label>,
    read: () => readonly { labels: Record<Label, string>; value: number }[],
  ): void;
}

/** Metrics in the text format of Prometheus. */
export interface ReadableMetrics {
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics as JSON, which a worker sends to the primary to be summed. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsRegistry extends Metrics, ReadableMetrics {
  values(): Promise<MetricValues>;
}

/**
 * The default buckets of histograms, in seconds: from half a millisecond, the time of a response in
 * one process, to the timeout of a subgraph.
 */
const defaultBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Creates the metrics of this process, with the metrics of node: event loop, memory, garbage
 * collection. All metrics have the label `service_name`.
 */
export function createMetrics({
  service,
  version = null,
}: {
  service: string;
  version?: string | null;
}): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service_name: service });
  collectDefaultMetrics({ register: registry });
  // The name is OpenTelemetry's name for a metric with the attributes of a process. The values of
  // workers are not summed.
  new Gauge({
    name: 'target_info',
    help: 'The version of the process. The value is 1.',
    labelNames: ['service_version'],
    registers: [registry],
    aggregator: 'max',
  }).set({ service_version: version ?? 'unknown' }, 1);
  new Gauge({
    name: 'lectern_heap_limit_bytes',
    help: 'The maximum size of the JavaScript heap.',
    registers: [registry],
  }).set(getHeapStatistics().heap_size_limit);
  const shared = { registers: [registry] };
  return {
    counter({ name, help, labels = [] }) {
      const counter = new Counter({ name, help, labelNames: [...labels], ...shared });
      return (values, by = 1) => counter.inc(values, by);
    },
    histogram({ name, help, labels = [], buckets = defaultBuckets }) {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], ...shared });
      return (values, seconds) => histogram.observe(values, seconds);
    },
    gauge({ name, help, labels = [] }, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        ...shared,
        collect() {
          gauge.reset();
          for (const { labels: values, value } of read()) gauge.set(values, value);
        },
      });
    },
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

/** Metrics that record nothing, for a process without METRICS_PORT. */
export const silentMetrics: Metrics = { counter: () => () => {}, histogram: () => () => {}, gauge: () => {} };
