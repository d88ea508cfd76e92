/** What a span is told: never a key, nor anything of a query but its operation's name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanDescription {
  name: string;
  /** `server` answers another process, `client` asks one, `internal` is neither. */
  kind: 'server' | 'client' | 'internal';
  attributes: SpanAttributes;
  /** As `Date.now()` gave it, where the work began before it was clear that it is worth a span. */
  startedAt?: number;
}

export interface Span {
  /** As logs name it; null where nothing is traced. */
  readonly traceId: string | null;
  set(attributes: SpanAttributes): void;
  /** The headers that carry it to another process, as W3C Trace Context writes them. */
  headers(): Record<string, string>;
  /** Runs the work within a span of its own, a part of this one. */
  span: RunSpan;
}

/** Runs the work within a span. A rejection marks it as failed, with the kind of the fault and not its words: they may hold what a client sent. */
export type RunSpan = <T>(described: SpanDescription, work: (span: Span) => Promise<T>) => Promise<T>;

/**
 * Spans of what is under way; where tracing is off, the work is done and nothing else. A span is handed on like any argument: what finds it by
 * itself, AsyncLocalStorage, makes every promise of the process dearer, those that are not traced too.
 */
export interface Tracing {
  readonly on: boolean;
  /** A part of what the headers of a request name, or the root of a trace. */
  from(headers: Readonly<Record<string, unknown>>): RunSpan;
  /** Sends what is not sent yet, within a bound. */
  close(): Promise<void>;
}

export const noSpan: Span = {
  traceId: null,
  set: () => {},
  headers: () => ({}),
  span: (_described, work) => work(noSpan),
};

export const noTracing: Tracing = { on: false, from: () => noSpan.span, close: async () => {} };
