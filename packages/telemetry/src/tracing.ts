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
}

/** Spans of what is under way. Where tracing is off, the work is done and nothing else. */
export interface Tracing {
  readonly on: boolean;
  /** Runs the work within a span. A rejection marks it as failed, with the kind of the fault and not its words: they may hold what a client sent. */
  span<T>(described: SpanDescription, work: (span: Span) => Promise<T>): Promise<T>;
  /** The headers that carry the span under way to another process, as W3C Trace Context writes them. */
  outgoing(): Record<string, string>;
  /** Runs the work as part of what the headers of a request name. */
  incoming<T>(headers: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T>;
  /** Sends what is not sent yet, within a bound. */
  close(): Promise<void>;
}

export const noSpan: Span = { traceId: null, set: () => {} };

export const noTracing: Tracing = {
  on: false,
  span: (_described, work) => work(noSpan),
  outgoing: () => ({}),
  incoming: (_headers, work) => work(),
  close: async () => {},
};
