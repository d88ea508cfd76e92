import { randomUUID } from 'node:crypto';
import { errors, isErrorCode } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';

/**
 * What a caller may see of an error. One of the catalogue passes as it is; anything else is our fault: it is logged with its stack
 * under an id, and the caller gets that id and nothing of the inside.
 */
export function maskError(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  const { message, locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isErrorCode(code) && code !== errors.internal.code) return { message, ...place, extensions: { code } };
  const requestId = randomUUID();
  log.error({ err: original(error), requestId, path }, 'a resolver failed');
  return { message: errors.internal().message, ...place, extensions: { code: errors.internal.code, requestId } };
}

const original = (error: unknown): unknown =>
  (error instanceof Error && 'originalError' in error && error.originalError) || error;
