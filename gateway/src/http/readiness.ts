import { errorMessage, withTimeout } from '@lectern/serving';
import type { TrustedDocumentsState } from '../documents/trusted';
import type { GraphState } from '../metrics';
import type { SupergraphState } from '../supergraph/live';
import type { SubgraphsHealth } from '../transport/http-subgraphs';

export interface Readiness extends Pick<SubgraphsHealth, 'degraded' | 'notInSubgraphUrls'> {
  readonly isReady: boolean;
  /** Why the gateway is not ready, for operators. Null if the gateway is ready, is starting or is stopping. */
  readonly reason: string | null;
  readonly versionSkew: GraphState['versionSkew'];
  /** The subgraphs that serve another schema than the supergraph was composed from. */
  readonly schemaDifferences: readonly string[];
  readonly supergraph: SupergraphState;
  /** The state of the trusted documents. Null if the gateway has no trusted documents. */
  readonly trustedDocuments: TrustedDocumentsState | null;
}

interface ReadinessParts {
  graph: () => Pick<GraphState, 'health' | 'versionSkew'>;
  /** Resolves when the state of the subgraphs is known. Stays pending while no supergraph is served. */
  probed: Promise<void>;
  supergraph: () => SupergraphState;
  schemaDifferences: () => readonly string[];
  trustedDocuments: () => TrustedDocumentsState | null;
  /** Resolves with the reason why the key store is unavailable, or with null. */
  keyStoreProblem: () => Promise<string | null>;
  /** Returns the reason why Redis is unavailable, or null. The function is null if the gateway uses no Redis. */
  redisProblem: (() => string | null) | null;
}

/** An unavailable service that does not make the gateway unready. */
interface DegradedService {
  readonly service: 'key store' | 'Redis';
  readonly reason: string;
}

/**
 * Creates the readiness check. A missing subgraph leaves the gateway ready. The gateway is unready if every subgraph
 * that responds rejects the gateway token.
 */
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
    /**
     * Resolves with the unavailable services, which do not make the gateway unready: all gateways use the same key
     * store, so a load balancer would have no ready gateway left.
     */
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

/** How long /ready waits for its checks, in milliseconds. Load balancers wait about a second for /ready. */
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
