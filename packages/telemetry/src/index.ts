export { createMetrics, silentMetrics } from './metrics';
export type { Metrics, MetricsRegistry, MetricValues, ReadableMetrics } from './metrics';
export { serveMetrics } from './serve-metrics';
export { departedMetrics, summedMetrics } from './summed-metrics';
export { noTracing, startTracing } from './tracing';
export type { Tracing } from './tracing';
export { metricsSettings, noTelemetry, openTelemetry } from './telemetry';
export type { Telemetry, TelemetryConfig, TelemetryOptions } from './telemetry';
