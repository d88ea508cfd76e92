/** How long no request is sent after one has failed, unless the browser reports a connection before. */
const pauseMs = 20_000;

/** Whether the service can be reached, as far as the page knows. */
export function createConnection() {
  /** When the last request failed. Null if the last one succeeded. */
  let failedAt: number | null = null;
  const changes = new EventTarget();
  const set = (time: number | null): void => {
    failedAt = time;
    changes.dispatchEvent(new Event('change'));
  };
  addEventListener('online', () => set(null));
  addEventListener('offline', () => set(failedAt));

  return {
    /** Has an event `change` when `isLost` may have changed. */
    changes,
    /** True from a request that failed until one that succeeds, and while the device has no network. */
    isLost: (): boolean => !navigator.onLine || failedAt !== null,
    /** False for a while after a request that failed. */
    isWorthTrying: (): boolean => navigator.onLine && (failedAt === null || performance.now() - failedAt > pauseMs),
    reportSuccess: (): void => {
      if (failedAt !== null) set(null);
    },
    reportFailure: (): void => set(performance.now()),
  };
}

export type Connection = ReturnType<typeof createConnection>;
