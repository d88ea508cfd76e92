import type { IncomingMessage } from 'node:http';
import type { OperationResult } from '@lectern/execution';
import { isLargeResult } from '@lectern/execution';
import type { Logger, WorkContext } from '@lectern/serving';
import { stringifyInSteps } from '@lectern/serving';
import { maskError } from './mask-error';
import type { FindOperation } from './operation-cache';
import type { Subgraph } from './subgraph';
import { countEmbeddingCalls } from './subgraph';

export interface DirectResponse {
  /** The body of the response, as JSON. */
  readonly body: string | Buffer;
  /** Whether the body is `{"data":{...}}`: there are no errors, and `data` is not null. */
  readonly isDataOnly: boolean;
  /** How many embedding calls the request made. */
  readonly embeddingCalls: number;
}

/** The members of a request body that has no other members. */
interface PlainRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/**
 * Executes the usual requests of a gateway without Apollo Server, whose pipeline costs more than a
 * small query. Returns null if the request is not plain JSON, the operation is invalid or the
 * variables do not fit. Nothing was executed then, and Apollo Server handles the request.
 */
export function createExecuteWithoutApollo<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  { operations, log }: { operations: FindOperation; log: Logger },
) {
  const serialize = async (result: OperationResult): Promise<Omit<DirectResponse, 'embeddingCalls'> | null> => {
    const { data, errors } = result;
    if (data === undefined) return null;
    const response = errors ? { errors: errors.map((error) => maskError(error.toJSON(), error, log)), data } : { data };
    const body = isLargeResult(result)
      ? await subgraph.scheduler.createUnlimitedBudget().runInSteps(stringifyInSteps(response))
      : JSON.stringify(response);
    return { body, isDataOnly: !errors && data !== null };
  };

  return async (request: IncomingMessage, body: unknown): Promise<DirectResponse | null> => {
    const plain = isPlainPost(request) ? parsePlainRequest(body) : null;
    if (!plain) return null;
    const operation = operations(plain.query, plain.operationName);
    if (operation.kind === 'invalid') return null;
    let context: Context | null = null;
    const serialized = await serialize(
      await operation.execute(plain.variables, (info) => (context = subgraph.createContext(info))),
    );
    return serialized && { ...serialized, embeddingCalls: countEmbeddingCalls(context) };
  };
}

const isPlainPost = ({ method, headers: { accept = '*/*', 'content-type': type } }: IncomingMessage): boolean =>
  method === 'POST' && type === 'application/json' && (accept === 'application/json' || accept === '*/*');

function parsePlainRequest(body: unknown): PlainRequest | null {
  if (!isObject(body)) return null;
  const { query, variables = null, operationName = null, ...more } = body;
  if (typeof query !== 'string' || Object.keys(more).length > 0) return null;
  if ((variables !== null && !isObject(variables)) || (operationName !== null && typeof operationName !== 'string'))
    return null;
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
