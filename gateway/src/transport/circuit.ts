import type { OutageReporter } from '@lectern/serving';
import type { UpstreamError } from './response';

/**
 * The state of the circuit of an upstream, which is a replica of a subgraph.
 * - `closed`: fewer than five requests in a row have failed.
 * - `failing-fast`: five or more requests in a row have failed. The last failed at once, because the replica
 *   refused the connection or closed it. The replica may still receive requests.
 * - `open`: five requests in a row have failed and the upstream is broken or responds to no probe, or it rejected the
 *   gateway token once. The upstream receives only probes.
 */
type CircuitState = 'closed' | 'failing-fast' | 'open';

/** Consecutive failures that open the circuit. A failure rate would stay low after an hour of successes. */
const maxFailures = 5;

const probeEveryMs = 500;

/**
 * Probes, not requests of clients, find out whether the upstream has recovered (decision 9 in docs/decisions). Timeouts
 * alone never open the circuit: requests of a client that sends too many may time out while they wait. After one, a
 * probe decides.
 */
export function createCircuitBreaker(sendProbe: () => Promise<boolean>, outage: OutageReporter) {
  let state: CircuitState = 'closed';
  let failures = 0;
  let respondedAt = -Infinity;
  /** Whether the last probe failed, and no request has succeeded since. */
  let isUnresponsive = false;
  let isProbing = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const probe = async (): Promise<boolean> => {
    isProbing = true;
    try {
      return await sendProbe();
    } catch (error) {
      isUnresponsive = true;
      if (failures >= maxFailures && state === 'closed') open(error as UpstreamError);
      // If an upstream has never responded, probes continue even though no request has failed.
      if (!stopped && (state !== 'closed' || respondedAt === -Infinity)) scheduleProbe();
      return false;
    } finally {
      isProbing = false;
    }
  };
  const scheduleProbe = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };

  const open = (error: UpstreamError): void => {
    if (state === 'closed') {
      outage.begin(error);
      scheduleProbe();
    }
    state = error.kind === 'unreachable' ? 'failing-fast' : 'open';
  };

  return {
    state: (): CircuitState => state,
    /** Sends a probe. Resolves with the result of `sendProbe`, or with false if the probe failed. */
    probe,
    onSuccess(): void {
      failures = 0;
      isUnresponsive = false;
      respondedAt = performance.now();
      if (state === 'closed') return;
      state = 'closed';
      clearTimeout(timer);
      outage.end();
    },
    /** Records a failed request. `sentAt` is the time of sending on the clock of `performance.now()`. */
    onFailure(error: UpstreamError, sentAt: number): void {
      if (error.kind === 'timeout' && respondedAt > sentAt) return;
      failures += 1;
      // A rejected token opens the circuit at once, because every request has the same token.
      if (stopped) return;
      if (error.kind === 'timeout' && !isUnresponsive) {
        if (!isProbing) void probe();
      } else if (failures >= maxFailures || error.kind === 'token-rejected') open(error);
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
