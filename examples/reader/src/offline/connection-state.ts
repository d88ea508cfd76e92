/** Creates the state of the connection: whether the service can be reached, according to the last request. */
export function createConnectionState() {
  /** Whether the last completed request failed to reach the service. */
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
    /** True while the device has no network, and after a failed request until a request succeeds. */
    isLost: (): boolean => !navigator.onLine || hasFailed,
    reportSuccess: (): void => set(false),
    reportFailure: (): void => set(true),
  };
}

export type ConnectionState = ReturnType<typeof createConnectionState>;
