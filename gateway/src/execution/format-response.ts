import { errors, isErrorCode } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';
import type { ValidOperation } from '../validation/operation-validator';
import { inOrder } from './error-order';

/** What the engine or a subgraph says. */
export interface RawAnswer {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly RawError[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

interface RawError {
  message: string;
  path?: readonly (string | number)[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

export interface PromisedAnswer {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
}

/** Turns what the engine says into what clients are promised: codes of the catalogue, in the order of the fields, paths without the engine's own marks. */
export function promisedAnswer(
  answer: RawAnswer,
  { document, operation }: ValidOperation,
  requestId: string,
  log: Logger,
): PromisedAnswer {
  const data = answer.data ?? null;
  if (!answer.errors && !answer.extensions) return { data };
  // Nulls that nobody reported: the engine found the answer of a subgraph not to fit the schema.
  const unreported = (answer.extensions?.['valueCompletion'] ?? []) as readonly RawError[];
  const all = [
    ...(answer.errors ?? []).map((error) => visible(error, requestId, log)),
    ...unreported.map((error) => ({
      ...at(error.path),
      message: errors.subgraphUnavailable().message,
      extensions: { code: errors.subgraphUnavailable.code },
    })),
  ];
  return all.length > 0 ? { errors: inOrder(all, document, operation), data } : { data };
}

function visible(error: RawError, requestId: string, log: Logger): GraphQLFormattedError {
  const code = error.extensions?.['code'];
  if (isErrorCode(code) && code !== errors.internal.code)
    return { message: error.message, ...at(error.path), extensions: { code } };
  // The subgraph's own id stands in its log; the client gets the id of the whole request.
  log.error(
    { requestId, path: error.path, subgraphRequestId: error.extensions?.['requestId'], fault: error.message },
    'a field failed',
  );
  return {
    message: errors.internal().message,
    ...at(error.path),
    extensions: { code: errors.internal.code, requestId },
  };
}

const at = (path: RawError['path']) => (path ? { path: path.filter((step) => step !== '@') } : {});
