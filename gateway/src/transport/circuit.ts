import type { OutageReporter } from '@lectern/serving';
import type { UpstreamError } from './response';

/**
 * The state of the circuit of an upstream, which is a replica of a subgraph.
 * - `closed`: fewer than five requests have failed in a row.
 * - `failing-fast`: five or more requests have failed in a row, the last at once, because the
 *   replica refused the connection or closed it. Requests may still be sent.
 * - `open`: after five failures the upstream is slow or broken, or it rejected the gateway token
 *   once. It receives only probes.
 */
export type CircuitState = 'closed' | 'failing-fast' | 'open';

/**
 * The number of consecutive failures that open the circuit. Most libraries measure a failure rate.
 * When a replica dies after an hour of successes, that rate stays low for a while.
 */
const maxFailures = 5;

const probeEveryMs = 500;

/**
 * Probes, not requests of clients, find out whether an upstream has recovered: decision 9. A timeout
 * while the upstream responded to another request does not count.
 */
export function createCircuitBreaker(sendProbe: () => Promise<boolean>, outage: OutageReporter) {
  let state: CircuitState = 'closed';
  let failures = 0;
  let respondedAt = -Infinity;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const probe = async (): Promise<boolean> => {
    try {
      return await sendProbe();
    } catch {
      // An upstream that is down from the start is probed again before any request fails.
      if (!stopped && (state !== 'closed' || respondedAt === -Infinity)) scheduleProbe();
      return false;
    }
  };
  const scheduleProbe = (afterMs = probeEveryMs): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), afterMs).unref();
  };

  return {
    state: (): CircuitState => state,
    /** Resolves with the result of `sendProbe`, or with false if the probe failed. */
    probe,
    onSuccess(): void {
      failures = 0;
      respondedAt = performance.now();
      if (state === 'closed') return;
      state = 'closed';
      clearTimeout(timer);
      outage.end();
    },
    /** `sentAt`: when the request was sent, by `performance.now()`. */
    onFailure(error: UpstreamError, sentAt: number): void {
      if (error.kind === 'timeout' && respondedAt > sentAt) return;
      failures += 1;
      // A rejected token concerns every request, so there is no reason to wait for more failures.
      if (stopped || (failures < maxFailures && error.kind !== 'token-rejected')) return;
      if (state === 'closed') {
        outage.begin(error);
        // After timeouts, all requests may have been slow ones, so the upstream may respond at once.
        scheduleProbe(error.kind === 'timeout' ? 0 : probeEveryMs);
      }
      state = error.kind === 'unreachable' ? 'failing-fast' : 'open';
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
