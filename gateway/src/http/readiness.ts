import { errorMessage, withTimeout } from '@lectern/serving';
import type { TrustedDocumentsState } from '../documents/trusted';
import type { GraphState } from '../metrics';
import type { SupergraphState } from '../supergraph/live';
import type { SubgraphsHealth } from '../transport/http-subgraphs';

export interface Readiness extends Pick<SubgraphsHealth, 'degraded' | 'notInSubgraphUrls'> {
  readonly isReady: boolean;
  /** Why the gateway is not ready, for operators. Null if it is ready, or only starts or stops. */
  readonly reason: string | null;
  readonly versionSkew: GraphState['versionSkew'];
  /** The subgraphs that serve another schema than the supergraph was composed from. */
  readonly schemaDifferences: readonly string[];
  readonly supergraph: SupergraphState;
  /** Null if the gateway has no trusted documents. */
  readonly trustedDocuments: TrustedDocumentsState | null;
}

interface ReadinessParts {
  graph: () => Pick<GraphState, 'health' | 'versionSkew'>;
  /** Resolves when the state of the subgraphs is known. Pending while there is no supergraph. */
  probed: Promise<void>;
  supergraph: () => SupergraphState;
  schemaDifferences: () => readonly string[];
  trustedDocuments: () => TrustedDocumentsState | null;
  /** Resolves with why the key store is unavailable, or null. */
  keyStoreProblem: () => Promise<string | null>;
  /** Returns why Redis is unavailable, or null. Null without Redis. */
  redisProblem: (() => string | null) | null;
}

/** A service beside the subgraphs that is unavailable. */
interface DegradedService {
  readonly service: 'key store' | 'Redis';
  readonly reason: string;
}

/** Unready if every subgraph that responds rejects the gateway token, not if one is missing. */
export function createReadiness(parts: ReadinessParts) {
  const { graph, probed, supergraph, schemaDifferences, trustedDocuments, keyStoreProblem, redisProblem } = parts;
  let isAccepting = false;
  let isStopping = false;
  void probed.then(() => {
    isAccepting = !isStopping;
  });
  return {
    state(): Readiness {
      const { health, versionSkew } = graph();
      const { isTokenRejected, degraded, notInSubgraphUrls } = health;
      return {
        isReady: isAccepting && !isTokenRejected,
        reason: reasonFor(supergraph(), isTokenRejected),
        degraded,
        notInSubgraphUrls,
        versionSkew,
        supergraph: supergraph(),
        schemaDifferences: schemaDifferences(),
        trustedDocuments: trustedDocuments(),
      };
    },
    /** The unavailable services. The gateway stays ready without them: all share the key store. */
    async degradedServices(): Promise<readonly DegradedService[]> {
      const problems = [
        { service: 'key store', reason: await keyStoreReason(keyStoreProblem) },
        { service: 'Redis', reason: redisProblem?.() ?? null },
      ] as const;
      return problems.flatMap(({ service, reason }) => (reason === null ? [] : { service, reason }));
    },
    /** Makes the gateway unready until it ends. */
    stop(): void {
      isStopping = true;
      isAccepting = false;
    },
  };
}

/** Load balancers wait about a second for /ready. In milliseconds. */
const maxCheckMs = 500;

const keyStoreReason = (check: () => Promise<string | null>): Promise<string | null> =>
  withTimeout(check(), maxCheckMs).catch(
    (error: unknown) => `The key store does not respond (${errorMessage(error)}).`,
  );

export type GatewayReadiness = ReturnType<typeof createReadiness>;

function reasonFor({ sha256, rejected }: SupergraphState, isTokenRejected: boolean): string | null {
  if (sha256 === null) return `the gateway has no supergraph: ${rejected?.reason ?? ''}`;
  return isTokenRejected
    ? 'every subgraph that responds rejects the gateway token: check SUBGRAPH_SECRET and the clocks'
    : null;
}
