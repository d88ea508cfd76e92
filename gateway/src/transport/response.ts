import { errors } from '@lectern/errors';
import { errorBody, type Hint, isJsonObject, maxHints, versesHeader } from '@lectern/serving';
import type { SubgraphResponse } from '@lectern/subgraph';
import type { GraphQLFormattedError } from 'graphql';

/**
 * The reason why an upstream (a replica of a subgraph) did not respond.
 * - `unreachable`: the connection was refused, or closed before the first byte of the response.
 * - `timeout`: there was no response in time, or a hedged request to another replica was faster.
 * - `invalid-response`: the response was cut off, is too long or is not a valid GraphQL response.
 * - `document-rejected`: the document does not fit the upstream's schema, which differs from the schema in the
 *   supergraph.
 * - `failed`: the upstream has responded to the whole request with errors that are not the client's. `response` is set.
 * - `token-rejected`: the upstream did not accept the gateway token, so it accepts no request.
 * - `access-denied`: the upstream has the status 401 or 403 for this request. It may accept other requests. `response`
 *   is set if the body is a GraphQL response.
 * - `cancelled`: the response is no longer needed. This is not a failure of the upstream.
 */
type UpstreamErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'invalid-response'
  | 'document-rejected'
  | 'failed'
  | 'token-rejected'
  | 'access-denied'
  | 'cancelled';

export interface UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** The response with the kind `failed` or `access-denied`, for the client if no other replica has a better one. */
  readonly response?: SubgraphResponse;
}

export const upstreamError = (kind: UpstreamErrorKind, message: string): UpstreamError =>
  Object.assign(new Error(message), { kind });

export const invalidResponse = (reason: string): UpstreamError =>
  upstreamError('invalid-response', `the response ${reason}`);

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Far more levels than any operation selects. Thousands would overflow the stack when a value is merged or written. */
const maxLevels = 500;

/** The maximum number of errors in a subgraph's response, and in the response to a client. */
export const maxErrors = 1_000;

/** Whether a subgraph of Lectern has rejected the gateway token. Another subgraph's 401 is about the client. */
export const isTokenRejection = (status: number, headers: ResponseHeaders): boolean =>
  status === 401 && headers['www-authenticate'] === 'Lectern';

export const isAccessDenial = (status: number): boolean => status === 401 || status === 403;

/**
 * Checks the headers before the body, which may have any length. The status may be any: errors may come under 4xx and
 * 5xx.
 */
export function checkHead(status: number, headers: ResponseHeaders, maxBytes: number): UpstreamError | null {
  if (isTokenRejection(status, headers))
    return upstreamError(
      'token-rejected',
      'the subgraph rejected the gateway token (401): SUBGRAPH_SECRET must be the same on both sides, and their clocks at most ten seconds apart',
    );
  if (!String(headers['content-type']).includes('json')) return unusable(status, 'is not JSON');
  if (headers['content-encoding'] !== undefined)
    return invalidResponse('is compressed, which the gateway did not request');
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLong(maxBytes) : null;
}

/** Returns the error of a response that denies access or is not GraphQL. The status says more than `reason`. */
const unusable = (status: number, reason: string): UpstreamError =>
  isAccessDenial(status)
    ? upstreamError('access-denied', `the response has the status ${status}`)
    : invalidResponse(status === 200 ? reason : `has the status ${status}`);

export const tooLong = (maxBytes: number): UpstreamError => invalidResponse(`has more than ${maxBytes} bytes`);

/** Parses a body, unless it is declared as `{"data":{...}}` and `acceptsRawBody`. Throws an UpstreamError. */
export function readResponse(
  chunks: readonly Buffer[],
  headers: ResponseHeaders,
  status: number,
  acceptsRawBody: boolean,
): SubgraphResponse {
  const [first] = chunks;
  const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  const isRaw = acceptsRawBody && headers['x-lectern-response'] === 'data-only';
  const response = isRaw ? rawResponse(body) : parseResponse(body, status);
  response.maxAge = readMaxAge(headers);
  const calls = headers['x-lectern-embedding-calls'];
  const hints = headers['x-lectern-hints'];
  const verses = headers[versesHeader];
  if (calls !== undefined) response.embeddingCalls = parseCount(calls);
  if (hints !== undefined) response.hints = parseHints(hints);
  if (typeof verses === 'string') response.verses = verses;
  return response;
}

