import { isPromise } from 'node:util/types';
import type { Awaitable } from '../async';
import type { GatewayMetrics } from '../metrics';
import type { SubgraphRequest, SubgraphResponse } from '../transport/subgraph-fetch';
import type { GraphRequest, ValidOperation } from '../validation/operation-validator';
import type { Engine } from './apollo-gateway';
import type { FastRoutes } from './execution-strategies';
import type { RawAnswer } from './format-response';
import type { DirectRoute } from './pass-through';
import type { PlanRunner } from './plan/query-plan-executor';
import type { KnownAnswer } from './prefetched-responses';

/** As the engine gives it, or whole: as bytes of the one subgraph that gave it. */
export interface UnfinishedAnswer extends RawAnswer {
  rawBody?: Buffer | undefined;
}

export interface FastParts {
  engine: Pick<Engine, 'execute' | 'fetchOf'>;
  /** Empty where everything is to go through the engine. */
  routes: Pick<FastRoutes, 'of'>;
  metrics: Pick<GatewayMetrics, 'route'>;
}

/** Answers an operation on the shortest way that is known for it: from one subgraph, by its plan, or through the engine, which also has whatever went wrong on the others. */
export function createFastAnswers({ engine, routes, metrics }: FastParts) {
  const byEngine = (judged: ValidOperation, request: GraphRequest, known: KnownAnswer[]): Promise<UnfinishedAnswer> => {
    metrics.route('engine');
    return engine.execute(judged, request, known);
  };

  const directly = (route: DirectRoute, judged: ValidOperation, request: GraphRequest): Awaitable<UnfinishedAnswer> => {
    const { requestId, span } = request;
    // The engine knows which fields an answer that did not come, or came without data, leaves null, and how far up a null goes.
    const instead = (answer: SubgraphResponse | null) =>
      byEngine(judged, request, [{ subgraph: route.subgraph, request: null, answer }]);
    const taken = (answer: SubgraphResponse) => {
      if (!answer.rawBody && !answer.data) return instead(answer);
      metrics.route('direct');
      return answer;
    };
    let answer;
    try {
      answer = engine.fetchOf(route.subgraph)(directRequest(route, request.variables), {
        requestId,
        span,
        acceptsRawBody: true,
      });
    } catch {
      return instead(null);
    }
    return isPromise(answer) ? answer.then(taken, () => instead(null)) : taken(answer);
  };

  const byPlan = async (run: PlanRunner, judged: ValidOperation, request: GraphRequest): Promise<UnfinishedAnswer> => {
    const { requestId, span } = request;
    const known: KnownAnswer[] = [];
    const data = await run({ variables: request.variables, coerced: judged.coerced }, async (subgraph, asked) => {
      try {
        const answer = await engine.fetchOf(subgraph)(asked, { requestId, span });
        known.push({ subgraph, request: asked, answer });
        return answer;
      } catch (error) {
        known.push({ subgraph, request: asked, answer: null });
        throw error;
      }
    });
    if (!data) return byEngine(judged, request, known);
    metrics.route('planned');
    return { data };
  };

  return (judged: ValidOperation, request: GraphRequest): Awaitable<UnfinishedAnswer> => {
    const route = routes.of(judged.operation);
    if (route?.direct) return directly(route.direct, judged, request);
    return route?.run ? byPlan(route.run, judged, request) : byEngine(judged, request, []);
  };
}

function directRequest(
  { query, variables: declared }: DirectRoute,
  given: Readonly<Record<string, unknown>> | null,
): SubgraphRequest {
  if (!given || declared.length === 0) return { query };
  // Only what is declared: a subgraph never sees what a client sends beside it.
  if (Object.keys(given).every((name) => declared.includes(name))) return { query, variables: given };
  const variables: Record<string, unknown> = Object.create(null);
  for (const name of declared) if (Object.hasOwn(given, name)) variables[name] = given[name];
  return { query, variables };
}
