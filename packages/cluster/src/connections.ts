import type { ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, defaultGraceMs, type Listening, stopListening, trackOpenConnections } from '@lectern/serving';
import type { IpcChannel } from './ipc';

const connectionTopic = 'connection';
const acceptedTopic = 'connection-accepted';
/** The topic of the message that says that the primary process sends no further connection. */
export const lastConnectionTopic = 'last-connection';

interface Receiver {
  readonly channel: IpcChannel;
  /** The connection that was sent to the worker and that the worker has not confirmed yet. */
  unconfirmed: Socket | null;
  /** Called when the worker has confirmed its last connection, or has ended. */
  onConfirmed: () => void;
}

const handOverWithinMs = 5_000;
/**
 * The time without a new connection after which the primary process stops listening, in milliseconds. The time is long,
 * because clients may only be waiting for busy workers, and may then open further connections.
 */
const quietMs = 300;

/**
 * Creates the distributor of connections. It listens in the primary process and sends each connection to a free worker.
 * A worker is free if it has confirmed its last connection. If a worker ends before it confirms, another worker gets
 * the connection. With node:cluster, such a connection would be lost, and the client would wait forever.
 */
export function createConnectionDistributor() {
  const waiting: Socket[] = [];
  const free: Receiver[] = [];

  const handOver = (): void => {
    while (waiting.length > 0) {
      const receiver = free.shift();
      if (!receiver) return;
      const socket = waiting.shift() as Socket;
      receiver.unconfirmed = socket;
      void receiver.channel.send(connectionTopic, undefined, socket);
    }
  };

  // Connections are paused, so that only the worker reads from them.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    // With the property `server`, Node.js would send additional messages to track the connection.
    Object.assign(socket, { server: undefined });
    waiting.push(socket);
    handOver();
  });

  /**
   * Adds a worker. Returns the function that removes the worker. This function resolves when the worker has confirmed
   * its last connection.
   */
  const add = (process: ChildProcess, channel: IpcChannel): (() => Promise<void>) => {
    const receiver: Receiver = { channel, unconfirmed: null, onConfirmed: () => {} };
    let isRemoved = false;
    const confirm = (): void => {
      receiver.unconfirmed = null;
      receiver.onConfirmed();
      if (isRemoved) return;
      free.push(receiver);
      handOver();
    };
    const remove = (): void => {
      isRemoved = true;
      const index = free.indexOf(receiver);
      if (index !== -1) free.splice(index, 1);
    };
    channel.on(acceptedTopic, () => {
      // Closes the file descriptor in the primary process. The connection stays open in the worker.
      receiver.unconfirmed?.destroy();
      confirm();
    });
    // The event `close` is used, because other events are not reliable: `exit` may be emitted before the worker's
    // last messages are read, and `disconnect` is never emitted while Node.js waits for the worker to receive a
    // connection.
    process.once('close', () => {
      remove();
      if (receiver.unconfirmed) waiting.unshift(receiver.unconfirmed);
      confirm();
      handOver();
    });
    free.push(receiver);
    handOver();
    return async () => {
      remove();
      if (receiver.unconfirmed) await new Promise<void>((resolve) => (receiver.onConfirmed = resolve));
    };
  };

  return {
    /** The server that accepts the connections. The caller makes it listen. */
    server,
    add,
    /**
     * Stops listening (see `stopListening`) after `drainMs`. Resolves when the workers have confirmed all connections,
     * or after 5 seconds.
     */
    async close(drainMs: number): Promise<void> {
      const closed = new Promise((resolve) => server.once('close', resolve));
      await stopListening(server, drainMs, { quietMs });
      // The wait has a deadline: if all workers have ended, nobody confirms the remaining connections, and it would
      // last forever.
      await Promise.race([closed, pause(handOverWithinMs, null, { ref: false })]);
    },
  };
}

export type ConnectionDistributor = ReturnType<typeof createConnectionDistributor>;

/**
 * Serves the connections that a worker receives from the primary process. `close` waits until the last connection has
 * arrived. It ignores `drainMs`, because the primary process waits for that time.
 */
export function receiveConnections(server: HttpServer, channel: IpcChannel, address: Address): Listening {
  const connections = trackOpenConnections(server);
  const lastReceived = new Promise<void>((resolve) => channel.on(lastConnectionTopic, () => resolve()));
  channel.on(connectionTopic, (_, socket) => {
    // Tells the primary that the worker has the connection. Once a byte has been read, the connection cannot go to
    // another worker.
    void channel.send(acceptedTopic);
    // The socket is missing if the client has already closed the connection.
    if (!socket) return;
    // http.Server sets these options for the connections that it accepts itself.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
  // http.Server enforces the time limits of requests only after the event `listening`.
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
