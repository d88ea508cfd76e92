import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface CloseOptions {
  /**
   * How long requests in flight may take after `drainMs`, in milliseconds. Then all connections are
   * closed.
   */
  graceMs?: number;
  /**
   * How long new connections are accepted, in milliseconds, until load balancers notice the stop: 0
   * by default.
   */
  drainMs?: number;
}

export interface Listening extends Address {
  /**
   * Closes the server: stops accepting connections, waits for the requests in flight, then
   * resolves.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * The default grace period: longer than a GraphQL response takes, and shorter than the 30 s after
 * which Kubernetes kills a process by default.
 */
export const defaultGraceMs = 10_000;

export interface ListenOptions {
  host: string;
  /** The port. 0 means any free port. */
  port: number;
  /** The name of the port's setting, for error messages. */
  setting?: string;
}

/** Starts an HTTP server on an address. Rejects as `listenOnAddress` does. */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const connections = trackOpenConnections(server);
  const address = await listenOnAddress(server, options);
  return {
    ...address,
    async close({ graceMs = defaultGraceMs, drainMs = 0 } = {}) {
      if (!server.listening) return;
      connections.closeAfterResponses();
      const startedAt = performance.now();
      await stopListening(server, { drainMs, quietWithinMs: graceMs });
      const elapsedMs = performance.now() - startedAt - drainMs;
      await connections.close(Math.max(0, graceMs - elapsedMs));
    },
  };
}

/**
 * Starts a server on an address. If the port is taken or not permitted, or the host is unknown,
 * rejects with an error that names the host or port and says what to change.
 */
export function listenOnAddress(server: NetServer, { host, port, setting = 'PORT' }: ListenOptions): Promise<Address> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explainListenError(error, { host, port, setting }));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve({ host, port: (server.address() as AddressInfo).port });
    });
  });
}

function explainListenError(error: NodeJS.ErrnoException, { host, port, setting }: Required<ListenOptions>): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is taken. Stop what listens there, or set ${setting} to another.`);
  if (error.code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Set ${setting} to one above 1023.`);
  const remedy = `Set ${setting.replace('PORT', 'HOST')} to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all of its addresses.`;
  if (error.code === 'EADDRNOTAVAIL') return new Error(`${host} is not an address of this machine. ${remedy}`);
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(`The name ${host} cannot be resolved. ${remedy}`);
  return error;
}

/**
 * The maximum time for which a server waits until no connection arrives for `quietMs`, in
 * milliseconds.
 */
const maxQuietWaitMs = 2_000;
/**
 * The maximum wait for a short turn of the event loop, as a multiple of `maxQuietWaitMs`: a busy
 * machine has few.
 */
const maxQuietWaits = 2.5;
/** The maximum duration of a short turn of the event loop, in milliseconds. */
const maxTurnMs = 0.2;

export interface StopListeningOptions {
  /** The time for which new connections are still accepted, in milliseconds. */
  drainMs: number;
  /**
   * How long to wait after `drainMs` until no more connections arrive, in milliseconds: at most and
   * by default 2,000.
   */
  quietWithinMs?: number;
  /**
   * The time without a new connection after which the server stops listening, in milliseconds: 50
   * by default.
   */
  quietMs?: number;
}

/**
 * Stops listening when all connections are accepted that the operating system has established. The
 * operating system resets the connections that are not yet accepted when the server stops
 * listening. Therefore this function waits until no connection has arrived for `quietMs`. It stops
 * listening right after a short turn of the event loop that accepted no connection. If connections
 * keep arriving, it stops listening after about two seconds, and the operating system may reset a
 * connection of this instant. It waits at most five seconds if no turn is short.
 */
export async function stopListening(
  server: NetServer,
  { drainMs, quietWithinMs = maxQuietWaitMs, quietMs = 50 }: StopListeningOptions,
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
  NetServer.prototype.close.call(server);
}

/**
 * Resolves after the event loop has read what the operating system has received. Returns whether
 * this took less than 0.2 ms. In so short a time, hardly any connection arrives.
 */
async function isTurnShort(): Promise<boolean> {
  const start = performance.now();
  await nextTurn();
  return performance.now() - start < maxTurnMs;
}

/**
 * How long an open connection may still send a request after the server has stopped listening, in
 * milliseconds.
 */
const closeIdleAfterMs = 1_000;
const checkEveryMs = 50;

/** Keeps track of a server's connections. Call it before the server has connections. */
export function trackOpenConnections(server: Server) {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    /** Sends `Connection: close` with the response to every request that arrives from now on. */
    closeAfterResponses(): void {
      // For a request with the header `Expect`, node emits `checkContinue` or `checkExpectation`
      // instead of `request`, but only if there is a listener: a new listener would change how node
      // responds.
      for (const event of ['request', 'checkContinue', 'checkExpectation']) {
        if (server.listenerCount(event) > 0)
          server.prependListener(event, (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
      }
    },
    /**
     * Closes idle connections after a second, and all connections after `graceMs`. Resolves when
     * all connections are closed. Call it when the server no longer listens.
     */
    async close(graceMs: number): Promise<void> {
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
