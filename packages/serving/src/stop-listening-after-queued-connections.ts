import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** The default time without a new connection after which a server stops listening, in milliseconds. */
const defaultQuietMs = 50;
/** The maximum time for which a server waits until no connection arrives for `quietMs`, in milliseconds. */
const maxQuietWaitMs = 2_000;
/**
 * The maximum wait for a short turn of the event loop, as a multiple of `maxQuietWaitMs`. On a busy
 * machine, connections may wait for seconds until the server accepts them.
 */
const maxQuietWaits = 2.5;
/** The maximum duration of a short turn of the event loop, in milliseconds. */
const maxTurnMs = 0.2;

export interface StopListeningOptions {
  /** The time for which new connections are still accepted, in milliseconds. */
  drainMs: number;
  /**
   * The maximum time, in milliseconds, to wait after `drainMs` until no more connections arrive.
   * The default, 2,000, is also the maximum: greater values have no effect.
   */
  quietWithinMs?: number;
  /** The time without a new connection after which the server stops listening, in milliseconds: 50 by default. */
  quietMs?: number;
}

/**
 * Stops listening when all connections are accepted that the operating system has established. The
 * operating system resets the connections that are not yet accepted when the server stops
 * listening. Therefore this function waits until no connection has arrived for `quietMs`. It stops
 * listening right after a short turn of the event loop that accepted no connection. If
 * connections keep arriving, it stops listening after about two seconds, and the operating system
 * may reset a connection of this instant. It waits at most five seconds if no turn is short.
 */
export async function stopListening(
  server: Server,
  { drainMs, quietWithinMs = maxQuietWaitMs, quietMs = defaultQuietMs }: StopListeningOptions,
): Promise<void> {
  let acceptedAt = performance.now();
  const onConnection = () => (acceptedAt = performance.now());
  server.on('connection', onConnection);
  await pause(drainMs);
  const drainedAt = performance.now();
  const waitMs = Math.min(quietWithinMs, maxQuietWaitMs);
  for (;;) {
    const turnStart = performance.now();
    const isShort = await isTurnShort();
    const waitedMs = performance.now() - drainedAt;
    const isQuiet = performance.now() - acceptedAt >= quietMs || waitedMs >= waitMs;
    if (isShort && isQuiet && acceptedAt < turnStart) break;
    // Gives up waiting, because the event loop of a busy process may have no short turn.
    if (waitedMs >= maxQuietWaits * waitMs) break;
    if (!isQuiet) await pause(5);
  }
  server.off('connection', onConnection);
  // Calls the method of net.Server. `http.Server.close` would also close idle connections whose
  // request is on its way.
  Server.prototype.close.call(server);
}

/**
 * Resolves after the event loop has read what the operating system has received. Returns whether
 * this took less than 0.2 ms. In so short a time, hardly any connection arrives.
 */
export async function isTurnShort(): Promise<boolean> {
  const start = performance.now();
  await nextTurn();
  return performance.now() - start < maxTurnMs;
}
