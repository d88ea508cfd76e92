export { attribute, httpServerAttributes } from './conventions';
export type { Metrics, MetricValues, RecordHttpRequest } from './metrics';
export {
  createHttpClientMetrics,
  createHttpServerMetrics,
  createMetrics,
  endedProcessMetrics,
  readServiceIdentity,
  recordHttpRequests,
  serveMetrics,
  silentMetrics,
  summedMetrics,
} from './metrics';
export {
  metricsSettings,
  noTelemetry,
  startTelemetry,
  type Telemetry,
  type TelemetryConfig,
  telemetrySettings,
} from './telemetry';
export { noSpan, noTracing, type Span, type Tracing } from './tracing';
