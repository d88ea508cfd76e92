import { useEffect } from 'preact/hooks';
import type { ConnectionState } from './connection-state';

/** How often a lost connection is tried again, in milliseconds. */
const intervalMs = 3_000;

/**
 * Calls `tryConnection` at intervals while the service cannot be reached and the device has a
 * network. In this state, screens that read stored packages send no requests, so they would not
 * notice that the service can be reached again.
 */
export function useConnectionRetries(connection: ConnectionState, tryConnection: () => void): void {
  const isLost = connection.isLost();
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => navigator.onLine && tryConnection(), intervalMs);
    return () => clearInterval(timer);
  }, [isLost, tryConnection]);
}
