import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface CloseOptions {
  /** How long requests may continue after `drainMs`, in milliseconds: 10 seconds by default. */
  graceMs?: number;
  /** How long connections are still accepted, in milliseconds, so that load balancers notice the stop. Default: 0. */
  drainMs?: number;
}

export interface Listening extends Address {
  /** Stops the server. Resolves when all requests in flight have ended. */
  close(options?: CloseOptions): Promise<void>;
}

/** Longer than a GraphQL response takes, and shorter than the 30 s after which Kubernetes kills a process. */
export const defaultGraceMs = 10_000;

interface ListenOptions {
  host: string;
  /** The port. With 0, the operating system chooses a free port. */
  port: number;
  /** The name of the setting for the port, for error messages. */
  setting?: string;
}

/** Starts an HTTP server on an address. Rejects with an error that names the host or port and says what to change. */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const connections = trackOpenConnections(server);
  const address = await listenOnAddress(server, options);
  return {
    ...address,
    async close({ graceMs = defaultGraceMs, drainMs = 0 } = {}) {
      if (!server.listening) return;
      connections.closeAfterResponses();
      const startedAt = performance.now();
      await stopListening(server, drainMs, graceMs);
      const elapsedMs = performance.now() - startedAt - drainMs;
      await connections.close(Math.max(0, graceMs - elapsedMs));
    },
  };
}

function listenOnAddress(server: NetServer, { host, port, setting = 'PORT' }: ListenOptions): Promise<Address> {
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
  const remedy = `Set ${setting.replace('PORT', 'HOST')} to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all of its addresses.`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is taken. Stop what listens there, or set ${setting} to another.`);
    case 'EACCES':
      return new Error(`This user may not listen on port ${port}. Set ${setting} to one above 1023.`);
    case 'EADDRNOTAVAIL':
      return new Error(`${host} is not an address of this machine. ${remedy}`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`The name ${host} cannot be resolved. ${remedy}`);
    default:
      return error;
  }
}

/** The time without a new connection after which a server stops listening, in milliseconds. */
const quietMs = 50;
/** The same if connections keep arriving. Those that the primary process has not yet passed to a worker are reset. */
const minGapMs = 3;
/** The maximum wait for a period of `quietMs` without a new connection, in milliseconds. */
const maxQuietWaitMs = 2_000;
/** The maximum wait for a short turn of a busy event loop, as a multiple of `maxQuietWaitMs`. */
const maxQuietWaits = 2.5;
/** The maximum duration of a short turn of the event loop, in milliseconds. */
const maxTurnMs = 0.2;

/**
 * Stops listening after `drainMs`, once no connection has arrived for `quietMs`, in a short turn of the event loop: the
 * operating system resets connections that are not accepted yet. After `quietWithinMs` (at most two seconds), a gap of
 * `minGapMs` suffices, and after five seconds nothing is awaited.
 */
async function stopListening(server: NetServer, drainMs: number, quietWithinMs: number): Promise<void> {
  let acceptedAt = performance.now();
  const onConnection = () => (acceptedAt = performance.now());
  server.on('connection', onConnection);
  await pause(drainMs);
  const drainedAt = performance.now();
  const waitMs = Math.min(quietWithinMs, maxQuietWaitMs);
  for (;;) {
    const isShort = await isTurnShort();
    const waitedMs = performance.now() - drainedAt;
    const isQuiet = performance.now() - acceptedAt >= (waitedMs >= waitMs ? minGapMs : quietMs);
    if (isShort && isQuiet) break;
    if (waitedMs >= maxQuietWaits * waitMs) break;
    if (!isQuiet) await pause(5);
  }
  server.off('connection', onConnection);
  // `http.Server.close` would also close idle connections whose request is on its way.
  NetServer.prototype.close.call(server);
}

/** A turn reads what the operating system has received. In so short a one, a new connection is unlikely. */
async function isTurnShort(): Promise<boolean> {
  const start = performance.now();
  await nextTurn();
  return performance.now() - start < maxTurnMs;
}

/** How long an open connection may still send a request after the server has stopped listening, in milliseconds. */
const closeIdleAfterMs = 1_000;
const checkEveryMs = 50;

/** Tracks the open connections of a server. Must be called before the server has connections. */
function trackOpenConnections(server: Server) {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    /** From now on, every response has the header `Connection: close`. */
    closeAfterResponses(): void {
      // A first listener of the last two events would change how Node.js responds to `Expect`.
      for (const event of ['request', 'checkContinue', 'checkExpectation']) {
        if (server.listenerCount(event) > 0)
          server.prependListener(event, (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
      }
    },
    /** Closes idle connections after a second, and all after `graceMs`. The server must have stopped listening. */
    async close(graceMs: number): Promise<void> {
      const startedAt = performance.now();
      const elapsedMs = () => performance.now() - startedAt;
      while (open.size > 0 && elapsedMs() < graceMs) {
        await pause(Math.min(checkEveryMs, graceMs));
        // After a short turn, no request waits to be read on a connection that looks idle.
        if (elapsedMs() >= closeIdleAfterMs && (await isTurnShort())) server.closeIdleConnections();
      }
      for (const socket of open) socket.destroy();
    },
  };
}
