import { errors } from '@lectern/errors';
import type { OperationResult } from '@lectern/execution';
import { isLargeResult } from '@lectern/execution';
import type { Logger, WorkContext } from '@lectern/serving';
import type { GraphQLError } from 'graphql';
import { maskError } from './mask-error';
import { createSubgraphOperationCache, withCode } from './operations';
import type { Execute, SubgraphResponse } from './request-and-response-types';
import type { Subgraph } from './subgraph';
import { responseFacts } from './subgraph';

export interface InProcessOptions {
  /**
   * Whether each operation is compiled once. If false, graphql-js executes the operations. The
   * responses are the same.
   */
  compiled?: boolean;
  /** The maximum memory of the subgraph's operation cache, in bytes. */
  operationCacheBytes?: number | undefined;
}

/**
 * Creates the function that executes requests in this process, with the same schema, context and
 * errors as over HTTP.
 */
export function executeInProcess<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  log: Logger,
  { compiled = true, operationCacheBytes }: InProcessOptions = {},
): Execute {
  const operations = createSubgraphOperationCache(subgraph.schema, { compiled, maxBytes: operationCacheBytes });
  const mask = (error: GraphQLError) => maskError(error.toJSON(), error, log);

  const toResponse = (result: OperationResult): SubgraphResponse => {
    const { data, errors: failures } = result;
    const isLarge = isLargeResult(result);
    if (!failures) return isLarge ? { data: data ?? null, isLarge } : { data: data ?? null };
    // If `data` is undefined, nothing was executed: the variables do not fit their types, or the
    // operation name chooses no operation.
    if (data === undefined) return { errors: failures.map((error) => mask(withCode(error, errors.badUserInput.code))) };
    return { data, errors: failures.map(mask), ...(isLarge && { isLarge }) };
  };

  return ({ query, variables, operationName }) => {
    const operation = operations.find(query, operationName);
    if (operation.kind === 'invalid') return { errors: operation.errors.map(mask) };
    let context: Context | null = null;
    const respond = (result: OperationResult): SubgraphResponse => {
      const { embeddingCalls, hints } = responseFacts(context);
      const response = toResponse(result);
      if (embeddingCalls > 0) response.embeddingCalls = embeddingCalls;
      if (hints.length > 0) response.hints = hints;
      return response;
    };
    const executed = operation.execute(variables ?? {}, (info) => (context = subgraph.createContext(info)));
    return executed instanceof Promise ? executed.then(respond) : respond(executed);
  };
}
