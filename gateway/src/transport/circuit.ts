import type { OutageReporter } from '@lectern/serving';
import type { UpstreamError } from './request';

/**
 * The state of the circuit of an upstream, which is a replica of a subgraph.
 * - `closed`: fewer than five requests have failed in a row.
 * - `failing-fast`: five or more requests have failed in a row, the last because the
 *   connection was refused or closed. Requests may still be sent, because they fail at once.
 * - `open`: after five failures the upstream is slow or broken, or it rejected the gateway token
 *   (with which the gateway identifies itself) once. It receives only probes.
 */
export type CircuitState = 'closed' | 'failing-fast' | 'open';

/**
 * The number of consecutive failures that open the circuit. Most libraries measure a failure rate
 * over some time. When a replica dies after an hour of successes, that rate stays low for a while,
 * so the circuit would open late.
 */
const maxFailures = 5;

const probeEveryMs = 500;

/**
 * Creates the circuit breaker of one upstream. Probes, not requests of clients, find out whether
 * the upstream has recovered. docs/decisions/0009-own-circuit-breaker.md says why this is not a
 * library. `sendProbe` sends a probe, whose outcome must also be passed to `onSuccess` or
 * `onFailure`.
 */
export function createCircuitBreaker(sendProbe: () => Promise<unknown>, outage: OutageReporter) {
  let state: CircuitState = 'closed';
  let failures = 0;
  let hasResponded = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const probe = async (): Promise<void> => {
    try {
      await sendProbe();
    } catch {
      // An upstream that is down from the start is probed again without waiting for requests to
      // fail.
      if (!stopped && (state !== 'closed' || !hasResponded)) scheduleProbe();
    }
  };
  const scheduleProbe = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };

  return {
    state: (): CircuitState => state,
    /** Sends a probe. Resolves when the probe has succeeded or failed. */
    probe,
    onSuccess(): void {
      failures = 0;
      hasResponded = true;
      if (state === 'closed') return;
      state = 'closed';
      clearTimeout(timer);
      outage.end();
    },
    onFailure(error: UpstreamError): void {
      failures += 1;
      // A rejected token concerns every request, so there is no reason to wait for more failures.
      if (stopped || (failures < maxFailures && error.kind !== 'token-rejected')) return;
      if (state === 'closed') {
        outage.begin(error);
        scheduleProbe();
      }
      state = error.kind === 'unreachable' ? 'failing-fast' : 'open';
    },
    /** Stops the probes. */
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
