import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Address, Listening } from '@lectern/serving';
import { defaultGraceMs, trackOpenConnections } from '@lectern/serving';
import type { IpcChannel } from './ipc-channel';

/** The topic of a connection that the primary sends to a worker. */
export const connectionTopic = 'connection';
/** The topic of a worker's message that it has received a connection. */
export const acceptedTopic = 'connection-accepted';
/** The topic of the primary's message that it sends no further connection. */
export const lastConnectionTopic = 'last-connection';

/**
 * Serves the connections that the primary sends to this worker. `close` waits until the primary has
 * sent the last one. The primary waits for `drainMs`, so `drainMs` has no effect here.
 */
export function receiveConnections(server: Server, channel: IpcChannel, address: Address): Listening {
  const connections = trackOpenConnections(server);
  const lastReceived = new Promise<void>((resolve) => channel.on(lastConnectionTopic, () => resolve()));
  channel.on(connectionTopic, (_, socket) => {
    // The worker confirms the connection before it reads from it. If the worker ends before that,
    // another worker serves the connection.
    void channel.send(acceptedTopic);
    // Without a socket, the client has closed the connection meanwhile.
    if (socket) serve(server, socket);
  });
  // The event makes http.Server check the time limits of requests. This server does not listen
  // itself.
  server.emit('listening');
  return {
    ...address,
    async close({ graceMs = defaultGraceMs } = {}) {
      connections.closeAfterResponses();
      await lastReceived;
      await connections.close(graceMs);
    },
  };
}

/** Serves a connection with the options that http.Server sets for the connections it accepts. */
function serve(server: Server, socket: Socket): void {
  socket.allowHalfOpen = true;
  socket.setNoDelay(true);
  server.emit('connection', socket);
}
