import {
  AuthenticationError,
  DeadlineError,
  type ErrorDetails,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
  ResponseError,
  type ServiceError,
} from './errors.js';

export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
}

export interface ExecutionResult<Result> {
  /** The data of the response. Null if the error of a non-null field made all data null. */
  readonly data: Result | null;
  /** The errors of single fields. Empty if no field failed. */
  readonly errors: readonly ServiceError[];
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

/** Sends a request, with retries. Rejects with a `LecternError`, or with the reason of the aborted signal. */
export async function send(endpoint: Endpoint, body: object, deadline: Deadline): Promise<ExecutionResult<unknown>> {
  for (let retries = 0; ; retries++) {
    try {
      return await sendOnce(endpoint, JSON.stringify(body), deadline.signal);
    } catch (error) {
      if (!isRetryable(error) || retries >= endpoint.maxRetries) throw error;
      const pause = pauseBefore(retries, error.retryAfterMs);
      if (pause > deadline.remainingMs()) throw error;
      await deadline.sleep(pause);
    }
  }
}

const isRetryable = (error: unknown): error is LecternError =>
  error instanceof NetworkError || (error instanceof LecternError && (error.status === 429 || error.status === 503));

/** Returns milliseconds: `Retry-After`, or a random 200 to 400 ms, doubled with each retry. */
function pauseBefore(retries: number, retryAfterMs: number | null): number {
  if (retryAfterMs === null) return 200 * 2 ** retries * (1 + Math.random());
  return retryAfterMs + Math.random() * Math.max(200, retryAfterMs / 10);
}

async function sendOnce(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<ExecutionResult<unknown>> {
  const { url, headers } = endpoint;
  let response: Response | undefined;
  let text: string;
  try {
    response = await endpoint.fetch(url, { method: 'POST', headers, body, signal });
    text = await response.text();
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const what = response ? 'The connection ended before the whole response was there' : 'The request failed';
    throw new NetworkError(`${what}: ${url}. Check the address, the network and CORS.`, {
      ...(response && detailsOf(response)),
      code: 'NETWORK_ERROR',
      retryAfterMs: null,
      cause,
    });
  }
  return readBody(url, response, text);
}

function readBody(url: string, response: Response, text: string): ExecutionResult<unknown> {
  const details = detailsOf(response);
  const { status } = response;
  const body = parseBody(text);
  if (body === null)
    throw new InvalidResponseError(
      `${url} responded with status ${status} and ${response.headers.get('Content-Type') ?? 'no media type'}, not with GraphQL. ` +
        'Check `url`: it ends in /graphql. A proxy must pass responses on unchanged.',
      { ...details, code: 'INVALID_RESPONSE' },
    );
  const { data, errors, extensions } = body;
  if (data !== undefined && response.ok) return { data, errors, extensions, requestId: details.requestId ?? null };
  if (status === 401) throw new AuthenticationError(errors, data, details);
  if (status === 429) throw new RateLimitError(errors, data, details);
  throw new ResponseError(errors, data, details);
}

const detailsOf = ({ status, headers }: Response): Omit<ErrorDetails, 'code'> => ({
  status,
  requestId: headers.get('X-Request-Id'),
  retryAfterMs: parseRetryAfter(headers.get('Retry-After'), headers.get('Date')),
});

/** Returns milliseconds. A date is compared with the server's `Date`, because the client's clock may be wrong. */
function parseRetryAfter(value: string | null, date: string | null): number | null {
  if (value === null) return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, until - (Date.parse(date ?? '') || Date.now()));
}

/** Parses a GraphQL response: JSON with `data`, `errors`, or both. Returns null for any other text. */
function parseBody(text: string) {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(body)) return null;
  const { data, errors = [], extensions } = body;
  const isValid =
    Array.isArray(errors) && errors.every((error) => isObject(error) && typeof error['message'] === 'string');
  const isData = data === null || isObject(data);
  if (!isValid || (data === undefined ? errors.length === 0 : !isData)) return null;
  return { data, errors: errors as ServiceError[], extensions: isObject(extensions) ? extensions : {} };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The longest time that `setTimeout` accepts, in milliseconds: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

export interface Deadline {
  /** Aborts when the time has passed, or with the reason of the caller's signal. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Waits. Rejects with the reason of `signal` if `signal` aborts meanwhile. */
  sleep(ms: number): Promise<void>;
  end(): void;
}

/** Node.js 18.0 and older browsers lack `AbortSignal.any`, so time and signal abort the same controller. */
export function startDeadline(deadlineMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const ms = Math.min(deadlineMs, maxTimerMs);
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(callerSignal?.reason);
  if (callerSignal?.aborted) abort();
  callerSignal?.addEventListener('abort', abort);
  const endsAt = performance.now() + ms;
  const timer = setTimeout(() => {
    const message = `No response arrived within ${ms} ms. Raise \`deadlineMs\` or ask for less.`;
    controller.abort(new DeadlineError(message, { code: 'DEADLINE_EXCEEDED' }));
  }, ms);
  return {
    signal,
    remainingMs: () => endsAt - performance.now(),
    sleep: (pause) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => {
          clearTimeout(waiting);
          reject(signal.reason);
        };
        const waiting = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, pause);
        signal.addEventListener('abort', stop, { once: true });
      }),
    end() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', abort);
    },
  };
}
