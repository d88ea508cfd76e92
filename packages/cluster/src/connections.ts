import type { ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Address, defaultGraceMs, type Listening, stopListening, trackOpenConnections } from '@lectern/serving';
import type { IpcChannel } from './ipc';

/** A worker that receives connections. */
interface Receiver {
  readonly channel: IpcChannel;
  /** The connection that was sent to the worker and that the worker has not confirmed. */
  unconfirmed: Socket | null;
  /** Called when the worker has confirmed its last connection, or has ended. */
  onConfirmed: () => void;
}

/**
 * Sends no further connection to the worker. Resolves when the worker has confirmed its last
 * connection.
 */
export type RemoveReceiver = () => Promise<void>;

const handOverWithinMs = 5_000;
/**
 * The time without a new connection after which the primary stops listening, in milliseconds. The
 * primary is idle while its workers are busy, so clients that wait for the workers' responses look
 * like clients that have no more requests.
 */
const quietMs = 300;
const nothing = (): void => undefined;

/**
 * Creates the distributor, which listens for connections in the primary and sends each to a free
 * worker. It keeps its copy of each connection open until a worker confirms that it has received
 * the connection. If this worker ends first, another worker gets the connection. node:cluster would
 * lose the connection, and the client would wait forever.
 *
 * A worker gets its next connection when it has confirmed the last one. So no connection waits for
 * a busy worker while another worker is free.
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
    // With the property `server`, node would send further messages to track the connections of each
    // worker.
    Object.assign(socket, { server: undefined });
    waiting.push(socket);
    handOver();
  });

  /** Adds a worker that serves requests. The returned function removes the worker. */
  const add = (process: ChildProcess, channel: IpcChannel): RemoveReceiver => {
    const receiver: Receiver = { channel, unconfirmed: null, onConfirmed: nothing };
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
      // `destroy` closes the connection's file descriptor in the primary only. The connection stays
      // open in the worker.
      receiver.unconfirmed?.destroy();
      confirm();
    });
    // Listens to `close`, because `exit` may be emitted before the worker's last messages are read.
    // `disconnect` is not emitted while node waits for the worker to receive a connection.
    process.once('close', () => {
      remove();
      if (receiver.unconfirmed) waiting.unshift(receiver.unconfirmed);
      confirm();
      handOver();
    });
    free.push(receiver);
    handOver();
    return () => {
      remove();
      if (!receiver.unconfirmed) return Promise.resolve();
      return new Promise((resolve) => (receiver.onConfirmed = resolve));
    };
  };

  return {
    /** The server, which the caller starts. */
    server,
    add,
    /**
     * After `drainMs`, stops listening as `stopListening` says, with `quietMs`. Resolves when
     * workers have confirmed all connections, at the latest 5 seconds after the server has stopped
     * listening.
     */
    async close(drainMs: number): Promise<void> {
      const closed = new Promise((resolve) => server.once('close', resolve));
      await stopListening(server, { drainMs, quietMs });
      // The server closes when workers have confirmed all connections. If all workers have ended,
      // no worker confirms the rest, so the wait has a deadline.
      await Promise.race([closed, pause(handOverWithinMs, null, { ref: false })]);
    },
  };
}

export type ConnectionDistributor = ReturnType<typeof createConnectionDistributor>;

/** The topic of the message with which the primary sends a connection to a worker. */
const connectionTopic = 'connection';
/** The topic of the message with which a worker confirms that it has received a connection. */
const acceptedTopic = 'connection-accepted';
/** The topic of the message with which the primary says that it sends no further connection. */
export const lastConnectionTopic = 'last-connection';

/**
 * Serves the connections that the primary sends to this worker. `close` waits until the primary has
 * sent the last connection. The option `drainMs` of `close` has no effect here, because the primary
 * waits for this time.
 */
export function receiveConnections(server: HttpServer, channel: IpcChannel, address: Address): Listening {
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
function serve(server: HttpServer, socket: Socket): void {
  socket.allowHalfOpen = true;
  socket.setNoDelay(true);
  server.emit('connection', socket);
}
