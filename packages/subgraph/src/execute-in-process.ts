import { errors } from '@lectern/errors';
import type { OperationResult } from '@lectern/execution';
import type { Logger } from '@lectern/serving';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { maskError } from './mask-error';
import { createSubgraphOperationCache, withCode } from './operation-cache';
import type { Subgraph } from './subgraph';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface SubgraphResponse {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
}

export type Execute = (request: SubgraphRequest) => SubgraphResponse | Promise<SubgraphResponse>;

export interface InProcessOptions {
  /** Whether operations are compiled, once each; else graphql-js executes them. The answers are the same. */
  compiled?: boolean;
}

/**
 * Asks a subgraph in this process: the same schema, context and errors as over HTTP, without the HTTP.
 */
export function executeInProcess<Context>(
  subgraph: Subgraph<Context>,
  log: Logger,
  { compiled = true }: InProcessOptions = {},
): Execute {
  const operations = createSubgraphOperationCache(subgraph.schema, { compiled });
  const mask = (error: GraphQLError) => maskError(error.toJSON(), error, log);

  const answered = ({ data, errors: faults }: OperationResult): SubgraphResponse => {
    if (!faults) return { data: data ?? null };
    // Without `data` nothing was executed: the variables did not fit their types.
    if (data === undefined) return { errors: faults.map((error) => mask(withCode(error, errors.badUserInput.code))) };
    return { data, errors: faults.map(mask) };
  };

  return ({ query, variables, operationName }) => {
    const operation = operations(query, operationName);
    if (typeof operation !== 'function') return { errors: operation.map(mask) };
    const executed = operation(variables ?? {}, subgraph.createContext);
    return executed instanceof Promise ? executed.then(answered) : answered(executed);
  };
}
