import { errors } from '@lectern/errors';
import { type Hint, maxHints } from '@lectern/serving';
import type { SubgraphResponse } from '@lectern/subgraph';
import type { Dispatcher } from 'undici';
import { parseResponse, toRawResponse } from './response';

/**
 * The reason why an upstream (a replica of a subgraph) did not respond.
 * - `unreachable`: the connection was refused, or closed before a byte of the response. Detected at
 *   once.
 * - `timeout`: there was no response in time, or a hedged request to another replica was faster.
 * - `invalid-response`: the response was cut off, is too long or is not a valid GraphQL response.
 * - `document-rejected`: the document does not fit the schema of the upstream, although it fits the
 *   supergraph. The upstream serves another version of its schema than the supergraph was composed
 *   from.
 * - `token-rejected`: the upstream did not accept the gateway token, with which the gateway
 *   identifies itself, so it accepts no request.
 * - `cancelled`: the response is no longer needed. This is not a failure of the upstream.
 */
type UpstreamErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'invalid-response'
  | 'document-rejected'
  | 'token-rejected'
  | 'cancelled';

export interface UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
}

export const upstreamError = (kind: UpstreamErrorKind, message: string): UpstreamError =>
  Object.assign(new Error(message), { kind });

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface UpstreamRequest {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The body of the request, as JSON. */
  body: string;
  /** The number of entities that the response must have. Null for a request of other fields. */
  expectedEntities: number | null;
  maxResponseBytes: number;
  /** Whether the body is left unparsed if the upstream declares it to be `{"data":{...}}`. */
  acceptsRawBody: boolean;
  /**
   * Whether the request is a retry or a probe. Then the connection is closed after the response.
   */
  isRetry: boolean;
  /**
   * Called once, just before `response` settles. The error is null for a response, the status null
   * without headers.
   */
  onSettled: (error: UpstreamError | null, status: number | null) => void;
  onHeaders: (headers: ResponseHeaders, status: number) => void;
}

/** A request in flight. */
export interface Attempt {
  /** The response. The promise rejects with an UpstreamError if there is none. */
  readonly response: Promise<SubgraphResponse>;
  /**
   * Rejects `response` with this error at once and closes the connection. Does nothing once
   * `response` has settled.
   */
  cancel(error: UpstreamError): void;
  /** Returns the HTTP status of the response. Null before its headers arrive. */
  status(): number | null;
}

/**
 * Sends one request to one upstream. This function has no timeout, because the caller cancels the
 * request. Uses undici's `dispatch`, because `request` hides whether a part of the response arrived
 * before the connection was lost.
 */
export function sendRequest(upstream: Dispatcher, request: UpstreamRequest): Attempt {
  const { path, headers, body, maxResponseBytes, isRetry, onSettled, onHeaders } = request;
  let connection: Dispatcher.DispatchController | null = null;
  let cancelledWith: UpstreamError | null = null;
  let cancel: Attempt['cancel'] = () => {};
  let httpStatus: number | null = null;
  const response = new Promise<SubgraphResponse>((resolve, reject) => {
    let settled = false;
    let hasHeaders = false;
    let responseHeaders: ResponseHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];
    const fail = (error: UpstreamError) => {
      if (settled) return;
      settled = true;
      onSettled(error, httpStatus);
      reject(error);
    };
    const abort = (error: UpstreamError) => {
      if (settled) return;
      cancelledWith = error;
      fail(error);
      connection?.abort(error);
    };
    cancel = abort;

    upstream.dispatch(
      { method: 'POST', path, headers, body, reset: isRetry },
      {
        onRequestStart(controller) {
          connection = controller;
          // The request was cancelled while it waited for a connection.
          if (cancelledWith) controller.abort(cancelledWith);
        },
        onResponseStart(_, status, received) {
          hasHeaders = true;
          if (status < 200) return;
          httpStatus = status;
          onHeaders(received, status);
          responseHeaders = received;
          const error = checkHead(status, received, maxResponseBytes);
          if (error) abort(error);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > maxResponseBytes) abort(responseTooLong(maxResponseBytes));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const read = readResponse(chunks, responseHeaders, request);
          if (read instanceof Error) return fail(read);
          settled = true;
          onSettled(null, httpStatus);
          resolve(read);
        },
        onResponseError(_, error) {
          fail(toUpstreamError(error, hasHeaders));
        },
      },
    );
  });
  return { response, cancel, status: () => httpStatus };
}

