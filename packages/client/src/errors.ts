/** The path from the root of the response to a field: keys of fields and indexes of list items. */
export type ErrorPath = readonly (string | number)[];

/** An error as the service sends it. */
export interface ServiceError {
  readonly message: string;
  readonly path?: ErrorPath;
  readonly extensions?: { readonly code?: string; readonly requestId?: string; readonly [name: string]: unknown };
}

export interface ErrorDetails {
  /** A code of the service, or that of the error class. `UNKNOWN` if the service sent no code. */
  readonly code: string;
  /** The field that failed. Null if the whole request failed. */
  readonly path?: ErrorPath | null;
  /** The header `X-Request-Id`, to quote when you report a problem. Null without a response. */
  readonly requestId?: string | null;
  /** The HTTP status. Null without a response. */
  readonly status?: number | null;
  /** The milliseconds to wait before the next request, from `Retry-After`. Null without it. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * The base class of all errors that this package throws. The exceptions are `TypeError` for an
 * invalid option or document, and the reason of a signal with which the caller cancels a call.
 */
export class LecternError extends Error {
  override name = 'LecternError';
  readonly code: string;
  readonly path: ErrorPath | null;
  readonly requestId: string | null;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.path = details.path ?? null;
    this.requestId = details.requestId ?? null;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** The service responded with errors. `code`, `path` and `message` are those of the first error. */
export class ResponseError extends LecternError {
  override name = 'ResponseError';
  /** All errors of the response, at least one. */
  readonly errors: readonly ServiceError[];
  /** The other fields. Undefined if the request failed, null if a non-null field made it null. */
  readonly data: unknown;

  constructor(errors: readonly ServiceError[], data: unknown, details: Omit<ErrorDetails, 'code' | 'path'>) {
    const [first] = errors;
    super(first?.message ?? 'The service responded with an error.', {
      ...details,
      code: first?.extensions?.code ?? 'UNKNOWN',
      path: first?.path ?? null,
      requestId: details.requestId ?? first?.extensions?.requestId ?? null,
    });
    this.errors = errors;
    this.data = data;
  }
}

/** Status 401: the key is missing, unknown, revoked, or of another environment. */
export class AuthenticationError extends ResponseError {
  override name = 'AuthenticationError';
}

/** Status 429: a rate limit or quota is exhausted, and no further retry is allowed. */
export class RateLimitError extends ResponseError {
  override name = 'RateLimitError';
}

/** `INVALID_RESPONSE`: not a response of the service, for example an HTML page of a proxy. */
export class InvalidResponseError extends LecternError {
  override name = 'InvalidResponseError';
}

/** `NETWORK_ERROR`: the connection failed or ended before the whole response was there. */
export class NetworkError extends LecternError {
  override name = 'NetworkError';
}

/** `DEADLINE_EXCEEDED`: no response arrived within `deadlineMs`, retries included. */
export class DeadlineError extends LecternError {
  override name = 'DeadlineError';
}
