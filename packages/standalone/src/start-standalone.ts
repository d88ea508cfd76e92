import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import type { Gateway, GatewayParts } from '@lectern/gateway';
import { startGateway } from '@lectern/gateway';
import type { SearchOptions } from '@lectern/search';
import { createSearchSubgraph } from '@lectern/search';
import type { Execute, Subgraph } from '@lectern/subgraph';
import { executeInProcess } from '@lectern/subgraph';
import { createTextSubgraph } from '@lectern/text';
import { dataFiles } from './build-data';

export interface StandaloneOptions extends Omit<GatewayParts, 'supergraph' | 'supergraphPollMs' | 'openSubgraphs'> {
  /** The folder that `buildData` has filled. */
  dataDir: string;
  /** What finds verses by meaning; null for none. */
  semantic: SearchOptions['semantic'];
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/** The whole graph in this process: the gateway over HTTP, and behind it the subgraphs by a call. */
export async function startStandalone({ dataDir, semantic, ...gateway }: StandaloneOptions): Promise<Gateway> {
  const { corpusFile, searchFile, concordanceFile } = dataFiles(dataDir);
  const subgraphs: Subgraph[] = [];
  const byName = new Map<string, Execute>();
  const add = <Context>(subgraph: Subgraph<Context>) => {
    subgraphs.push(subgraph);
    byName.set(subgraph.name, executeInProcess(subgraph, gateway.log, { compiled: gateway.fast.direct }));
  };
  add(createTextSubgraph({ corpusFile }));
  add(
    await createSearchSubgraph({
      searchFile,
      semantic,
      ...(gateway.telemetry && { metrics: gateway.telemetry.metrics }),
    }),
  );
  add(createConcordanceSubgraph({ concordanceFile: concordanceFile }));

  const [digest = null, ...others] = new Set(subgraphs.map(({ datasetVersion }) => datasetVersion));
  const datasetVersion = others.length === 0 ? digest : null;

  const closeAll = () => Promise.all(subgraphs.map((subgraph) => subgraph.close()));
  const listening = await startGateway({
    ...gateway,
    supergraph: supergraphFile,
    // It is of this very version, as the subgraphs are.
    supergraphPollMs: 0,
    openSubgraphs: () => ({
      subgraph(name) {
        const execute = byName.get(name);
        if (!execute)
          throw new Error(
            `supergraph.graphql names a subgraph that this process does not have: ${name}. Run \`npm run compose\`.`,
          );
        return execute;
      },
      replicas: () => [],
      checkNames() {},
      // One process builds and opens all of its files together.
      versionSkew: () => null,
      datasetVersion: () => datasetVersion,
      datasetGeneration: () => 0,
      async close() {},
    }),
  }).catch(async (error: unknown) => {
    // The model may be on its way into memory, and a process that ends in the middle of that is aborted.
    await closeAll();
    throw error;
  });
  return {
    ...listening,
    close: async (graceMs, isReplaced) => {
      await listening.close(graceMs, isReplaced);
      await closeAll();
    },
  };
}