/** Parses a complete response. Returns the error if it is not the response that was expected. */
function readResponse(
  chunks: readonly Buffer[],
  headers: ResponseHeaders,
  { expectedEntities, acceptsRawBody }: UpstreamRequest,
): SubgraphResponse | UpstreamError {
  const isRaw = acceptsRawBody && headers['x-lectern-response'] === 'data-only';
  const parsed = isRaw ? toRawResponse(chunks) : parseResponse(chunks, expectedEntities);
  if (parsed.kind === 'invalid') return invalidResponse(`the response ${parsed.reason}`);
  const rejection = documentRejection(parsed.response);
  if (rejection !== null) return upstreamError('document-rejected', rejection);
  const embeddingCalls = headers['x-lectern-embedding-calls'];
  const hints = parseHints(headers['x-lectern-hints']);
  return {
    ...parsed.response,
    ...(embeddingCalls !== undefined && { embeddingCalls: parseCount(embeddingCalls) }),
    ...(hints.length > 0 && { hints }),
  };
}

/**
 * Returns the message of a response that says that the document does not fit the schema. Otherwise
 * returns null.
 */
function documentRejection({ data, errors: list, rawBody }: SubgraphResponse): string | null {
  if (data || rawBody || !list) return null;
  const rejection = list.find(({ extensions }) => extensions?.['code'] === errors.validationFailed.code);
  return rejection ? `the replica serves another schema than the supergraph has: ${rejection.message}` : null;
}

/** Parses a count of at most four digits. Returns 0 for anything else. */
const parseCount = (header: ResponseHeaders[string]): number =>
  typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : 0;

const invalidResponse = (message: string): UpstreamError => upstreamError('invalid-response', message);

const responseTooLong = (maxBytes: number): UpstreamError =>
  invalidResponse(`the response has more than ${maxBytes} bytes`);

/** Classifies an error of undici or of the connection. */
function toUpstreamError(error: NodeJS.ErrnoException, hasHeaders: boolean): UpstreamError {
  // Codes that begin with HPE_ come from node's HTTP parser.
  if (error.code?.startsWith('HPE_')) return invalidResponse(`the response is not HTTP: ${error.message}`);
  const message = error.message === '' ? String(error.code) : error.message;
  if (hasHeaders) return invalidResponse(`the response was cut off: ${message}`);
  return upstreamError(error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'unreachable', message);
}

/**
 * Checks the status and headers before the body is read, because a broken upstream may send a body
 * of any length.
 */
function checkHead(status: number, headers: ResponseHeaders, maxBytes: number): UpstreamError | null {
  if (status === 401)
    return upstreamError(
      'token-rejected',
      'the subgraph rejected the gateway token (401): SUBGRAPH_SECRET must be the same on both sides, and their clocks at most ten seconds apart',
    );
  // The status 400 is valid too, because a GraphQL server rejects a document with 400.
  if (status !== 200 && status !== 400) return invalidResponse(`the response has the status ${status}`);
  if (headers['content-encoding'] !== undefined)
    return invalidResponse('the response is compressed, which the gateway did not request');
  if (!String(headers['content-type']).includes('json')) return invalidResponse('the response is not JSON');
  return Number(headers['content-length'] ?? 0) > maxBytes ? responseTooLong(maxBytes) : null;
}

/**
 * Parses the header `x-lectern-hints` of a subgraph's response: hints for the developer of the
 * client, as a JSON list. The JSON is percent-encoded, because the message of a hint may quote any
 * text. Leaves out items that are not hints. Returns an empty list for any other header.
 */
function parseHints(header: string | string[] | undefined): readonly Hint[] {
  if (typeof header !== 'string') return [];
  try {
    const value: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(value) ? value.filter(isHint).slice(0, maxHints) : [];
  } catch {
    return [];
  }
}

function isHint(value: unknown): value is Hint {
  const { coordinate, message } = (value ?? {}) as Partial<Record<keyof Hint, unknown>>;
  return typeof coordinate === 'string' && typeof message === 'string';
}
