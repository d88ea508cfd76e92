import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Takes no new work, lets what is under way finish, then resolves. After `graceMs` what is left is cut. */
  close(graceMs?: number): Promise<void>;
}

/** The grace that a process gives to requests under way: longer than any answer takes, shorter than the 30 s after which orchestrators kill. */
const defaultGraceMs = 10_000;

/** Port 0 takes any free one. A port that is taken rejects with a sentence that says which and what to do. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explained(error, host, port));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      const address = server.address() as AddressInfo;
      resolve({ host, port: address.port, close: (graceMs = defaultGraceMs) => drain(server, graceMs) });
    });
  });
}

function drain(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A keep-alive connection that was busy when we closed becomes idle later and would hold the server open.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is taken. Stop what listens there, or set PORT to another.`);
  if (error.code === 'EACCES') return new Error(`This user may not listen on port ${port}. Set PORT to one above 1023.`);
  return error;
}
