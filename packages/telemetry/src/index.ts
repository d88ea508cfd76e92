export { createMetrics, silentMetrics } from './metrics';
export type { Metrics, MetricsRegistry } from './metrics';
export { serveMetrics } from './serve-metrics';
export { noSpan, noTracing } from './tracing';
export type { Span, SpanAttributes, Tracing } from './tracing';
export { noTelemetry, openTelemetry, telemetrySettings } from './telemetry';
export type { Telemetry, TelemetryConfig } from './telemetry';
