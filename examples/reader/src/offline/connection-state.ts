/**
 * Creates the state of the connection: whether the service can be reached, according to the last
 * request and to the browser.
 */
export function createConnectionState() {
  /**
   * Whether the last completed request failed to reach the service. False again when the device
   * connects to a network or leaves it.
   */
  let hasFailed = false;
  const changes = new EventTarget();
  const set = (failed: boolean): void => {
    if (failed === hasFailed) return;
    hasFailed = failed;
    changes.dispatchEvent(new Event('change'));
  };
  for (const type of ['online', 'offline'])
    addEventListener(type, () => {
      hasFailed = false;
      changes.dispatchEvent(new Event('change'));
    });

  return {
    /** Dispatches an event `change` when `isLost` may have changed. */
    changes,
    /**
     * True while the device has no network. Also true after a failed request, until a request
     * succeeds or the device connects to a network again.
     */
    isLost: (): boolean => !navigator.onLine || hasFailed,
    reportSuccess: (): void => set(false),
    reportFailure: (): void => set(true),
  };
}

export type ConnectionState = ReturnType<typeof createConnectionState>;
