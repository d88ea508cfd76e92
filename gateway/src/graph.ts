import { isPromise } from 'node:util/types';
import { ApolloGateway } from '@apollo/gateway';
import type { GraphQLDataSource } from '@apollo/gateway';
import { isErrorCode, errors } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import type { Tracing } from '@lectern/telemetry';
import type { GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { inOrder } from './error-order';
import { directRoute } from './fast/direct-route';
import type { DirectRoute } from './fast/direct-route';
import { createKeptAnswers } from './fast/kept-answers';
import { volatileFieldsOf } from './fast/volatile-fields';
import { pricesOf } from './limits/prices';
import type { Price } from './limits/prices';
import { createJudge } from './operation';
import type { Asked, GoodOperation, Measurement, QueryLimits } from './operation';
import type { Observations } from './observations';
import type { SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './subgraphs/subgraph-fetch';
import { unavailableAnswer } from './subgraphs/unavailable';
import type { Awaitable } from './when-known';

export interface GraphRequest extends Asked {
  requestId: string;
}

interface GraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
}

export interface GraphResult {
  /** Nothing was executed, because the document, the operation's name or the variables are wrong. */
  readonly refused: boolean;
  /** Null where the document was refused before it could be measured. */
  readonly measured: Measurement | null;
  /** The codes of the errors in the answer, in their order. */
  readonly codes: readonly string[];
  /** The answer as JSON. */
  readonly body: string | Buffer;
}

export interface Graph {
  /** What clients see. */
  readonly schema: GraphQLSchema;
  readonly prices: ReadonlyMap<string, Price>;
  /** By name the URL that the supergraph gives. */
  readonly subgraphs: ReadonlyMap<string, string>;
  execute(request: GraphRequest): Awaitable<GraphResult>;
  /** Whether a subgraph answers the least of questions now. */
  answers(subgraph: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface GraphOptions {
  supergraphSdl: string;
  subgraphs: Subgraphs;
  limits: QueryLimits;
  fast: FastPath;
  observations: Observations;
  tracing: Tracing;
  log: Logger;
}

/** What makes answers come faster and changes none: docs/fast-path.md. */
export interface FastPath {
  /** Whether an operation that one subgraph can answer alone goes there as the client wrote it. */
  direct: boolean;
  /** The memory for answers that are kept, in bytes; 0 for none. */
  keptBytes: number;
  keptSeconds: number;
}

/** The ways to the subgraphs of one graph, and closed with it. */
export interface Subgraphs {
  /** How to ask the subgraph of this name, which the supergraph says is at this URL. */
  subgraph(name: string, url: string): SubgraphFetch;
  /** Called when all have been asked for. Throws where the settings name others. */
  checkNames(): void;
  close(): Promise<void>;
}

/** What the engine hands to a data source of what we handed to the engine. */
interface EngineContext {
  requestId: string;
  /** A subgraph that has just failed to answer this request, and is not asked again for it. */
  down?: string;
}

/** The federated graph: the only file that knows the engine. A supergraph that is none rejects with what is wrong with it. */
export async function createGraph({ supergraphSdl, subgraphs, limits, fast, observations, tracing, log }: GraphOptions): Promise<Graph> {
  const fetches = new Map<string, SubgraphFetch>();
  const urls = new Map<string, string>();
  // What the planner found out about an operation, kept with its document and as long as that.
  const routes = new WeakMap<OperationDefinitionNode, DirectRoute | null>();
  // What the engine finds worth telling about its start is not news to an operator.
  const engineLog = { debug: log.debug.bind(log), info: log.debug.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) };
  // The engine's constructor would report usage to its maker and ask the network what cloud it is in.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService({ name, url }) {
      const fetch = observed(name, subgraphs.subgraph(name, url ?? ''), { observations, tracing, log });
      fetches.set(name, fetch);
      urls.set(name, url ?? '');
      return dataSource(name, fetch);
    },
    experimental_didResolveQueryPlan({ queryPlan, requestContext: { document, operation, operationName } }) {
      if (fast.direct && !routes.has(operation)) routes.set(operation, directRoute(queryPlan.node, document, operationName));
    },
    // Off in every environment: a header of the client's would make the answer show the plan.
    __exposeQueryPlanExperimental: false,
    logger: engineLog,
  });
  const { schema, executor } = await gateway.load();
  subgraphs.checkNames();
  // From the supergraph's own text: the schema that the engine shows to clients has lost the directives.
  const prices = pricesOf(supergraphSdl);
  const judge = createJudge(schema, prices, limits, observations.document);
  const kept = createKeptAnswers({ schema, volatileFields: volatileFieldsOf(supergraphSdl), mostBytes: fast.keptBytes, seconds: fast.keptSeconds });

  const throughEngine = ({ document, operation, hash }: GoodOperation, { query, variables, operationName }: GraphRequest, context: EngineContext): Promise<EngineResult> =>
    executor({
      // The name steers the engine's choice of an operation and its cache of plans; a null would be a name to it.
      request: { query, ...(variables && { variables }), ...(operationName !== null && { operationName }) },
      document, operation, operationName, context, schema,
      queryHash: hash, source: query, logger: engineLog, metrics: {}, cache: noCache, schemaHash: '' as never, overallCachePolicy: undefined,
    });

  return {
    schema,
    prices,
    subgraphs: urls,
    execute(request) {
      const judged = judge(request);
      if ('refusal' in judged) return { refused: true, measured: judged.measured ?? null, ...written({ errors: judged.refusal }) };
      const key = kept.keyOf(judged, request.variables, request.operationName);
      const known = key === null ? undefined : kept.get(key);
      if (known) {
        observations.route('kept');
        return { refused: false, measured: judged.measured, codes: [], body: known };
      }
      const { requestId } = request;
      const route = routes.get(judged.operation);
      const fetch = route && fetches.get(route.subgraph);
      observations.route(fetch ? 'direct' : 'planned');
      const { measured } = judged;
      const answered = (result: EngineResult): GraphResult => {
        const { codes, body } = result.whole ? { codes: [], body: result.whole } : written(finished(result, judged, requestId, log));
        if (key !== null && codes.length === 0) kept.keep(key, body);
        return { refused: false, measured, codes, body };
      };
      if (!fetch) return throughEngine(judged, request, { requestId }).then(answered);
      // The engine knows which fields an answer that did not come leaves null, and how far up a null goes.
      const instead = () => throughEngine(judged, request, { requestId, down: route.subgraph }).then(answered);
      try {
        const answer = fetch(directRequest(route, request), { requestId, takesWhole: true });
        return isPromise(answer) ? answer.then(answered, instead) : answered(answer);
      } catch {
        return instead();
      }
    },
    async answers(name) {
      try {
        const answer = await fetches.get(name)?.({ query: '{ __typename }' }, { requestId: 'probe' });
        return typeof answer?.data?.['__typename'] === 'string';
      } catch {
        return false;
      }
    },
    async close() {
      await gateway.stop();
      await subgraphs.close();
    },
  };
}

