/**
 * The attributes of a span. They never contain an API key, variables or the text of a query, but
 * may contain its operation name.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanDescription {
  name: string;
  /**
   * The kind of work. `server`: handling a request of another process. `client`: sending a request.
   * `internal`: any other work.
   */
  kind: 'server' | 'client' | 'internal';
  attributes: SpanAttributes;
  /** The start time from `Date.now()`, for a span that is created after its work has begun. */
  startedAt?: number;
}

export interface Span {
  /** The id of the trace, which log lines contain too. Null if tracing is off. */
  readonly traceId: string | null;
  /** Whether the sampler chose the request, so that attributes are exported. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks the span as failed, with the type of the error. */
  fail(errorType: string): void;
  /** Returns the W3C Trace Context headers for a request to another process. */
  headers(): Record<string, string>;
  /** Runs work in a child span. */
  span: RunSpan;
}

/**
 * A function that runs the work in a span. A rejection marks the span as failed, unless the
 * client caused it. The span has the error's code or kind, but not its message, which may contain a
 * client's input.
 */
export type RunSpan = <T>(description: SpanDescription, work: (span: Span) => Promise<T>) => Promise<T>;

/**
 * A factory of spans. If tracing is off, it only runs the work. A span is passed on as an argument:
 * AsyncLocalStorage would slow down every promise of the process, traced or not.
 */
export interface Tracing {
  readonly on: boolean;
  /** Creates a child of the span that the request's headers name, or the root of a new trace. */
  from(headers: Readonly<Record<string, unknown>>): RunSpan;
  /** Sends the remaining spans, and waits at most two seconds. */
  close(): Promise<void>;
}

export const noSpan: Span = {
  traceId: null,
  isRecorded: false,
  set: () => {},
  rename: () => {},
  fail: () => {},
  headers: () => ({}),
  span: (_description, work) => work(noSpan),
};

export const noTracing: Tracing = { on: false, from: () => noSpan.span, close: async () => {} };
