import { randomUUID } from 'node:crypto';
import { errors, isErrorCode } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';

/**
 * Returns the form of an error that a caller may see. An error whose code is one of
 * `@lectern/errors`, except INTERNAL_SERVER_ERROR, keeps its message and code. Any other error is
 * logged with its stack under a request id, and the caller gets "Internal server error" with this
 * id.
 */
export function maskError(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  const { message, locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isErrorCode(code) && code !== errors.internal.code) return { message, ...place, extensions: { code } };
  const requestId = randomUUID();
  log.error({ err: originalError(error), requestId, path }, 'a resolver failed');
  return { message: errors.internal().message, ...place, extensions: { code: errors.internal.code, requestId } };
}

const originalError = (error: unknown): unknown =>
  (error instanceof Error && 'originalError' in error && error.originalError) || error;
