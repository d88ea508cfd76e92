import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { errors } from '@lectern/errors';
import { isLargeResult, type OperationResult } from '@lectern/execution';
import type { Hint, Logger, WorkBudget, WorkContext } from '@lectern/serving';
import { isJsonObject, stringifyInSteps } from '@lectern/serving';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import Negotiator from 'negotiator';
import { createSubgraphOperationCache, maskError, type SubgraphOperations, withCode } from './operations';
import type { Subgraph } from './subgraph';

/** A request of the gateway: an object in the same process, or the JSON body of a POST request. */
export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/** A GraphQL response. It has `data` or `errors` or both, or `rawBody` instead. */
export interface SubgraphResponse {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
  /** The unparsed body `{"data":{...}}`. Only the gateway's HTTP client returns it, with `acceptsRawBody`. */
  rawBody?: Buffer | undefined;
  /** Whether a subgraph of Lectern in this process has checked that the data fits its schema. */
  isComplete?: boolean | undefined;
  /** Whether the data is so large that merging it or writing it as JSON takes several milliseconds. */
  isLarge?: boolean | undefined;
  /** The number of executed fields that search by meaning. Absent if there were none. */
  embeddingCalls?: number | undefined;
  /** The hints for the developer of the client. Absent if there are none. */
  hints?: readonly Hint[] | undefined;
  /** For how many seconds a cache that all clients share may keep the response. */
  maxAge?: number | undefined;
  /** The report of the verses whose text the response has. Absent in-process: the caller's budget counts. */
  verses?: string | undefined;
  /** Milliseconds of the subgraph and of reading its response. Absent in-process: the caller's budget counts. */
  cpuMs?: number | undefined;
}

/** Executes a request. Returns a promise only if a resolver returns one, or if the execution pauses. */
export type Execute = (
  request: SubgraphRequest,
  options?: {
    readonly work?: WorkBudget | undefined;
    /** The restricted translations that the caller may read, separated by blanks. None by default. */
    readonly rights?: string | undefined;
  },
) => SubgraphResponse | Promise<SubgraphResponse>;

/** Executes requests without HTTP. The responses are the same. If not `compiled`, graphql-js executes them. */
export function executeInProcess<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  log: Logger,
  options: { compiled?: boolean; operationCacheBytes?: number | undefined } = {},
): Execute {
  const { compiled = true, operationCacheBytes } = options;
  const executeOf = createPerView((view: Subgraph<Context>) => executeInProcess(view, log, options));
  const operations = createSubgraphOperationCache(subgraph.schema, { compiled, maxBytes: operationCacheBytes });
  const mask = (error: GraphQLError) => maskError(error.toJSON(), error, log);

  const toResponse = (result: OperationResult): SubgraphResponse => {
    const { data, errors: failures } = result;
    const isLarge = isLargeResult(result);
    const complete = { data: data ?? null, isComplete: true, ...(isLarge && { isLarge }) };
    if (!failures) return complete;
    // Nothing was executed, because the variables are invalid or the operation name chooses no operation.
    if (data === undefined) return { errors: failures.map((error) => mask(withCode(error, errors.badUserInput.code))) };
    return { ...complete, errors: failures.map(mask) };
  };

  return (request, { work, rights = '' } = {}) => {
    const view = rights === '' ? subgraph : subgraph.withRights(rights);
    if (view !== subgraph) return executeOf(view)(request, { work });
    const { query, variables, operationName } = request;
    const operation = operations.find(query, operationName);
    if (operation.kind === 'invalid') return { errors: operation.errors.map(mask) };
    let context: Context | null = null;
    const respond = (result: OperationResult): SubgraphResponse => {
      const { embeddingCalls, hints, maxAge } = responseFacts(context);
      const response = toResponse(result);
      response.maxAge = maxAge;
      if (embeddingCalls > 0) response.embeddingCalls = embeddingCalls;
      if (hints.length > 0) response.hints = hints;
      return response;
    };
    const executed = operation.execute(variables ?? {}, (info) => (context = subgraph.createContext(info, work)));
    return executed instanceof Promise ? executed.then(respond) : respond(executed);
  };
}

