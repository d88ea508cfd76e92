import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { OperationResult } from '@lectern/execution';
import { isLargeResult } from '@lectern/execution';
import type { Logger, WorkContext } from '@lectern/serving';
import { isJsonObject, stringifyInSteps } from '@lectern/serving';
import Negotiator from 'negotiator';
import { maskError } from './mask-error';
import type { SubgraphOperations } from './operations';
import type { ResponseFacts, Subgraph } from './subgraph';
import { responseFacts } from './subgraph';

export interface DirectResponse extends ResponseFacts {
  /** The body of the response, as JSON. */
  readonly body: string | Buffer;
  /** The media type that the Accept header prefers. */
  readonly contentType: string;
  /** Whether the body is `{"data":{...}}`: there are no errors, and `data` is not null. */
  readonly isDataOnly: boolean;
}

/** The members of a GraphQL request that its execution depends on. */
interface GraphqlRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly operationName: string | undefined;
}

/**
 * Executes the usual requests of any gateway without Apollo Server, whose request pipeline takes
 * more time than a small query. Executes nothing and returns null, so that Apollo Server handles
 * the request, in these cases:
 * - The request is not a POST, or `parseGraphqlRequest` rejects its body.
 * - The Accept header excludes JSON.
 * - The document is invalid, the operation name chooses no operation, or the variables do not fit
 *   their types.
 */
export function createExecuteWithoutApollo<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  { operations, log }: { operations: SubgraphOperations; log: Logger },
) {
  const negotiate = createNegotiateContentType();
  const serialize = async (result: OperationResult): Promise<Pick<DirectResponse, 'body' | 'isDataOnly'> | null> => {
    const { data, errors } = result;
    if (data === undefined) return null;
    const response = errors ? { errors: errors.map((error) => maskError(error.toJSON(), error, log)), data } : { data };
    const body = isLargeResult(result)
      ? await subgraph.scheduler.createUnlimitedBudget().runInSteps(stringifyInSteps(response))
      : JSON.stringify(response);
    return { body, isDataOnly: !errors && data !== null };
  };

  return async (request: IncomingMessage, body: unknown): Promise<DirectResponse | null> => {
    const contentType = request.method === 'POST' ? negotiate(request.headers) : null;
    const parsed = contentType === null ? null : parseGraphqlRequest(body);
    if (contentType === null || parsed === null) return null;
    const { query, operationName } = parsed;
    const operation = await subgraph.scheduler.prepareDocument(
      query,
      () => operations.isCached(query, operationName),
      () => operations.find(query, operationName),
    );
    if (operation.kind === 'invalid') return null;
    let context: Context | null = null;
    const serialized = await serialize(
      await operation.execute(parsed.variables, (info) => (context = subgraph.createContext(info))),
    );
    return serialized && { ...serialized, contentType, ...responseFacts(context) };
  };
}

/** The media types that Apollo Server offers for a response, in its order. */
const contentTypes = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
  'application/json; callbackSpec=1.0; charset=utf-8',
];

/**
 * Creates the function that returns the media type that the Accept header prefers, or null if the
 * header excludes all.
 */
function createNegotiateContentType() {
  // A gateway sends the same Accept header with each request, so the last result is memoized.
  let last: { accept: string | undefined; contentType: string | null } = { accept: undefined, contentType: null };
  return ({ accept }: IncomingHttpHeaders): string | null => {
    if (accept === undefined || accept === '') return contentTypes[0] ?? null;
    if (accept !== last.accept)
      last = { accept, contentType: new Negotiator({ headers: { accept } }).mediaType(contentTypes) ?? null };
    return last.contentType;
  };
}

/**
 * Parses the body of a GraphQL request. Returns null if a member has the wrong type, or for the
 * extension `persistedQuery`, so that Apollo Server reports the error.
 */
function parseGraphqlRequest(body: unknown): GraphqlRequest | null {
  if (!isJsonObject(body)) return null;
  const { query, variables = null, operationName = null, extensions = null } = body;
  if (typeof query !== 'string') return null;
  if (variables !== null && !isJsonObject(variables)) return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (extensions !== null && (!isJsonObject(extensions) || Boolean(extensions['persistedQuery']))) return null;
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}
