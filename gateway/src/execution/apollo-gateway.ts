import { setImmediate as nextTurn } from 'node:timers/promises';
import { Supergraph } from '@apollo/federation-internals';
import type { GraphQLDataSource } from '@apollo/gateway';
import { ApolloGateway } from '@apollo/gateway';
import type { Logger } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { parse } from 'graphql';
import type { GatewayMetrics } from '../metrics';
import type {
  SubgraphFetch,
  SubgraphFetchOptions,
  SubgraphRequest,
  SubgraphResponse,
} from '../transport/subgraph-fetch';
import type { GraphRequest, ValidOperation } from '../validation/operation-validator';
import { createEngineNames } from './alias-rewriting';
import { inFieldOrder } from './field-order';
import type { RawAnswer } from './format-response';
import { measuredFetch } from './measured-fetch';
import { createPlanCache } from './plan/plan-cache';
import type { PlanParts } from './plan/query-plan-executor';
import type { KnownAnswer } from './prefetched-responses';
import { takeKnown } from './prefetched-responses';
import { unavailableAnswer } from './unavailable-response';

export interface EngineOptions {
  supergraphSdl: string;
  /** How to ask the subgraph of this name, which the supergraph says is at this URL. */
  subgraph: (name: string, url: string) => SubgraphFetch;
  /** Told the plan of every operation that is executed. */
  onPlan: (parts: PlanParts) => void;
  metrics: GatewayMetrics;
  log: Logger;
}

/** The federation engine over one supergraph: it plans operations, executes them, and knows what clients see of whatever goes wrong. */
export interface Engine {
  /** What clients see. */
  readonly schema: GraphQLSchema;
  /** What it was made of: the schema has lost the directives. */
  readonly supergraph: DocumentNode;
  /** By name the URL that the supergraph gives. */
  readonly subgraphs: ReadonlyMap<string, string>;
  fetchOf(subgraph: string): SubgraphFetch;
  /** What is known already is not asked again; what of it was needed is taken out. */
  execute(operation: ValidOperation, request: GraphRequest, known: KnownAnswer[]): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** What the engine hands to a data source of what we handed to the engine. */
interface EngineContext {
  readonly requestId: string;
  readonly span: Span;
  readonly known: KnownAnswer[];
  /** Whether the document is the client's to the letter. */
  readonly isOwn: boolean;
}

/** The only file that knows the engine. A supergraph that is none rejects with what is wrong with it. */
export async function openEngine({ supergraphSdl, subgraph, onPlan, metrics, log }: EngineOptions): Promise<Engine> {
  const fetches = new Map<string, SubgraphFetch>();
  const urls = new Map<string, string>();
  // What the engine finds worth telling about its start is not news to an operator.
  const engineLog = {
    debug: log.debug.bind(log),
    info: log.debug.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
  };
  // The engine's constructor would report usage to its maker and ask the network what cloud it is in.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  // In a turn of its own: while a supergraph is replaced requests wait for each of these steps, which take the event loop, but not for all at once.
  Supergraph.build(supergraphSdl, { validateSupergraph: true });
  await nextTurn();
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: false,
    buildService({ name, url }) {
      const fetch = measuredFetch(name, subgraph(name, url ?? ''), { metrics, log });
      fetches.set(name, fetch);
      urls.set(name, url ?? '');
      return dataSource(name, fetch);
    },
    queryPlannerConfig: { cache: createPlanCache(metrics.plan) },
    experimental_didResolveQueryPlan({ queryPlan, requestContext: { document, operation, context } }) {
      // With other names it is an operation that nobody asks again.
      if ((context as EngineContext).isOwn) onPlan({ plan: queryPlan.node, schema, document, operation });
    },
    // Off in every environment: a header of the client's would make the answer show the plan.
    __exposeQueryPlanExperimental: false,
    logger: engineLog,
  });
  const { schema, executor } = await gateway.load();
  await nextTurn();
  const supergraph = parse(supergraphSdl, { noLocation: true });
  const forEngine = createEngineNames(schema, supergraph);

  return {
    schema,
    supergraph,
    subgraphs: urls,
    fetchOf(name) {
      const fetch = fetches.get(name);
      if (!fetch) throw new Error(`the supergraph has no subgraph ${name}`);
      return fetch;
    },
    async execute(judged, request, known) {
      const { operationName, requestId, span } = request;
      const { document, operation, query, variables, restored } = forEngine(judged, request);
      const answer = restored(
        await executor({
          // The name steers the engine's choice of an operation and its cache of plans; a null would be a name to it.
          request: { query, ...(variables && { variables }), ...(operationName !== null && { operationName }) },
          document,
          operation,
          operationName,
          context: { requestId, span, known, isOwn: document === judged.document } satisfies EngineContext,
          schema,
          queryHash: judged.hash,
          source: query,
          logger: engineLog,
          metrics: {},
          cache: noCache,
          schemaHash: '' as never,
          overallCachePolicy: undefined,
        }),
      );
      return answer.data ? { ...answer, data: inFieldOrder(schema, judged, answer.data) } : answer;
    },
    close: () => gateway.stop(),
  };
}

/** Documents are cached by us and plans by the engine's planner; the engine has no other use for a cache. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

/** Never rejects: where a subgraph does not answer, its fields are null with the reason at each. */
function dataSource(name: string, fetch: SubgraphFetch): GraphQLDataSource {
  const answerOf = async (
    asked: SubgraphRequest,
    about: SubgraphFetchOptions,
    known: KnownAnswer[],
  ): Promise<SubgraphResponse> => {
    const before = takeKnown(known, name, asked);
    try {
      return before ? (before.answer ?? unavailableAnswer(asked)) : await fetch(asked, about);
    } catch {
      return unavailableAnswer(asked);
    }
  };
  return {
    async process({ request, context }) {
      const { query = '', variables, operationName } = request;
      const asked: SubgraphRequest = { query, variables, operationName };
      const { requestId, span, known } = context as EngineContext;
      return (await answerOf(asked, { requestId, span }, known)) as Awaited<ReturnType<GraphQLDataSource['process']>>;
    },
  };
}
