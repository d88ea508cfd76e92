import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import { noSpan, silentMetrics } from '@lectern/telemetry';
import type { GraphOptions } from '../src/graph';
import { createGraph } from '../src/graph';
import type { GraphResponse } from '../src/http/graph-stages';
import { runGraphStages } from '../src/http/graph-stages';
import type { GatewayMetrics } from '../src/metrics';
import { createGatewayMetrics } from '../src/metrics';
import type { Awaitable } from '../src/shared/awaitable';
import { transportWithoutReplicas } from '../src/transport/in-process';
import type { SubgraphFetchOptions } from '../src/transport/replica-fetch';

export const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');

export interface TestGraphOptions extends Partial<Omit<GraphOptions, 'subgraphs' | 'metrics'>> {
  /** Responds in place of each subgraph. The subgraph is unavailable if the function throws. */
  fetch: (subgraph: string, request: SubgraphRequest, options: SubgraphFetchOptions) => Awaitable<SubgraphResponse>;
  metrics?: Partial<GatewayMetrics>;
}

/** Opens the stages of a request after its HTTP part, with simulated subgraphs. */
export async function openTestGraph({ fetch, metrics, ...options }: TestGraphOptions) {
  const graph = await createGraph({
    supergraphSdl,
    limits: { tokens: 5_000, depth: 15, complexity: 300 },
    executionStrategy: 'auto',
    responseCache: { maxBytes: 0, maxSeconds: 0 },
    log: silentLogger,
    ...options,
    metrics: { ...createGatewayMetrics(silentMetrics), ...metrics },
    subgraphs: {
      ...transportWithoutReplicas,
      subgraph: (name) => (request, fetchOptions) => fetch(name, request, fetchOptions),
    },
  });
  return {
    respond: async (
      query: string,
      variables: Record<string, unknown> | null = null,
      operationName: string | null = null,
    ): Promise<GraphResponse> =>
      runGraphStages(
        graph,
        { query, variables, operationName },
        {
          requestId: 'request',
          keyId: 'a key',
          rights: '',
          span: noSpan,
          work: graph.createBudget({ clients: ['a key', '192.0.2.1'] }),
        },
        (response) => response,
      ),
    checkDocument: graph.checkDocument,
    close: graph.close,
  };
}
