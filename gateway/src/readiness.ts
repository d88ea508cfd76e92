import type { TrustedDocumentsState } from './documents/trusted-documents';
import type { GraphState } from './gateway-metrics';
import type { SubgraphsHealth, VersionSkew } from './transport/http-subgraphs';
import type { TranslationSkew } from './transport/translation-skew';

/** The state that GET /ready reports. */
export interface Readiness {
  readonly isReady: boolean;
  /** Why the gateway is not ready, for operators. Null if it is ready, starting or stopping. */
  readonly reason: string | null;
  /** The parts of the graph that are unavailable. They do not make the gateway unready. */
  readonly degraded: SubgraphsHealth['degraded'];
  /** The subgraphs that SUBGRAPH_URLS lacks although it names others. */
  readonly notInSubgraphUrls: readonly string[];
  /** The dataset versions of the subgraphs if they differ, else null. */
  readonly versionSkew: VersionSkew | null;
  /** The translations that subgraphs serve in different texts, else null. */
  readonly translationSkew: TranslationSkew | null;
  /** The subgraphs that serve another schema than the supergraph was composed from. */
  readonly schemaDifferences: readonly string[];
  /** The state of the trusted documents, for /ready?verbose. Null if the gateway has none. */
  readonly trustedDocuments: TrustedDocumentsState | null;
}

/**
 * Creates the readiness of a gateway. One unavailable subgraph does not make the gateway unready,
 * because the other subgraphs still answer. If all subgraphs reject the gateway token, every field
 * is null, and another gateway may serve the requests.
 */
export function createReadiness({
  graph,
  probed,
  schemaDifferences,
  trustedDocuments,
}: {
  graph: () => Pick<GraphState, 'health' | 'versionSkew' | 'translationSkew'>;
  /** Resolves when the state of the subgraphs is known. */
  probed: Promise<void>;
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
      const { health, versionSkew, translationSkew } = graph();
      return {
        isReady: isAccepting && !health.isTokenRejected,
        reason: health.isTokenRejected
          ? 'every subgraph that responds rejects the gateway token: check SUBGRAPH_SECRET and the clocks'
          : null,
        degraded: health.degraded,
        notInSubgraphUrls: health.notInSubgraphUrls,
        versionSkew,
        translationSkew,
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
