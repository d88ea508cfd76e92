import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { type Listening, listen } from '@lectern/serving';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { httpMethod } from './conventions';

/** The name and the version of a process in metrics and traces. */
export interface ServiceIdentity {
  readonly service: string;
  /** Null if the process was not started from a package. */
  readonly version: string | null;
}

/**
 * Returns the identity of a process. The name is OTEL_SERVICE_NAME, or else `lectern-` and the name
 * of the process, or `lectern` for the process of this name. The version is that in the
 * package.json of the process's package.
 */
export function readServiceIdentity(processName: string, configuredName: string | undefined): ServiceIdentity {
  const serviceName = configuredName || (processName === 'lectern' ? processName : `lectern-${processName}`);
  return { service: serviceName, version: readPackageVersion(require.main?.filename) };
}

/** Reads the version of the package whose `dist` folder has the main file. */
function readPackageVersion(mainFile: string | undefined): string | null {
  if (mainFile === undefined) return null;
  try {
    const text = readFileSync(join(dirname(mainFile), '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

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
  version,
}: Pick<ServiceIdentity, 'service'> & Partial<ServiceIdentity>): MetricsRegistry {
  const registry = new Registry();
  const shared = { registers: [registry] };
  registry.setDefaultLabels({ service_name: service });
  collectDefaultMetrics({ register: registry });
  // OpenTelemetry's name for a metric with the attributes of a process. The values of workers are
  // not summed.
  new Gauge({
    name: 'target_info',
    help: 'The version of the process. The value is 1.',
    labelNames: ['service_version'],
    ...shared,
    aggregator: 'max',
  }).set({ service_version: version ?? 'unknown' }, 1);
  const heapLimit = { name: 'lectern_heap_limit_bytes', help: 'The maximum size of the JavaScript heap.' };
  new Gauge({ ...heapLimit, ...shared }).set(getHeapStatistics().heap_size_limit);
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

/** Serves GET /metrics on a separate port, so that clients of the API cannot reach the metrics. */
export function serveMetrics(
  metrics: ReadableMetrics,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else {
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  return listen(server, { host, port, setting: 'METRICS_PORT' });
}

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

export interface HttpServerRequest {
  method: string | undefined;
  route: string;
  status: number;
  seconds: number;
}

/**
 * Creates OpenTelemetry's metric of received HTTP requests, under the name that Prometheus gives
 * it. Returns null if nothing is recorded, so that no request is timed.
 */
export function createHttpServerMetrics(metrics: Metrics): ((request: HttpServerRequest) => void) | null {
  if (metrics === silentMetrics) return null;
  const record = metrics.histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
  });
  return ({ method, route, status, seconds }) =>
    record(
      { http_request_method: httpMethod(method), http_route: route, http_response_status_code: String(status) },
      seconds,
    );
}

export interface HttpClientRequest {
  /** Null if no response arrived. */
  status: number | null;
  /** The kind of failure. Null if the request succeeded. */
  errorType: string | null;
  seconds: number;
}

/** Records a request that was sent to a server, by its host and its port. */
export type RecordHttpRequest = (server: { address: string; port: string }, request: HttpClientRequest) => void;

/**
 * Creates OpenTelemetry's metric of sent HTTP requests, which are all POST, under the name that
 * Prometheus gives it. Returns null if nothing is recorded, so that no request is timed.
 */
export function createHttpClientMetrics(metrics: Metrics): RecordHttpRequest | null {
  if (metrics === silentMetrics) return null;
  const record = metrics.histogram({
    name: 'http_client_request_duration_seconds',
    help: 'Duration of HTTP client requests.',
    labels: ['http_request_method', 'server_address', 'server_port', 'http_response_status_code', 'error_type'],
  });
  return ({ address, port }, { status, errorType, seconds }) =>
    record(
      {
        http_request_method: 'POST',
        server_address: address,
        server_port: port,
        http_response_status_code: status === null ? '' : String(status),
        error_type: errorType ?? '',
      },
      seconds,
    );
}
