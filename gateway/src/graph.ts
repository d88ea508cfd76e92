import { ApolloGateway } from '@apollo/gateway';
import type { GraphQLDataSource } from '@apollo/gateway';
import { isErrorCode, errors } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { GraphQLFormattedError, OperationDefinitionNode } from 'graphql';
import { directRoute } from './direct-route';
import type { DirectRoute } from './direct-route';
import { pricesOf } from './limits/prices';
import { createJudge } from './operation';
import type { Asked, GoodOperation, QueryLimits } from './operation';
import type { SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './subgraphs/subgraph-fetch';
import { unavailableAnswer } from './subgraphs/unavailable';

export interface GraphRequest extends Asked {
  requestId: string;
}

export interface GraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
}

/** `refused`: nothing was executed, because the document, the operation's name or the variables are wrong. */
export interface GraphResult {
  refused: boolean;
  answer: GraphAnswer;
}

export interface Graph {
  execute(request: GraphRequest): Promise<GraphResult>;
  close(): Promise<void>;
}

export interface GraphOptions {
  supergraphSdl: string;
  /** How to ask the subgraph of this name, which the supergraph says is at this URL. */
  subgraph: (name: string, url: string) => SubgraphFetch;
  limits: QueryLimits;
  log: Logger;
}

/** What the engine hands to a data source of what we handed to the engine. */
interface EngineContext {
  requestId: string;
  /** A subgraph that has just failed to answer this request, and is not asked again for it. */
  down?: string;
}

/** The federated graph: the only file that knows the engine. A supergraph that is none rejects with what is wrong with it. */
export async function createGraph({ supergraphSdl, subgraph, limits, log }: GraphOptions): Promise<Graph> {
  const fetches = new Map<string, SubgraphFetch>();
  // What the planner found out about an operation, kept with its document and as long as that.
  const routes = new WeakMap<OperationDefinitionNode, DirectRoute | null>();
  // What the engine finds worth telling about its start is not news to an operator.
  const engineLog = { debug: log.debug.bind(log), info: log.debug.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) };
  // The engine's constructor would report usage to its maker and ask the network what cloud it is in.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService({ name, url }) {
      const fetch = logged(name, subgraph(name, url ?? ''), log);
      fetches.set(name, fetch);
      return dataSource(name, fetch);
    },
    experimental_didResolveQueryPlan({ queryPlan, requestContext: { document, operation, operationName } }) {
      if (!routes.has(operation)) routes.set(operation, directRoute(queryPlan.node, document, operationName));
    },
    // Off in every environment: a header of the client's would make the answer show the plan.
    __exposeQueryPlanExperimental: false,
    logger: engineLog,
  });
  const { schema, executor } = await gateway.load();
  // From the supergraph's own text: the schema that the engine shows to clients has lost the directives.
  const judge = createJudge(schema, pricesOf(supergraphSdl), limits);

  const throughEngine = ({ document, operation, hash }: GoodOperation, { query, variables, operationName }: GraphRequest, context: EngineContext): Promise<EngineResult> =>
    executor({
      // The name steers the engine's choice of an operation and its cache of plans; a null would be a name to it.
      request: { query, ...(variables && { variables }), ...(operationName !== null && { operationName }) },
      document, operation, operationName, context, schema,
      queryHash: hash, source: query, logger: engineLog, metrics: {}, cache: noCache, schemaHash: '' as never, overallCachePolicy: undefined,
    });

  return {
    async execute(request) {
      const judged = judge(request);
      if ('refusal' in judged) return { refused: true, answer: { errors: [...judged.refusal] } };
      const { requestId } = request;
      const route = routes.get(judged.operation);
      const fetch = route && fetches.get(route.subgraph);
      const result = fetch
        // The engine knows which fields an answer that did not come leaves null, and how far up a null goes.
        ? await fetch(directRequest(route, request), { requestId }).catch(() => throughEngine(judged, request, { requestId, down: route.subgraph }))
        : await throughEngine(judged, request, { requestId });
      return { refused: false, answer: finished(result, requestId, log) };
    },
    close: () => gateway.stop(),
  };
}

function directRequest({ query, variables }: DirectRoute, request: GraphRequest): SubgraphRequest {
  if (!request.variables || variables.length === 0) return { query };
  const given = request.variables;
  // Only what is declared: a subgraph never sees what a client sends beside it.
  return { query, variables: Object.fromEntries(variables.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]])) };
}

/** Documents are cached by us and plans by the engine's planner; the engine has no other use for a cache. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

const logged = (name: string, fetch: SubgraphFetch, log: Logger): SubgraphFetch => async (request, about) => {
  try {
    return await fetch(request, about);
  } catch (error) {
    log.warn({ err: error, subgraph: name, requestId: about.requestId }, 'a subgraph does not answer');
    throw error;
  }
};

/** Never rejects: where a subgraph does not answer, its fields are null with the reason at each. */
function dataSource(name: string, fetch: SubgraphFetch): GraphQLDataSource {
  return {
    async process({ request, context }) {
      const { query = '', variables, operationName } = request;
      const asked: SubgraphRequest = { query, variables, operationName };
      const { requestId, down } = context as EngineContext;
      const answer: SubgraphAnswer = down === name ? unavailableAnswer(asked) : await fetch(asked, { requestId }).catch(() => unavailableAnswer(asked));
      return answer as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}

interface EngineResult {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly { message: string; path?: readonly (string | number)[] | undefined; extensions?: Record<string, unknown> | undefined }[] | undefined;
  extensions?: Record<string, unknown> | undefined;
}

/** Turns what the engine says into what clients are promised: codes of the catalogue, paths without the engine's own marks. */
function finished(result: EngineResult, requestId: string, log: Logger): GraphAnswer {
  const data = result.data ?? null;
  // Nulls that nobody reported: the engine found the answer of a subgraph not to fit the schema.
  const unreported = (result.extensions?.['valueCompletion'] ?? []) as NonNullable<EngineResult['errors']>;
  const all = [
    ...(result.errors ?? []).map((error) => visible(error, requestId, log)),
    ...unreported.map((error) => ({ ...at(error.path), message: errors.subgraphUnavailable().message, extensions: { code: errors.subgraphUnavailable.code } })),
  ];
  return all.length > 0 ? { errors: all, data } : { data };
}

function visible(error: NonNullable<EngineResult['errors']>[number], requestId: string, log: Logger): GraphQLFormattedError {
  const code = error.extensions?.['code'];
  if (isErrorCode(code) && code !== errors.internal.code) return { message: error.message, ...at(error.path), extensions: { code } };
  // The subgraph's own id stands in its log; the client gets the id of the whole request.
  log.error({ requestId, path: error.path, subgraphRequestId: error.extensions?.['requestId'], fault: error.message }, 'a field failed');
  return { message: errors.internal().message, ...at(error.path), extensions: { code: errors.internal.code, requestId } };
}

const at = (path: readonly (string | number)[] | undefined) => (path ? { path: path.filter((step) => step !== '@') } : {});
