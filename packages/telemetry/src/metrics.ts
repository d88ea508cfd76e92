import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Described<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** Makers of what is counted. A room makes its own once and calls what it gets. */
export interface Metrics {
  counter<Label extends string = never>(
    described: Described<Label>,
  ): (labels: Record<Label, string>, by?: number) => void;
  /** In seconds. */
  histogram<Label extends string = never>(
    described: Described<Label> & { buckets?: readonly number[] },
  ): (labels: Record<Label, string>, seconds: number) => void;
  /** `read` is called when somebody looks. */
  gauge<Label extends string = never>(
    described: Described<Label>,
    read: () => readonly { labels: Record<Label, string>; value: number }[],
  ): void;
}

/** All of it in the text format of Prometheus. */
export interface ReadableMetrics {
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics as JSON, on their way to the process that adds them up. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsRegistry extends Metrics, ReadableMetrics {
  values(): Promise<MetricValues>;
}

/** From half a millisecond, which an answer from one process takes, to the deadline of a subgraph. */
const defaultBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics of this process, node's own (event loop, memory, garbage) among them. Every one carries the service's name. */
export function createMetrics({ service }: { service: string }): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
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

/** Where nobody looks: nothing is kept. */
export const silentMetrics: Metrics = { counter: () => () => {}, histogram: () => () => {}, gauge: () => {} };
