import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no new work, lets what is under way finish, then resolves. After `graceMs` what is left is cut. */
  close(graceMs?: number): Promise<void>;
}

/** The grace that a process gives to requests under way: longer than any answer takes, shorter than the 30 s after which orchestrators kill. */
const defaultGraceMs = 10_000;

export interface ListenOptions {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** How long new connections are still taken after `close` was called, in milliseconds: while load balancers do not know yet. */
  drainMs?: number;
  /** The setting that names the port, for whoever has to change it. */
  setting?: string;
}

/** A port that is taken rejects with a sentence that says which and what to do. */
export function listen(
  server: Server,
  { host, port, drainMs = 0, setting = 'PORT' }: ListenOptions,
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explained(error, { host, port, setting }));
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

/** How long a kept connection may still bring a request after we stopped listening. */
const sweepAfterMs = 1_000;

/**
 * Tells every client that goes on to ask to close its connection, and stops listening when the notice is over. Only after a while are idle connections cut:
 * to the server a request that is on its way looks idle, and cutting it would be a reset for the client. For the same reason
 * this closes as net does, not as http does, which cuts idle connections first.
 */
async function drain(server: Server, { graceMs, drainMs }: { graceMs: number; drainMs: number }): Promise<void> {
  if (!server.listening) return;
  // A request that expects "100 Continue" comes as an event of its own, where somebody listens to that; to listen is to answer it.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    if (server.listenerCount(event) > 0)
      server.prependListener(event, (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
  }
  if (drainMs > 0) await pause(drainMs);
  await new Promise<void>((resolve) => {
    const began = Date.now();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    const sweep = setInterval(() => {
      if (Date.now() - began >= Math.min(sweepAfterMs, graceMs)) server.closeIdleConnections();
    }, 50);
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}

function explained(
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
      `${host} is no address of this machine. Set ${hostSetting} to one that is: 127.0.0.1 for this machine alone, 0.0.0.0 for all of its addresses.`,
    );
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(
      `${host} is a name that this machine does not know. Set ${hostSetting} to an address: 127.0.0.1 for this machine alone, 0.0.0.0 for all of its addresses.`,
    );
  return error;
}
