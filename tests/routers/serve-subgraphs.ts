import { createConcordanceSubgraph } from '@lectern/concordance';
import { createSearchSubgraph } from '@lectern/search';
import type { Listening, WorkContext } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { createStudySubgraph } from '@lectern/study';
import type { Subgraph } from '@lectern/subgraph';
import { serveSubgraph } from '@lectern/subgraph';
import { createMetrics } from '@lectern/telemetry';
import { dataDir, metricValue } from '@lectern/testing';
import { createTextSubgraph } from '@lectern/text';

export interface ServedSubgraph {
  readonly name: string;
  /** A server of the subgraph that executes operations with Lectern's compiled execution. */
  readonly compiled: Listening;
  /** A second server of the same subgraph, in which Apollo Server executes the operations. */
  readonly apollo: Listening;
  /**
   * Returns how many requests the server `compiled` has executed without and with Apollo Server.
   */
  countRequests(): Promise<{ compiled: number; apollo: number }>;
}

/** Serves each of the four subgraphs twice in this process, without semantic search. */
export async function serveSubgraphs(options: { headerSecrets?: string } = {}) {
  const common = { host: '127.0.0.1', port: 0, secrets: '', log: silentLogger, ...options };
  const serve = async <Context extends WorkContext>(subgraph: Subgraph<Context>): Promise<ServedSubgraph> => {
    const metrics = createMetrics({ service: subgraph.name });
    const compiled = await serveSubgraph(subgraph, { ...common, metrics });
    const apollo = await serveSubgraph({ ...subgraph, close: () => {} }, { ...common, compiled: false });
    return {
      name: subgraph.name,
      compiled,
      apollo,
      async countRequests() {
        const text = await metrics.text();
        const count = (label: string) => metricValue(text, 'lectern_subgraph_requests_total', label);
        return { compiled: count('execution="compiled"'), apollo: count('execution="apollo-server"') };
      },
    };
  };
  const subgraphs = [
    await serve(createTextSubgraph({ dataDir, preloadParser: false })),
    await serve(await createSearchSubgraph({ dataDir, semantic: null, preloadParser: false })),
    await serve(createConcordanceSubgraph({ dataDir })),
    await serve(createStudySubgraph({ dataDir })),
  ];
  return {
    subgraphs,
    async close() {
      for (const { apollo, compiled } of subgraphs) {
        await apollo.close({ graceMs: 0 });
        await compiled.close({ graceMs: 0 });
      }
    },
  };
}
