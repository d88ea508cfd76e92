export { attribute, httpServerAttributes } from './conventions';
export type { Metrics, RecordHttpRequest } from './metrics';
export {
  createHttpClientMetrics,
  createHttpServerMetrics,
  createMetrics,
  readServiceIdentity,
  recordHttpRequests,
  silentMetrics,
} from './metrics';
export {
  metricsSettings,
  noTelemetry,
  startTelemetry,
  startWorkersTelemetry,
  type Telemetry,
  type TelemetryConfig,
  telemetrySettings,
} from './telemetry';
export { noSpan, noTracing, type Span, type Tracing } from './tracing';
