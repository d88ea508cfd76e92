export type { Metrics, MetricsRegistry, MetricValues, ReadableMetrics } from './metrics';
export { createMetrics, silentMetrics } from './metrics';
export { serveMetrics } from './serve-metrics';
export { departedMetrics, summedMetrics } from './summed-metrics';
export type { Telemetry, TelemetryConfig, TelemetryOptions } from './telemetry';
export { noTelemetry, openTelemetry, telemetrySettings } from './telemetry';
export type { Span, SpanAttributes, Tracing } from './tracing';
export { noSpan, noTracing } from './tracing';
