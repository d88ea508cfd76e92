import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /**
   * Closes the server: stops accepting connections, waits for the requests in flight, then
   * resolves. After `graceMs` milliseconds the remaining connections are closed.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * The default grace period: longer than any response takes, and shorter than the 30 s after which
 * orchestrators kill a process.
 */
const defaultGraceMs = 10_000;

export interface ListenOptions {
  host: string;
  /** The port. 0 means any free port. */
  port: number;
  /**
   * The time for which new connections are still accepted after `close` was called, in
   * milliseconds. Load balancers need this time to notice.
   */
  drainMs?: number;
  /** The name of the port's setting, for error messages. */
  setting?: string;
}

/**
 * Starts a server on an address. If the server cannot listen, rejects with an error that names the
 * host or port and says what to change.
 */
export function listen(
  server: Server,
  { host, port, drainMs = 0, setting = 'PORT' }: ListenOptions,
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explainListenError(error, { host, port, setting }));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      const address = server.address() as AddressInfo;
      resolve({
        host,
        port: address.port,
        close: (graceMs = defaultGraceMs) => drain(server, { graceMs, drainMs: Math.min(drainMs, graceMs) }),
      });
    });
  });
}

/**
 * The time for which an open connection may still send a request after the server stopped
 * listening.
 */
const closeIdleAfterMs = 1_000;

/**
 * Drains a server: sends `Connection: close` with every response, and stops listening after
 * `drainMs`.
 *
 * Idle connections are closed only after a second. A connection looks idle while a request is on
 * its way to the server, and closing it then would reset the client's connection. For the same
 * reason the server closes as `net.Server` does: `http.Server.close` closes idle connections first.
 */
async function drain(server: Server, { graceMs, drainMs }: { graceMs: number; drainMs: number }): Promise<void> {
  if (!server.listening) return;
  // A request with `Expect` is emitted as an event of its own if that event has a listener. Without
  // a listener, node itself responds.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    if (server.listenerCount(event) > 0)
      server.prependListener(event, (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
  }
  if (drainMs > 0) await pause(drainMs);
  await new Promise<void>((resolve) => {
    const startedAt = Date.now();
    const closeAll = setTimeout(() => server.closeAllConnections(), graceMs);
    const closeIdle = setInterval(() => {
      if (Date.now() - startedAt >= Math.min(closeIdleAfterMs, graceMs)) server.closeIdleConnections();
    }, 50);
    NetServer.prototype.close.call(server, () => {
      clearTimeout(closeAll);
      clearInterval(closeIdle);
      resolve();
    });
  });
}

function explainListenError(
  error: NodeJS.ErrnoException,
  { host, port, setting }: { host: string; port: number; setting: string },
): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is taken. Stop what listens there, or set ${setting} to another.`);
  if (error.code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Set ${setting} to one above 1023.`);
  const hostSetting = setting.replace('PORT', 'HOST');
  if (error.code === 'EADDRNOTAVAIL')
    return new Error(
      `${host} is not an address of this machine. Set ${hostSetting} to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all of its addresses.`,
    );
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(
      `The name ${host} cannot be resolved. Set ${hostSetting} to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all of its addresses.`,
    );
  return error;
}
