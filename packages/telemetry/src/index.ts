export type { Metrics, MetricsRegistry, MetricValues, ReadableMetrics } from './metrics';
export { createMetrics, silentMetrics } from './metrics';
export type { Telemetry, TelemetryConfig, TelemetryOptions } from './open-telemetry';
export { noTelemetry, openTelemetry, telemetrySettings } from './open-telemetry';
export { serveMetrics } from './serve-metrics';
export { endedProcessMetrics, summedMetrics } from './sum-process-metrics';
export type { Span, SpanAttributes, Tracing } from './tracing';
export { noSpan, noTracing } from './tracing';
