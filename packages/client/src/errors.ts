/** The path from the root of the response to a field: keys of fields and indexes of list items. */
export type ErrorPath = readonly (string | number)[];

export interface ServiceError {
  readonly message: string;
  readonly path?: ErrorPath;
  readonly extensions?: { readonly code?: string; readonly requestId?: string; readonly [name: string]: unknown };
}

export interface ErrorDetails {
  /** The error code of the service, or the code of the error class. `UNKNOWN` if the service sent no code. */
  readonly code: string;
  /** The path of the field that failed. Null if the whole request failed. */
  readonly path?: ErrorPath | null;
  /** The value of the header `X-Request-Id`, for reporting a problem. Null without a response. */
  readonly requestId?: string | null;
  /** The HTTP status. Null without a response. */
  readonly status?: number | null;
  /** When to send the next request, in milliseconds, from the header `Retry-After`. Null without it. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The base class of all errors, but for a `TypeError` for an invalid argument, and the reason of a caller's signal. */
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
  /** The data of the fields that did not fail. Undefined if the whole request failed, null if a non-null field did. */
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

/** The response did not come from the service, but for example from a proxy. The code is `INVALID_RESPONSE`. */
export class InvalidResponseError extends LecternError {
  override name = 'InvalidResponseError';
}

/** The connection failed, or ended before the whole response arrived. The code is `NETWORK_ERROR`. */
export class NetworkError extends LecternError {
  override name = 'NetworkError';
}

/** No response arrived within `deadlineMs`, including retries. The code is `DEADLINE_EXCEEDED`. */
export class DeadlineError extends LecternError {
  override name = 'DeadlineError';
}
