import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Address, Listening } from '@lectern/serving';
import { defaultGraceMs, trackOpenConnections } from '@lectern/serving';
import type { IpcChannel } from './ipc';

/** The topic of the message with which the primary sends a connection to a worker. */
export const connectionTopic = 'connection';
/** The topic of the message with which a worker confirms that it has received a connection. */
export const acceptedTopic = 'connection-accepted';
/** The topic of the message with which the primary says that it sends no further connection. */
export const lastConnectionTopic = 'last-connection';

/**
 * Serves the connections that the primary sends to this worker. `close` waits until the primary has
 * sent the last connection. The option `drainMs` of `close` has no effect here, because the primary
 * waits for this time.
 */
export function receiveConnections(server: Server, channel: IpcChannel, address: Address): Listening {
  const connections = trackOpenConnections(server);
  const lastReceived = new Promise<void>((resolve) => channel.on(lastConnectionTopic, () => resolve()));
  channel.on(connectionTopic, (_, socket) => {
    // The worker confirms the connection before it reads a byte of it. If the worker ends before
    // the confirmation, the primary sends the connection to another worker.
    void channel.send(acceptedTopic);
    // There is no socket if the client has closed the connection meanwhile.
    if (socket) serve(server, socket);
  });
  // http.Server checks the time limits of requests only after the event `listening`. This server
  // does not listen, so the event is emitted here.
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