/** Returns for how many seconds a shared cache may keep a response (RFC 9111), 0 if Cache-Control does not say. */
function readMaxAge(headers: ResponseHeaders): number {
  const directives = String(headers['cache-control'] ?? '');
  if (/(?:^|[\s,])(?:private|no-store|no-cache)/i.test(directives)) return 0;
  const [, seconds] =
    /(?:^|[\s,])s-maxage="?(\d{1,9})/i.exec(directives) ?? /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(directives) ?? [];
  return Math.max(0, Number(seconds ?? 0) - (Number(headers['age']) || 0));
}

const dataStart = '{"data":{';
const dataEnd = '}}';

function rawResponse(rawBody: Buffer): SubgraphResponse {
  const start = rawBody.toString('latin1', 0, dataStart.length);
  const end = rawBody.toString('latin1', rawBody.length - dataEnd.length);
  if (start !== dataStart || end !== dataEnd) throw invalidResponse(`is not ${dataStart}...${dataEnd}`);
  return { rawBody };
}

function parseResponse(body: Buffer, status: number): SubgraphResponse {
  const value = parseJson(body);
  if (!isSubgraphResponse(value)) throw unusable(status, 'is not a GraphQL response');
  // Each level takes two bytes, so a short body cannot be too deep.
  if (body.length > 2 * maxLevels && isDeeperThan(maxLevels, value))
    throw invalidResponse(`is nested more than ${maxLevels} levels deep`);
  const { data, errors: list = [] } = value;
  const rejection = data
    ? undefined
    : list.find(({ extensions }) => extensions?.['code'] === errors.validationFailed.code);
  if (rejection)
    throw upstreamError(
      'document-rejected',
      `the replica serves another schema than the supergraph has: ${rejection.message}`,
    );
  // Leaves out other members, because the gateway adds its own. Writing 50,000 errors would block for seconds.
  const response: SubgraphResponse =
    list.length > maxErrors
      ? { data: null, ...errorBody(errors.tooManyErrors(maxErrors)) }
      : { data, ...(list.length > 0 && { errors: list }) };
  if (isAccessDenial(status)) throw Object.assign(unusable(status, ''), { response });
  if (!data && (status >= 500 || list.some(isInternalError)))
    throw Object.assign(upstreamError('failed', 'the replica responded with errors only'), { response });
  return response;
}

/** Whether an error is not the client's: it is masked, or has no code. */
const isInternalError = ({ extensions }: GraphQLFormattedError): boolean =>
  extensions?.['code'] === undefined || extensions['code'] === errors.internal.code;

/** Returns undefined if the body is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isSubgraphResponse(value: unknown): value is SubgraphResponse {
  if (!isJsonObject(value)) return false;
  const { data, errors: list = [] } = value;
  if (!Array.isArray(list) || !list.every(isGraphqlError)) return false;
  return isJsonObject(data) || list.length > 0;
}

const isGraphqlError = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value['message'] === 'string' &&
  (value['path'] === undefined || Array.isArray(value['path']));

/** Returns whether a value has more than `levels` levels of objects and lists. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(levels - 1, item)) return true;
    return false;
  }
  for (const key in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  return false;
}

const parseCount = (header: ResponseHeaders[string]): number =>
  typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : 0;

/** Parses a percent-encoded JSON list of hints. Leaves out what is malformed. */
function parseHints(header: ResponseHeaders[string]): readonly Hint[] {
  if (typeof header !== 'string') return [];
  try {
    const value: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(value) ? value.filter(isHint).slice(0, maxHints) : [];
  } catch {
    return [];
  }
}

const isHint = (value: unknown): value is Hint =>
  isJsonObject(value) && typeof value['coordinate'] === 'string' && typeof value['message'] === 'string';
