import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isTurnShort } from './stop-listening-after-queued-connections';

/**
 * The time, in milliseconds, for which an open connection may still send a request after the server
 * stopped accepting connections.
 */
const closeIdleAfterMs = 1_000;
const checkEveryMs = 50;

export interface OpenConnections {
  /** Sends `Connection: close` with the response to every request that arrives from now on. */
  closeAfterResponses(): void;
  /**
   * Closes idle connections after a second, and all connections after `graceMs`. Resolves when all
   * connections are closed. Call it when the server no longer listens.
   */
  close(graceMs: number): Promise<void>;
}

/** Keeps track of a server's connections. Call it before the server has connections. */
export function trackOpenConnections(server: Server): OpenConnections {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    closeAfterResponses() {
      // For a request with the header `Expect`, node emits `checkContinue` or `checkExpectation`
      // instead of `request`, but only if there is a listener: a new listener would change how node
      // responds.
      for (const event of ['request', 'checkContinue', 'checkExpectation']) {
        if (server.listenerCount(event) > 0)
          server.prependListener(event, (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
      }
    },
    async close(graceMs) {
      const startedAt = performance.now();
      const elapsedMs = () => performance.now() - startedAt;
      while (open.size > 0 && elapsedMs() < graceMs) {
        await pause(Math.min(checkEveryMs, graceMs));
        // A connection looks idle while a request waits to be read, and closing it then would reset
        // the client's connection. After a short turn of the event loop, all requests are read.
        if (elapsedMs() >= closeIdleAfterMs && (await isTurnShort())) server.closeIdleConnections();
      }
      for (const socket of open) socket.destroy();
    },
  };
}
