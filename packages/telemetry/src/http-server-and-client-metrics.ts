import { httpMethod } from './conventions';
import type { Metrics } from './metrics';
import { silentMetrics } from './metrics';

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
