import type { TrustedDocumentsState } from '../documents/trusted';
import type { GraphState } from '../metrics';
import type { SupergraphState } from '../supergraph/live';
import type { VersionSkew } from '../transport/datasets';
import type { SubgraphsHealth } from '../transport/subgraphs';

/** The state that GET /ready reports. */
export interface Readiness {
  readonly isReady: boolean;
  /** Why the gateway is not ready, for operators. Null if it is ready, or only starts or stops. */
  readonly reason: string | null;
  /** The parts of the graph that are unavailable. They do not make the gateway unready. */
  readonly degraded: SubgraphsHealth['degraded'];
  /** The subgraphs that SUBGRAPH_URLS lacks although it names others. */
  readonly notInSubgraphUrls: readonly string[];
  /** The dataset versions (digests of the Bible texts) by subgraph if they differ, else null. */
  readonly versionSkew: VersionSkew | null;
  /** The subgraphs that serve another schema than the supergraph was composed from. */
  readonly schemaDifferences: readonly string[];
  /** The supergraph that is served, and why a newer one is not. */
  readonly supergraph: SupergraphState;
  /** The state of the trusted documents, for /ready?verbose. Null if the gateway has none. */
  readonly trustedDocuments: TrustedDocumentsState | null;
}

/**
 * Creates the readiness of a gateway. One unavailable subgraph does not make the gateway unready,
 * because the other subgraphs still respond. If every subgraph that responds rejects the gateway
 * token, with which the gateway identifies itself, the gateway is unready, so that a load balancer
 * sends requests to another gateway.
 */
export function createReadiness({
  graph,
  probed,
  supergraph,
  schemaDifferences,
  trustedDocuments,
}: {
  graph: () => Pick<GraphState, 'health' | 'versionSkew'>;
  /** Resolves when the state of the subgraphs is known. Pending while there is no supergraph. */
  probed: Promise<void>;
  supergraph: () => SupergraphState;
  schemaDifferences: () => readonly string[];
  trustedDocuments: () => TrustedDocumentsState | null;
}) {
  let isAccepting = false;
  let isStopping = false;
  void probed.then(() => {
    isAccepting = !isStopping;
  });
  return {
    state(): Readiness {
      const { health, versionSkew } = graph();
      return {
        isReady: isAccepting && !health.isTokenRejected,
        reason: reasonFor(supergraph(), health),
        degraded: health.degraded,
        notInSubgraphUrls: health.notInSubgraphUrls,
        versionSkew,
        supergraph: supergraph(),
        schemaDifferences: schemaDifferences(),
        trustedDocuments: trustedDocuments(),
      };
    },
    /** Makes the gateway unready until it ends. */
    stop(): void {
      isStopping = true;
      isAccepting = false;
    },
  };
}

function reasonFor({ sha256, rejected }: SupergraphState, { isTokenRejected }: SubgraphsHealth): string | null {
  if (sha256 === null) return `the gateway has no supergraph: ${rejected ?? ''}`;
  return isTokenRejected
    ? 'every subgraph that responds rejects the gateway token: check SUBGRAPH_SECRET and the clocks'
    : null;
}