const written = (answer: GraphAnswer): Pick<GraphResult, 'codes' | 'body'> => ({
  codes: answer.errors?.map(({ extensions }) => String(extensions?.['code'])) ?? [],
  body: JSON.stringify(answer),
});

function directRequest({ query, variables }: DirectRoute, request: GraphRequest): SubgraphRequest {
  if (!request.variables || variables.length === 0) return { query };
  // Only what is declared: a subgraph never sees what a client sends beside it.
  const declared: Record<string, unknown> = Object.create(null);
  for (const name of variables) if (Object.hasOwn(request.variables, name)) declared[name] = request.variables[name];
  return { query, variables: declared };
}

/** Documents are cached by us and plans by the engine's planner; the engine has no other use for a cache. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

const observed = (name: string, fetch: SubgraphFetch, { observations, tracing, log }: Pick<GraphOptions, 'observations' | 'tracing' | 'log'>): SubgraphFetch => (request, about) => {
  const began = performance.now();
  const answered = (answer: SubgraphAnswer): SubgraphAnswer => {
    observations.subgraphCall(name, 'answered', (performance.now() - began) / 1_000);
    return answer;
  };
  const failed = (error: unknown): never => {
    observations.subgraphCall(name, 'failed', (performance.now() - began) / 1_000);
    log.warn({ err: error, subgraph: name, requestId: about.requestId }, 'a subgraph does not answer');
    throw error;
  };
  let answer: Awaitable<SubgraphAnswer>;
  try {
    answer = tracing.on
      ? tracing.span(`subgraph ${name}`, 'client', { 'lectern.subgraph': name }, async () => fetch(request, { ...about, headers: tracing.outgoing() }))
      : fetch(request, about);
  } catch (error) {
    return failed(error);
  }
  return isPromise(answer) ? answer.then(answered, failed) : answered(answer);
};

/** Never rejects: where a subgraph does not answer, its fields are null with the reason at each. */
function dataSource(name: string, fetch: SubgraphFetch): GraphQLDataSource {
  const answerOf = async (asked: SubgraphRequest, requestId: string, down: string | undefined): Promise<SubgraphAnswer> => {
    try {
      return down === name ? unavailableAnswer(asked) : await fetch(asked, { requestId });
    } catch {
      return unavailableAnswer(asked);
    }
  };
  return {
    async process({ request, context }) {
      const { query = '', variables, operationName } = request;
      const asked: SubgraphRequest = { query, variables, operationName };
      const { requestId, down } = context as EngineContext;
      return await answerOf(asked, requestId, down) as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}

interface EngineResult {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly { message: string; path?: readonly (string | number)[] | undefined; extensions?: Record<string, unknown> | undefined }[] | undefined;
  extensions?: Record<string, unknown> | undefined;
  whole?: Buffer | undefined;
}

/** Turns what the engine says into what clients are promised: codes of the catalogue, paths without the engine's own marks. */
function finished(result: EngineResult, { document, operation }: GoodOperation, requestId: string, log: Logger): GraphAnswer {
  const data = result.data ?? null;
  // Nulls that nobody reported: the engine found the answer of a subgraph not to fit the schema.
  const unreported = (result.extensions?.['valueCompletion'] ?? []) as NonNullable<EngineResult['errors']>;
  const all = [
    ...(result.errors ?? []).map((error) => visible(error, requestId, log)),
    ...unreported.map((error) => ({ ...at(error.path), message: errors.subgraphUnavailable().message, extensions: { code: errors.subgraphUnavailable.code } })),
  ];
  return all.length > 0 ? { errors: inOrder(all, document, operation), data } : { data };
}

function visible(error: NonNullable<EngineResult['errors']>[number], requestId: string, log: Logger): GraphQLFormattedError {
  const code = error.extensions?.['code'];
  if (isErrorCode(code) && code !== errors.internal.code) return { message: error.message, ...at(error.path), extensions: { code } };
  // The subgraph's own id stands in its log; the client gets the id of the whole request.
  log.error({ requestId, path: error.path, subgraphRequestId: error.extensions?.['requestId'], fault: error.message }, 'a field failed');
  return { message: errors.internal().message, ...at(error.path), extensions: { code: errors.internal.code, requestId } };
}

const at = (path: readonly (string | number)[] | undefined) => (path ? { path: path.filter((step) => step !== '@') } : {});
