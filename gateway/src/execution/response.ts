import { errors, isErrorCode } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';
import type { Awaitable } from '../awaitable';
import { thenMaybe } from '../awaitable';
import { maxErrors } from '../transport/parse-response';
import type { ChosenOperation } from './chosen-operation-and-trace-context-types';
import { sortErrors } from './sort-errors';

/** The response of @apollo/gateway or a subgraph. */
export interface RawResponse {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly RawError[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

/** An error of @apollo/gateway or a subgraph, before it is formatted. */
export interface RawError {
  message: string;
  path?: readonly (string | number)[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

/**
 * The result of an execution. `rawBody` is the complete response as JSON, without errors, from a
 * subgraph that declares its response to be `{"data":{...}}` with all fields.
 */
export interface ExecutionResult extends RawResponse {
  rawBody?: Buffer | undefined;
  /** Whether it takes several milliseconds to write the data as JSON. */
  isLarge?: boolean | undefined;
}

/**
 * Writes a value as JSON. A large value is written in steps, between which other requests are
 * served.
 */
export type WriteJson = (value: unknown, isLarge: boolean) => Awaitable<string | Buffer>;

export interface FormattedResponse {
  /** The body of the response, as JSON. */
  readonly body: string | Buffer;
  /** The codes of the errors in the response, in their order. */
  readonly codes: readonly string[];
}

/**
 * Formats a result as the API promises. Errors have one of the codes that clients may see. An error
 * with another code, or without one, is logged and becomes INTERNAL_SERVER_ERROR. Errors are in the
 * order of the fields. Their paths lack the `@` with which @apollo/gateway marks the items of a
 * list. One error without data replaces more than 1,000 errors, because formatting and sorting them would block the
 * event loop.
 */
export function formatResponse(
  result: ExecutionResult,
  operation: ChosenOperation,
  requestId: string,
  { log, writeJson }: { log: Logger; writeJson: WriteJson },
): Awaitable<FormattedResponse> {
  const { rawBody, data = null, isLarge = false } = result;
  if (rawBody) return { body: rawBody, codes: [] };
  const write = (response: unknown, codes: readonly string[]): Awaitable<FormattedResponse> =>
    thenMaybe(writeJson(response, isLarge), (body) => ({ body, codes }));
  if (!result.errors && !result.extensions) return write({ data }, []);
  if ((result.errors?.length ?? 0) > maxErrors) {
    const { message, extensions } = errors.tooManyErrors(maxErrors);
    return formatRejection([{ message, extensions }]);
  }
  const formatted = [
    ...(result.errors ?? []).map((error) => formatError(error, requestId, log)),
    ...completionErrors(result),
  ];
  if (formatted.length === 0) return write({ data }, []);
  const sorted = sortErrors(formatted, operation);
  return write({ errors: sorted, data }, codesOf(sorted));
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
  // The subgraph has logged the error under another request id. This log line names both ids. The
  // client receives the id of the whole request.
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
