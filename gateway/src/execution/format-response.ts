import { errors, isErrorCode } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';
import { sortErrors } from './error-order';
import type { ChosenOperation } from './execution-types';

/** The response of @apollo/gateway or a subgraph. */
export interface RawResponse {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly RawError[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

interface RawError {
  message: string;
  path?: readonly (string | number)[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

/**
 * The result of an execution. `rawBody` is the complete response as JSON, from a subgraph that
 * guarantees its form.
 */
export interface ExecutionResult extends RawResponse {
  rawBody?: Buffer | undefined;
}

export interface FormattedResponse {
  /** The body of the response, as JSON. */
  readonly body: string | Buffer;
  /** The codes of the errors in the response, in their order. */
  readonly codes: readonly string[];
}

/**
 * Formats a result as the API promises: codes of the catalogue, all other errors masked and logged,
 * errors in the order of the fields, and paths without @apollo/gateway's `@`.
 */
export function formatResponse(
  result: ExecutionResult,
  operation: ChosenOperation,
  requestId: string,
  log: Logger,
): FormattedResponse {
  if (result.rawBody) return { body: result.rawBody, codes: [] };
  const data = result.data ?? null;
  if (!result.errors && !result.extensions) return { body: JSON.stringify({ data }), codes: [] };
  const formatted = [
    ...(result.errors ?? []).map((error) => formatError(error, requestId, log)),
    ...completionErrors(result),
  ];
  if (formatted.length === 0) return { body: JSON.stringify({ data }), codes: [] };
  const sorted = sortErrors(formatted, operation);
  return { body: JSON.stringify({ errors: sorted, data }), codes: codesOf(sorted) };
}

/** Formats the response to a request that was rejected before execution: errors without data. */
export const formatRejection = (rejection: readonly GraphQLFormattedError[]): FormattedResponse => ({
  body: JSON.stringify({ errors: rejection }),
  codes: codesOf(rejection),
});

const codesOf = (list: readonly GraphQLFormattedError[]): string[] =>
  list.map(({ extensions }) => String(extensions?.['code']));

function formatError(error: RawError, requestId: string, log: Logger): GraphQLFormattedError {
  const code = error.extensions?.['code'];
  if (isErrorCode(code) && code !== errors.internal.code)
    return { message: error.message, ...formatPath(error.path), extensions: { code } };
  // The subgraph logs the error under an id of its own. The client receives the id of the whole
  // request.
  log.error(
    { requestId, path: error.path, subgraphRequestId: error.extensions?.['requestId'], error: error.message },
    'a field failed',
  );
  return {
    message: errors.internal().message,
    ...formatPath(error.path),
    extensions: { code: errors.internal.code, requestId },
  };
}

/**
 * Returns the errors for values of a subgraph that did not fit the schema. @apollo/gateway made
 * these values null and reports them in `extensions` only.
 */
function completionErrors({ extensions }: ExecutionResult): GraphQLFormattedError[] {
  const list = (extensions?.['valueCompletion'] ?? []) as readonly RawError[];
  return list.map(({ path }) => ({
    ...formatPath(path),
    message: errors.subgraphUnavailable().message,
    extensions: { code: errors.subgraphUnavailable.code },
  }));
}

const formatPath = (path: RawError['path']) => (path ? { path: path.filter((step) => step !== '@') } : {});
