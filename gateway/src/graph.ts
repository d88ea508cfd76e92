import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPromise } from 'node:util/types';
import { Supergraph } from '@apollo/federation-internals';
import { ApolloGateway } from '@apollo/gateway';
import type { GraphQLDataSource } from '@apollo/gateway';
import { createCompiledKept } from '@lectern/execution';
import type { Logger } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { namedForEngine } from './engine-names';
import type { DirectRoute } from './fast/direct-route';
import { fastRoute } from './fast/fast-route';
import type { FastRoute } from './fast/fast-route';
import { createKeptAnswers } from './fast/kept-answers';
import { createPlanCache } from './fast/plan-cache';
import type { PlanRunner, PlansKept } from './fast/plan-runner';
import { volatileFieldsOf } from './fast/volatile-fields';
import type { GraphState, ReplicaState } from './graph-state';
import { pricesOf } from './limits/prices';
import type { Price } from './limits/prices';
import { createJudge } from './operation';
import type { Asked, GoodOperation, Measurement, QueryLimits } from './operation';
import type { Observations } from './observations';
import { promisedAnswer } from './promised-answer';
import type { PromisedAnswer, RawAnswer } from './promised-answer';
import { findKnown } from './subgraphs/known-answers';
import type { KnownAnswer } from './subgraphs/known-answers';
import type { AboutRequest, SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './subgraphs/subgraph-fetch';
import type { MixedCorpora } from './subgraphs/http-subgraphs';
import { observedFetch } from './subgraphs/observed-fetch';
import { unavailableAnswer } from './subgraphs/unavailable';
import type { Awaitable } from './when-known';

export interface GraphRequest extends Asked {
  requestId: string;
  /** What it is a part of, where that is traced. */
  span: Span;
}

export interface GraphResult {
  /** Nothing was executed, because the document, the operation's name or the variables are wrong. */
  readonly refused: boolean;
  /** Null where the document was refused before it could be measured. */
  readonly measured: Measurement | null;
  /** As the document has it; null where it has no name or nothing was executed. */
  readonly operationName: string | null;
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
  /** What stands at this moment, for whoever watches. */
  state(): GraphState;
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
  /** None for subgraphs that are not reached over a network. */
  replicas(): readonly ReplicaState[];
  /** Called when all have been asked for. Throws where the settings name others. */
  checkNames(): void;
  /** Where subgraphs serve different texts, what each serves. Null while all that is known is the same. */
  mixedCorpora(): MixedCorpora | null;
  /** Another number whenever a subgraph is found to serve other texts than before: answers from the others are no good then. */
  corporaSeen(): number;
  close(): Promise<void>;
}

/** What the engine hands to a data source of what we handed to the engine. */
interface EngineContext {
  requestId: string;
  span: Span;
  readonly known: readonly KnownAnswer[];
}

/** The federated graph: the only file that knows the engine. A supergraph that is none rejects with what is wrong with it. */
export async function createGraph({ supergraphSdl, subgraphs, limits, fast, observations, log }: GraphOptions): Promise<Graph> {
  const fetches = new Map<string, SubgraphFetch>();
  const urls = new Map<string, string>();
  // What the planner found out about an operation, kept with its document and as long as that.
  const routes = new WeakMap<OperationDefinitionNode, FastRoute>();
  const plansKept: PlansKept = createCompiledKept();
  // What the engine finds worth telling about its start is not news to an operator.
  const engineLog = { debug: log.debug.bind(log), info: log.debug.bind(log), warn: log.warn.bind(log), error: log.error.bind(log) };
  // The engine's constructor would report usage to its maker and ask the network what cloud it is in.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  // In a turn of its own: while a supergraph is replaced requests wait for each of these steps, which take the event loop, but not for all at once.
  Supergraph.build(supergraphSdl, { validateSupergraph: true });
  await nextTurn();
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: false,
    buildService({ name, url }) {
      const fetch = observedFetch(name, subgraphs.subgraph(name, url ?? ''), { observations, log });
      fetches.set(name, fetch);
      urls.set(name, url ?? '');
      return dataSource(name, fetch);
    },
    queryPlannerConfig: { cache: createPlanCache(observations.plan) },
    experimental_didResolveQueryPlan({ queryPlan, requestContext: { document, operation } }) {
      if (fast.direct && !routes.has(operation)) routes.set(operation, fastRoute({ plan: queryPlan.node, schema, document, operation }, plansKept));
    },
    // Off in every environment: a header of the client's would make the answer show the plan.
    __exposeQueryPlanExperimental: false,
    logger: engineLog,
  });
  const { schema, executor } = await gateway.load();
  await nextTurn();
  subgraphs.checkNames();
  // From the supergraph's own text: the schema that the engine shows to clients has lost the directives.
  const prices = pricesOf(supergraphSdl);
  const judge = createJudge(schema, prices, limits, observations.document);
  const fetchOf = (name: string): SubgraphFetch => {
    const fetch = fetches.get(name);
    if (!fetch) throw new Error(`the plan names a subgraph that the supergraph does not: ${name}`);
    return fetch;
  };
  const kept = createKeptAnswers({ schema, volatileFields: volatileFieldsOf(supergraphSdl), mostBytes: fast.keptBytes, seconds: fast.keptSeconds });

  const throughEngine = (judged: GoodOperation, request: GraphRequest, known: readonly KnownAnswer[]): Promise<EngineResult> => {
    const { operationName, requestId, span } = request;
    const { document, operation, query, variables } = namedForEngine(judged, request);
    return executor({
      // The name steers the engine's choice of an operation and its cache of plans; a null would be a name to it.
      request: { query, ...(variables && { variables }), ...(operationName !== null && { operationName }) },
      document, operation, operationName, context: { requestId, span, known } satisfies EngineContext, schema,
      queryHash: judged.hash, source: query, logger: engineLog, metrics: {}, cache: noCache, schemaHash: '' as never, overallCachePolicy: undefined,
    });
  };

  const directly = (route: DirectRoute, judged: GoodOperation, request: GraphRequest, answered: (result: EngineResult) => GraphResult): Awaitable<GraphResult> => {
    const { requestId, span } = request;
    // The engine knows which fields an answer that did not come, or came without data, leaves null, and how far up a null goes.
    const instead = (answer: SubgraphAnswer | null) => throughEngine(judged, request, [{ subgraph: route.subgraph, request: null, answer }]).then(answered);
    const taken = (answer: SubgraphAnswer) => (answer.whole || answer.data ? answered(answer) : instead(answer));
    let answer;
    try {
      answer = fetchOf(route.subgraph)(directRequest(route, request), { requestId, span, takesWhole: true });
    } catch {
      return instead(null);
    }
    return isPromise(answer) ? answer.then(taken, () => instead(null)) : taken(answer);
  };

  const byPlan = async (run: PlanRunner, judged: GoodOperation, request: GraphRequest): Promise<EngineResult> => {
    const { requestId, span } = request;
    const known: KnownAnswer[] = [];
    const data = await run({ variables: request.variables, coerced: judged.coerced }, async (subgraph, asked) => {
      try {
        const answer = await fetchOf(subgraph)(asked, { requestId, span });
        known.push({ subgraph, request: asked, answer });
        return answer;
      } catch (error) {
        known.push({ subgraph, request: asked, answer: null });
        throw error;
      }
    });
    return data ? { data } : throughEngine(judged, request, known);
  };

  return {
    schema,
    prices,
    subgraphs: urls,
    state: () => ({ kept: kept.size(), replicas: subgraphs.replicas(), mixedCorpora: subgraphs.mixedCorpora() }),
    execute(request) {
      const judged = judge(request);
      if ('refusal' in judged) return { refused: true, measured: judged.measured ?? null, operationName: null, ...written({ errors: judged.refusal }) };
      const { measured, operation } = judged;
      const operationName = operation.name?.value ?? null;
      const key = kept.keyOf(judged, request.variables, request.operationName, subgraphs.corporaSeen());
      const known = key === null ? undefined : kept.get(key);
      if (key !== null) observations.keptAnswer(known ? 'hit' : 'miss');
      if (known) {
        observations.route('kept');
        return { refused: false, measured, operationName, codes: [], body: known };
      }
      const route = routes.get(operation);
      const answered = (result: EngineResult): GraphResult => {
        const { codes, body } = result.whole ? { codes: [], body: result.whole } : written(promisedAnswer(result, judged, request.requestId, log));
        if (key !== null && codes.length === 0) kept.keep(key, body);
        return { refused: false, measured, operationName, codes, body };
      };
      observations.route(route?.direct ? 'direct' : 'planned');
      if (route?.direct) return directly(route.direct, judged, request, answered);
      if (route?.run) return byPlan(route.run, judged, request).then(answered);
      return throughEngine(judged, request, []).then(answered);
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

/** What becomes of an answer, wherever it came from. */
interface EngineResult extends RawAnswer {
  whole?: Buffer | undefined;
}

const written = (answer: PromisedAnswer): Pick<GraphResult, 'codes' | 'body'> => ({
  codes: answer.errors?.map(({ extensions }) => String(extensions?.['code'])) ?? [],
  body: JSON.stringify(answer),
});

function directRequest({ query, variables }: DirectRoute, request: GraphRequest): SubgraphRequest {
  if (!request.variables || variables.length === 0) return { query };
  // Only what is declared: a subgraph never sees what a client sends beside it.
  if (Object.keys(request.variables).every((name) => variables.includes(name))) return { query, variables: request.variables };
  const declared: Record<string, unknown> = Object.create(null);
  for (const name of variables) if (Object.hasOwn(request.variables, name)) declared[name] = request.variables[name];
  return { query, variables: declared };
}

/** Documents are cached by us and plans by the engine's planner; the engine has no other use for a cache. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

/** Never rejects: where a subgraph does not answer, its fields are null with the reason at each. */
function dataSource(name: string, fetch: SubgraphFetch): GraphQLDataSource {
  const answerOf = async (asked: SubgraphRequest, about: AboutRequest, known: readonly KnownAnswer[]): Promise<SubgraphAnswer> => {
    const before = findKnown(known, name, asked);
    try {
      return before ? before.answer ?? unavailableAnswer(asked) : await fetch(asked, about);
    } catch {
      return unavailableAnswer(asked);
    }
  };
  return {
    async process({ request, context }) {
      const { query = '', variables, operationName } = request;
      const asked: SubgraphRequest = { query, variables, operationName };
      const { requestId, span, known } = context as EngineContext;
      return await answerOf(asked, { requestId, span }, known) as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}
