import type { IncomingMessage } from 'node:http';
import type { OperationResult } from '@lectern/execution';
import type { Logger } from '@lectern/serving';
import { maskError } from './mask-error';
import { createSubgraphOperationCache } from './operation-cache';
import type { Subgraph } from './subgraph';

export interface DirectResponse {
  /** JSON. */
  readonly body: string;
  /** Whether it is `{"data":{...}}` and nothing else: no error, and not null as a whole. */
  readonly isWhole: boolean;
}

/** A request to execute an operation, with nothing in it that needs more than executing. */
interface Asked {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/**
 * Answers what a gateway asks again and again without the pipeline of Apollo Server, which costs more than a small query does: an operation as JSON that is valid
 * and whose variables fit. Null for everything else; nothing was executed then, and Apollo Server says what there is to say.
 */
export function createExecuteWithoutApollo<Context>(
  subgraph: Subgraph<Context>,
  { log, compiled }: { log: Logger; compiled: boolean },
) {
  const operations = createSubgraphOperationCache(subgraph.schema, { compiled });

  const written = ({ data, errors }: OperationResult): DirectResponse | null => {
    if (data === undefined) return null;
    if (!errors) return { body: JSON.stringify({ data }), isWhole: data !== null };
    return {
      body: JSON.stringify({ errors: errors.map((error) => maskError(error.toJSON(), error, log)), data }),
      isWhole: false,
    };
  };

  return async (request: IncomingMessage, body: unknown): Promise<DirectResponse | null> => {
    const asked = isPlainPost(request) ? askedIn(body) : null;
    const operation = asked && operations(asked.query, asked.operationName);
    if (!asked || typeof operation !== 'function') return null;
    return written(await operation(asked.variables, subgraph.createContext));
  };
}

const isPlainPost = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' && headers['content-type'] === 'application/json' && headers.accept === 'application/json';

function askedIn(body: unknown): Asked | null {
  if (!isObject(body)) return null;
  const { query, variables = null, operationName = null, ...more } = body;
  if (typeof query !== 'string' || Object.keys(more).length > 0) return null;
  if ((variables !== null && !isObject(variables)) || (operationName !== null && typeof operationName !== 'string'))
    return null;
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