/** Creates a value for each view of a subgraph at its first use, and keeps it as long as the view. */
export function createPerView<View extends object, Value>(create: (view: View) => Value): (view: View) => Value {
  const values = new WeakMap<View, Value>();
  return (view) => {
    const value = values.get(view) ?? create(view);
    values.set(view, value);
    return value;
  };
}

/** Returns what the gateway receives beside the body. The context is null if nothing was executed. */
export const responseFacts = (context: WorkContext | null) => ({
  embeddingCalls: context?.embeddingCalls?.() ?? 0,
  hints: context?.hints?.() ?? [],
  maxAge: context?.isUncacheable?.() === true ? 0 : cacheableSeconds,
});

/** How long a response may be cached. It changes only with the dataset, whose version each response names. */
const cacheableSeconds = 86_400;

export interface HttpResponse extends ReturnType<typeof responseFacts> {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string | Buffer;
}

/** The header of a response whose body is `{"data":{...}}`, so that the gateway may send it to the client unparsed. */
const dataOnlyHeader = { 'x-lectern-response': 'data-only' };

/** The header of a response with errors, which must not be cached. */
export const noStore = { 'cache-control': 'no-store' };

/** Executes valid POST requests without Apollo Server's slow pipeline. Returns null for any other request. */
export function createExecuteWithoutApollo<Context extends WorkContext>(
  { createContext }: Subgraph<Context>,
  { operations, log }: { operations: SubgraphOperations; log: Logger },
) {
  const negotiate = createNegotiateContentType();
  return async (request: IncomingMessage, body: unknown, work: WorkBudget): Promise<HttpResponse | null> => {
    const contentType = request.method === 'POST' ? negotiate(request.headers) : null;
    const parsed = contentType === null ? null : parseGraphqlRequest(body);
    if (contentType === null || parsed === null) return null;
    const { query, operationName } = parsed;
    const operation = await work.prepareDocument(
      query,
      () => operations.isCached(query, operationName),
      () => operations.find(query, operationName),
    );
    if (operation.kind === 'invalid') return null;
    let context: Context | null = null;
    const result = await operation.execute(parsed.variables ?? {}, (info) => (context = createContext(info, work)));
    const { data, errors } = result;
    if (data === undefined) return null;
    const response = errors ? { errors: errors.map((error) => maskError(error.toJSON(), error, log)), data } : { data };
    return {
      status: 200,
      headers: { 'content-type': contentType, ...(errors ? noStore : data !== null && dataOnlyHeader) },
      text: isLargeResult(result)
        ? await work.withoutLimit().runInSteps(stringifyInSteps(response))
        : JSON.stringify(response),
      ...responseFacts(context),
    };
  };
}

/** The media types that Apollo Server offers for a response, in order of preference. */
const contentTypes = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
  'application/json; callbackSpec=1.0; charset=utf-8',
];

/** Creates the function that returns the media type that the Accept header prefers, or null if it excludes all. */
function createNegotiateContentType() {
  // A gateway sends the same Accept header with each request, so the last result is reused.
  let last: { accept: string | undefined; contentType: string | null } = { accept: undefined, contentType: null };
  return ({ accept }: IncomingHttpHeaders): string | null => {
    if (accept === undefined || accept === '') return contentTypes[0] ?? null;
    if (accept !== last.accept)
      last = { accept, contentType: new Negotiator({ headers: { accept } }).mediaType(contentTypes) ?? null };
    return last.contentType;
  };
}

/** Returns null if a member has a wrong type, or for `persistedQuery`: Apollo Server reports these errors. */
function parseGraphqlRequest(body: unknown): SubgraphRequest | null {
  if (!isJsonObject(body)) return null;
  const { query, variables = null, operationName = null, extensions = null } = body;
  if (typeof query !== 'string') return null;
  if (variables !== null && !isJsonObject(variables)) return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (extensions !== null && (!isJsonObject(extensions) || Boolean(extensions['persistedQuery']))) return null;
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}
