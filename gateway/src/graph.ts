import { isPromise } from 'node:util/types';
import type { Logger } from '@lectern/serving';
import type { FieldCost } from '@lectern/site';
import type { GraphQLSchema } from 'graphql';
import type { Awaitable } from './async';
import { volatileFieldsOf } from './cache/cacheability';
import { createKeptAnswers } from './cache/memory-cache';
import type { RedisCache } from './cache/redis-cache';
import type { ServedDataset } from './cache/second-level-cache';
import { createSecondLevelCache } from './cache/second-level-cache';
import { openEngine } from './execution/apollo-gateway';
import type { UnfinishedAnswer } from './execution/execute-operation';
import { createFastAnswers } from './execution/execute-operation';
import { createFastRoutes } from './execution/execution-strategies';
import type { PromisedAnswer } from './execution/format-response';
import { promisedAnswer } from './execution/format-response';
import type { GraphState, ReplicaState } from './graph-state';
import type { GatewayMetrics } from './metrics';
import type { VersionSkew } from './transport/http-subgraphs';
import type { SubgraphFetch } from './transport/subgraph-fetch';
import { readFieldCosts } from './validation/field-costs';
import type { GraphRequest, Measurement, QueryLimits } from './validation/operation-validator';
import { createOperationValidator } from './validation/operation-validator';

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
  readonly fieldCosts: ReadonlyMap<string, FieldCost>;
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
  /** Where answers that are kept lie for other gateways too; null, or left out, for nowhere. */
  answerStore?: RedisCache | null;
  metrics: GatewayMetrics;
  log: Logger;
}

/** What makes answers come faster and changes none: docs/execution.md. */
export interface FastPath {
  /** Whether an operation that one subgraph can answer alone goes there as the client wrote it. */
  direct: boolean;
  /** The memory for answers that are kept, in bytes; 0 for none. */
  keptBytes: number;
  keptSeconds: number;
  /** Whether they are shared with other gateways, where there is Redis. */
  keptShared?: boolean;
}

/** The ways to the subgraphs of one graph, and closed with it. */
export interface Subgraphs extends ServedDataset {
  /** How to ask the subgraph of this name, which the supergraph says is at this URL. */
  subgraph(name: string, url: string): SubgraphFetch;
  /** None for subgraphs that are not reached over a network. */
  replicas(): readonly ReplicaState[];
  /** Called when all have been asked for. Throws where the settings name others. */
  checkNames(): void;
  /** Where subgraphs serve different texts, what each serves. Null while all that is known is the same. */
  versionSkew(): VersionSkew | null;
  close(): Promise<void>;
}

/** The federated graph. A supergraph that is none rejects with what is wrong with it. */
export async function createGraph({
  supergraphSdl,
  subgraphs,
  limits,
  fast,
  answerStore,
  metrics,
  log,
}: GraphOptions): Promise<Graph> {
  const routes = createFastRoutes();
  const engine = await openEngine({
    supergraphSdl,
    subgraph: subgraphs.subgraph,
    onPlan: fast.direct ? routes.learn : () => {},
    metrics,
    log,
  });
  subgraphs.checkNames();
  const { schema, supergraph } = engine;
  const prices = readFieldCosts(supergraph);
  const judge = createOperationValidator(schema, prices, limits, metrics.document);
  const kept = createKeptAnswers({
    schema,
    volatileFields: volatileFieldsOf(supergraph),
    mostBytes: fast.keptBytes,
    seconds: fast.keptSeconds,
  });
  const placeOf = answerStore
    ? createSecondLevelCache({ store: answerStore, supergraphSdl, texts: subgraphs, metrics })
    : null;
  const answer = createFastAnswers({ engine, routes, metrics });

  return {
    schema,
    fieldCosts: prices,
    subgraphs: engine.subgraphs,
    state: () => ({ kept: kept.size(), replicas: subgraphs.replicas(), versionSkew: subgraphs.versionSkew() }),
    execute(request) {
      const judged = judge(request);
      if ('refusal' in judged)
        return {
          refused: true,
          measured: judged.measured ?? null,
          operationName: null,
          ...written({ errors: judged.refusal }),
        };
      const { measured, operation } = judged;
      const operationName = operation.name?.value ?? null;
      const question = kept.questionOf(judged, request.variables, request.operationName);
      // The number of the texts that it is asked of: an answer from others is not found.
      const key = question === null ? null : `${subgraphs.datasetGeneration()} ${question}`;
      const known = key === null ? undefined : kept.get(key);
      if (key !== null) metrics.keptAnswer(known ? 'hit' : 'miss');
      const again = (body: Buffer): GraphResult => {
        metrics.route('kept');
        return { refused: false, measured, operationName, codes: [], body };
      };
      if (known) return again(known);
      const place = question === null || !placeOf ? null : placeOf(question);
      const finished = (given: UnfinishedAnswer): GraphResult => {
        const { codes, body } = given.rawBody
          ? { codes: [], body: given.rawBody }
          : written(promisedAnswer(given, judged, request.requestId, log));
        if (key !== null && codes.length === 0) {
          kept.keep(key, body);
          place?.keep(body);
        }
        return { refused: false, measured, operationName, codes, body };
      };
      const answered = (): Awaitable<GraphResult> => {
        const given = answer(judged, request);
        return isPromise(given) ? given.then(finished) : finished(given);
      };
      if (key === null || !place) return answered();
      return place.find().then((found) => {
        if (!found) return answered();
        kept.keep(key, found.body, found.ms);
        return again(found.body);
      });
    },
    async answers(name) {
      try {
        const { data } = await engine.fetchOf(name)({ query: '{ __typename }' }, { requestId: 'probe' });
        return typeof data?.['__typename'] === 'string';
      } catch {
        return false;
      }
    },
    async close() {
      await engine.close();
      await subgraphs.close();
    },
  };
}

const written = (answer: PromisedAnswer): Pick<GraphResult, 'codes' | 'body'> => ({
  codes: answer.errors?.map(({ extensions }) => String(extensions?.['code'])) ?? [],
  body: JSON.stringify(answer),
});
