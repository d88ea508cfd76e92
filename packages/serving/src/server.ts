import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { stopListening } from './stop-listening-after-queued-connections';
import { trackOpenConnections } from './track-open-connections';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface CloseOptions {
  /**
   * The time, in milliseconds, that the requests in flight have after `drainMs`: 10 seconds by
   * default. Then the remaining connections are closed.
   */
  graceMs?: number;
  /**
   * The time, in milliseconds, for which new connections are still accepted: 0 by default. Load
   * balancers need this time to notice that the server stops.
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
