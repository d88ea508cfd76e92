export { createMetrics, silentMetrics } from './metrics';
export type { Metrics, MetricsRegistry, MetricValues, ReadableMetrics } from './metrics';
export { serveMetrics } from './serve-metrics';
export { departedMetrics, summedMetrics } from './summed-metrics';
export { noSpan, noTracing } from './tracing';
export type { Span, SpanAttributes, Tracing } from './tracing';
export { noTelemetry, openTelemetry, telemetrySettings } from './telemetry';
export type { Telemetry, TelemetryConfig, TelemetryOptions } from './telemetry';
