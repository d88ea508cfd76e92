import type { ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, defaultGraceMs, type Listening, stopListening, trackOpenConnections } from '@lectern/serving';
import type { IpcChannel } from './ipc';

const connectionTopic = 'connection';
const acceptedTopic = 'connection-accepted';
/** The primary sends no further connection. */
export const lastConnectionTopic = 'last-connection';

interface Receiver {
  readonly channel: IpcChannel;
  /** The connection that was sent to the worker, which has not confirmed it yet. */
  unconfirmed: Socket | null;
  /** Called when the worker has confirmed its last connection, or has ended. */
  onConfirmed: () => void;
}

const handOverWithinMs = 5_000;
/**
 * The time without a new connection after which the primary stops listening. The primary is idle
 * while its workers are busy, so clients that wait for responses look like clients that are gone.
 */
const quietMs = 300;

/**
 * Creates the distributor, which listens for connections in the primary and sends each to a free
 * worker: one that has confirmed its last connection. If a worker ends before it confirms, another
 * gets the connection. node:cluster would lose it, and the client would wait forever.
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

  // The connection is paused, because the worker reads from it and the primary does not.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    // With the property `server`, node would send further messages to track the connections.
    Object.assign(socket, { server: undefined });
    waiting.push(socket);
    handOver();
  });

  /** The returned function removes the worker, and resolves when its last one is confirmed. */
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
      // This closes the file descriptor in the primary. The connection stays open in the worker.
      receiver.unconfirmed?.destroy();
      confirm();
    });
    // `exit` may be emitted before the worker's last messages are read, and `disconnect` not at all
    // while node waits for the worker to receive a connection.
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
    /** The server, which the caller starts. */
    server,
    add,
    /** After `drainMs` and `stopListening`. Resolves when workers confirmed, or after 5 seconds. */
    async close(drainMs: number): Promise<void> {
      const closed = new Promise((resolve) => server.once('close', resolve));
      await stopListening(server, drainMs, { quietMs });
      // If all workers have ended, nobody confirms the rest, so the wait has a deadline.
      await Promise.race([closed, pause(handOverWithinMs, null, { ref: false })]);
    },
  };
}

export type ConnectionDistributor = ReturnType<typeof createConnectionDistributor>;

/** `close` waits for the last connection, not for `drainMs`: the primary waits for that. */
export function receiveConnections(server: HttpServer, channel: IpcChannel, address: Address): Listening {
  const connections = trackOpenConnections(server);
  const lastReceived = new Promise<void>((resolve) => channel.on(lastConnectionTopic, () => resolve()));
  channel.on(connectionTopic, (_, socket) => {
    // A connection of which a byte was read cannot be sent to another worker.
    void channel.send(acceptedTopic);
    // There is no socket if the client has closed the connection meanwhile.
    if (!socket) return;
    // http.Server sets these options for the connections that it accepts itself.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
  // http.Server checks the time limits of requests only after the event `listening`.
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
