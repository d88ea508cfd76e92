/** Creates the state of the connection: whether the page can reach the service, as far as the page knows. */
export function createConnectionState() {
  /** Whether the last request that ended did not reach the service. */
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
    /** Has an event `change` when `isLost` may have changed. */
    changes,
    /** True from a request that failed until one that succeeds, and while the device has no network. */
    isLost: (): boolean => !navigator.onLine || hasFailed,
    reportSuccess: (): void => set(false),
    reportFailure: (): void => set(true),
  };
}

export type ConnectionState = ReturnType<typeof createConnectionState>;
