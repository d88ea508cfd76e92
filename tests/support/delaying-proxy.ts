import type { AddressInfo, Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';

export interface DelayingProxy {
  readonly port: number;
  /** Sets the delay of each piece of a response, in milliseconds. The default is 0. */
  setDelay(ms: number): void;
  /** Closes all connections. The proxy accepts new connections. */
  disconnect(): void;
  close(): Promise<void>;
}

/**
 * Starts a TCP proxy in front of a server on this machine. The proxy passes requests on at once,
 * and delays responses.
 */
export async function startDelayingProxy(serverPort: number): Promise<DelayingProxy> {
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = createConnection({ port: serverPort, host: '127.0.0.1' });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      // A `close` event follows each error, and its listener closes both sockets.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    setDelay(ms) {
      delayMs = ms;
    },
    disconnect,
    close() {
      disconnect();
      return new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
