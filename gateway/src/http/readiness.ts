import { errorMessage, withTimeout } from '@lectern/serving';
import type { TrustedDocumentsState } from '../documents/trusted';
import type { GraphState } from '../metrics';
import type { SupergraphState } from '../supergraph/live';

interface ReadinessParts {
  graph: () => Pick<GraphState, 'health' | 'versionSkew'>;
  /** Resolves when the state of the subgraphs is known. Stays pending while no supergraph is served. */
  probed: Promise<void>;
  supergraph: () => SupergraphState;
  /** Returns the state of the trusted documents. The function is null if the gateway has no trusted documents. */
  trustedDocuments: (() => TrustedDocumentsState) | null;
  /** Resolves with the reason why the key store is unavailable, or with null. */
  keyStoreProblem: () => Promise<string | null>;
  /** Returns the reason why Redis is unavailable, or null. The function is null if the gateway uses no Redis. */
  redisProblem: (() => string | null) | null;
}

/** A missing subgraph leaves the gateway ready, unless every subgraph that responds rejects the gateway token. */
export function createReadiness(parts: ReadinessParts) {
  const { graph, probed, supergraph, trustedDocuments, keyStoreProblem, redisProblem } = parts;
  let isAccepting = false;
  let isStopping = false;
  void probed.then(() => {
    isAccepting = !isStopping;
  });
  const isReady = (): boolean => isAccepting && !graph().health.isTokenRejected;
  /** Returns why the gateway is not ready. Returns null if the gateway is ready, is starting or is stopping. */
  const reason = (): string | null => reasonFor(supergraph(), graph().health.isTokenRejected);

  /** These services do not make a gateway unready: all gateways share them, so none would be left. */
  const degradedServices = async () => {
    const problems = [
      { service: 'key store', reason: await keyStoreReason(keyStoreProblem) },
      { service: 'Redis', reason: redisProblem?.() ?? null },
    ];
    return problems.filter((problem) => problem.reason !== null);
  };

  return {
    isReady,
    async report(isVerbose: boolean) {
      const [ready, why] = [isReady(), reason()];
      const { health, versionSkew } = graph();
      const state = supergraph();
      const degraded = [...health.degraded, ...(await degradedServices())];
      return {
        status: ready ? 'ready' : 'not ready',
        ...(why !== null && { reason: why }),
        ...(degraded.length > 0 && { degraded }),
        ...(health.notInSubgraphUrls.length > 0 && { notInSubgraphUrls: health.notInSubgraphUrls }),
        ...(versionSkew && { versionSkew }),
        ...(ready && state.rejected && { supergraphRejected: state.rejected }),
        ...(isVerbose && { supergraph: state, trustedDocuments: trustedDocuments?.() }),
      };
    },
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

function reasonFor({ sha256, rejected }: SupergraphState, isTokenRejected: boolean): string | null {
  if (sha256 === null) return `the gateway has no supergraph: ${rejected?.reason ?? ''}`;
  return isTokenRejected
    ? 'every subgraph that responds rejects the gateway token: check SUBGRAPH_SECRET and the clocks'
    : null;
}
