import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import type { Gateway, GatewayParts } from '@lectern/gateway';
import { startGateway, subgraphsWithoutReplicas } from '@lectern/gateway';
import type { SearchOptions } from '@lectern/search';
import { createSearchSubgraph } from '@lectern/search';
import type { Execute, Subgraph, WorkContext } from '@lectern/subgraph';
import { createWorkScheduler, executeInProcess, unavailableParts } from '@lectern/subgraph';
import { createTextSubgraph } from '@lectern/text';
import { dataFiles } from './build-data';

export interface StandaloneOptions extends Omit<GatewayParts, 'supergraph' | 'supergraphPollMs' | 'openSubgraphs'> {
  /** The file of the supergraph. By default the file of this version of the code. */
  supergraph?: string;
  /** The path of a data folder that `buildData` has filled. */
  dataDir: string;
  /** The options of semantic search. Null disables it. */
  semantic: SearchOptions['semantic'];
  /** How long one request may compute in a subgraph, in milliseconds: the setting REQUEST_CPU_MS. */
  requestCpuMs?: number | undefined;
  /** Whether the reference parser is loaded before listening. True by default. */
  preloadParser?: boolean;
}

const supergraphFile = join(__dirname, '..', '..', '..', 'supergraph.graphql');

/**
 * Starts the whole graph in this process: the gateway listens for HTTP and calls the subgraphs as
 * functions.
 */
export async function startStandalone({
  supergraph = supergraphFile,
  dataDir,
  semantic,
  requestCpuMs,
  preloadParser = true,
  ...gatewayParts
}: StandaloneOptions): Promise<Gateway> {
  const { corpusFile, searchFile, concordanceFile } = dataFiles(dataDir);
  const subgraphs: Subgraph[] = [];
  const executeByName = new Map<string, Execute>();
  const add = <Context extends WorkContext>(subgraph: Subgraph<Context>) => {
    subgraphs.push(subgraph);
    executeByName.set(
      subgraph.name,
      executeInProcess(subgraph, gatewayParts.log, { compiled: gatewayParts.executionStrategy === 'auto' }),
    );
  };
  // The gateway and the subgraphs share the thread, so they share its scheduler.
  const scheduler = createWorkScheduler({ ...(requestCpuMs !== undefined && { requestCpuMs }) });
  add(createTextSubgraph({ corpusFile, preloadParser, scheduler }));
  add(
    await createSearchSubgraph({
      searchFile,
      semantic,
      preloadParser,
      scheduler,
      ...(gatewayParts.telemetry && { metrics: gatewayParts.telemetry.metrics }),
    }),
  );
  add(createConcordanceSubgraph({ concordanceFile, scheduler }));

  const datasetVersion = commonDatasetVersion(subgraphs);
  const closeSubgraphs = () => Promise.all(subgraphs.map((subgraph) => subgraph.close()));
  const gateway = await startGateway({
    ...gatewayParts,
    scheduler,
    supergraph,
    // The file belongs to this version of the code and does not change while the process runs.
    supergraphPollMs: 0,
    // One process builds and opens all files together, so the subgraphs never skew while it runs.
    openSubgraphs: () => ({
      ...subgraphsWithoutReplicas,
      subgraph(name) {
        const execute = executeByName.get(name);
        if (!execute)
          throw new Error(
            `supergraph.graphql names a subgraph that this process does not have: ${name}. Run \`npm run compose\`.`,
          );
        return execute;
      },
      health: () => ({
        isTokenRejected: false,
        degraded: subgraphs.flatMap(unavailableParts),
      }),
      datasetVersion: () => datasetVersion,
    }),
  }).catch(async (error: unknown) => {
    // The embedding model may still be loading. The process would abort if it ended before the
    // model is closed.
    await closeSubgraphs();
    throw error;
  });
  return {
    ...gateway,
    close: async (options) => {
      await gateway.close(options);
      await closeSubgraphs();
    },
  };
}

/**
 * Returns the dataset version of all subgraphs. Returns null if the subgraphs have different
 * versions.
 */
function commonDatasetVersion(subgraphs: readonly Subgraph[]): string | null {
  const [version = null, ...others] = new Set(subgraphs.map(({ datasetVersion }) => datasetVersion));
  return others.length === 0 ? version : null;
}
