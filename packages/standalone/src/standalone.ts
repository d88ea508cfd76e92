import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '@lectern/gateway';
import type { GatewayParts } from '@lectern/gateway';
import type { Listening } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import type { Execute } from '@lectern/subgraph';
import { createTextSubgraph } from '@lectern/text';
import type { TextOptions } from '@lectern/text';

export interface StandaloneOptions extends Omit<GatewayParts, 'supergraphSdl' | 'subgraph'>, Pick<TextOptions, 'now' | 'random' | 'onStatement'> {
  corpusFile: string;
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/** The whole graph in this process: the gateway over HTTP, and behind it the subgraphs by a call. */
export async function startStandalone({ corpusFile, now, random, onStatement, ...gateway }: StandaloneOptions): Promise<Listening> {
  const text = createTextSubgraph({ corpusFile, ...(now && { now }), ...(random && { random }), ...(onStatement && { onStatement }) });
  const subgraphs = [text];
  const byName = new Map<string, Execute>(subgraphs.map((subgraph) => [subgraph.name, executeInProcess(subgraph, gateway.log)]));

  const listening = await startGateway({
    ...gateway,
    supergraphSdl: readFileSync(supergraphFile, 'utf8'),
    subgraph: (name) => {
      const execute = byName.get(name);
      if (!execute) throw new Error(`supergraph.graphql names a subgraph that this process does not have: ${name}. Run \`npm run compose\`.`);
      return execute;
    },
  });
  return {
    ...listening,
    close: async (graceMs) => {
      await listening.close(graceMs);
      for (const subgraph of subgraphs) subgraph.close();
    },
  };
}
