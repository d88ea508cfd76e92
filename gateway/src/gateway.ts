import type { Environment, Keys } from '@lectern/keys';
import { listen } from '@lectern/serving';
import type { Listening, Logger } from '@lectern/serving';
import { createAuth } from './auth';
import { createGraph } from './graph';
import { createCors } from './http/cors';
import { createGraphqlHandler } from './http/handle-graphql';
import { createGatewayServer } from './http/server';
import type { QueryLimits } from './operation';
import type { SubgraphFetch } from './subgraphs/subgraph-fetch';

export interface GatewayParts {
  supergraphSdl: string;
  subgraph: (name: string, url: string) => SubgraphFetch;
  keys: Pick<Keys, 'authenticate'>;
  environment: Environment;
  corsOrigins: string;
  mostBodyBytes: number;
  limits: QueryLimits;
  host: string;
  port: number;
  log: Logger;
}

/** A gateway that listens. `close` drains: /ready turns 503 and requests under way finish. The keys and subgraphs stay their owner's to close. */
export async function startGateway({ supergraphSdl, subgraph, keys, environment, corsOrigins, mostBodyBytes, limits, host, port, log }: GatewayParts): Promise<Listening> {
  const graph = await createGraph({ supergraphSdl, subgraph, limits, log });
  let ready = true;
  const server = createGatewayServer({
    graphql: createGraphqlHandler({ authenticate: createAuth(keys, environment), graph, cors: createCors(corsOrigins), mostBodyBytes, log }),
    isReady: () => ready,
  });
  const listening = await listen(server, { host, port });
  return {
    ...listening,
    close: async (graceMs) => {
      ready = false;
      await listening.close(graceMs);
      await graph.close();
    },
  };
}
