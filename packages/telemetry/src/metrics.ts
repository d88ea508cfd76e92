import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { type Listening, listen } from '@lectern/serving';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { httpMethod } from './conventions';

export interface ServiceIdentity {
  readonly service: string;
  /** The version of the process's package. Null if the process was not started from a package. */
  readonly version: string | null;
}

/** The name is `configuredName` (OTEL_SERVICE_NAME), or else `lectern-<processName>`. */
export function readServiceIdentity(processName: string, configuredName: string): ServiceIdentity {
  const service = configuredName || (processName === 'lectern' ? processName : `lectern-${processName}`);
  try {
    // The process's main file is in the folder `dist` of its package.
    const text = readFileSync(join(dirname(require.main?.filename ?? ''), '..', 'package.json'), 'utf8');
    return { service, version: (JSON.parse(text) as { version?: string }).version ?? null };
  } catch {
    return { service, version: null };
  }
}

interface MetricDescription<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** Creates metrics. `counter` and `histogram` return the function that records a value. */
export interface Metrics {
  counter<Label extends string = never>(
    description: MetricDescription<Label>,
  ): (labels: Record<Label, string>, by?: number) => void;
  /** Creates a histogram of durations, in seconds. */
  histogram<Label extends string = never>(
    description: MetricDescription<Label>,
  ): (labels: Record<Label, string>, seconds: number) => void;
  /** Calls `read` whenever metrics are collected. `aggregator` joins the values of workers, by default their sum. */
  gauge<Label extends string = never>(
    description: MetricDescription<Label> & { readonly aggregator?: 'sum' | 'max' },
    read: () => readonly { labels: Record<Label, string>; value: number }[],
  ): void;
}

export interface ReadableMetrics {
  /** Resolves with the metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** The metrics of a process. A worker sends them to the primary process, which sums those of all workers. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsRegistry extends Metrics, ReadableMetrics {
  values(): Promise<MetricValues>;
}

/** In seconds: from what a response takes in one process to the timeout of a subgraph. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Creates the metrics of this process. They include the metrics of Node.js: event loop, memory, garbage collection. */
export function createMetrics({ service, version }: { service: string; version?: string | null }): MetricsRegistry {
  const registry = new Registry();
  const shared = { registers: [registry] };
  registry.setDefaultLabels({ service_name: service });
  collectDefaultMetrics({ register: registry });
  // Under OpenTelemetry's name. The values of several workers are not summed.
  new Gauge({
    name: 'target_info',
    help: 'The version of the process. The value is 1.',
    labelNames: ['service_version'],
    ...shared,
    aggregator: 'max',
  }).set({ service_version: version ?? 'unknown' }, 1);
  const heapHelp = 'The maximum size of the JavaScript heap.';
  new Gauge({ name: 'lectern_heap_limit_bytes', help: heapHelp, ...shared }).set(getHeapStatistics().heap_size_limit);
  return {
    counter({ name, help, labels = [] }) {
      const counter = new Counter({ name, help, labelNames: [...labels], ...shared });
      return (values, by = 1) => counter.inc(values, by);
    },
    histogram({ name, help, labels = [] }) {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets, ...shared });
      return (values, seconds) => histogram.observe(values, seconds);
    },
    gauge({ name, help, labels = [], aggregator = 'sum' }, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        ...shared,
        aggregator,
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

/** Metrics that record nothing, for a process without the setting METRICS_PORT. */
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

export interface HttpServerRequest {
  method: string | undefined;
  route: string;
  status: number;
  seconds: number;
}

// The two HTTP metrics below follow OpenTelemetry's conventions. Their names and labels are in the form of Prometheus.

/** Records a request to a server. Null if metrics are off, so that requests need not be timed. */
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

/** Records all requests to the path `route` of a server that get a response. */
export function recordHttpRequests(server: Server, metrics: Metrics, route: string): void {
  const record = createHttpServerMetrics(metrics);
  if (!record) return;
  server.on('request', ({ method, url }, response) => {
    if (url?.split('?', 1)[0] !== route) return;
    const startedAt = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      if (response.headersSent) record({ method, route, status: response.statusCode, seconds });
    });
  });
}

/** `status` is null if no response arrived, and `errorType` if the request succeeded. */
export type RecordHttpRequest = (
  server: { address: string; port: string },
  request: { status: number | null; errorType: string | null; seconds: number },
) => void;

/** Records a POST to another process. Null if metrics are off, so that requests need not be timed. */
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
        http_response_status_code: String(status ?? ''),
        error_type: errorType ?? '',
      },
      seconds,
    );
}
