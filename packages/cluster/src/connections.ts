import type { ChildProcess } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { stopListening } from '@lectern/serving';
import type { IpcChannel } from './ipc';
import { acceptedTopic, connectionTopic } from './receive-connections';

/** A worker that receives connections. */
interface Receiver {
  readonly channel: IpcChannel;
  /** The connection that was sent to the worker and that the worker has not confirmed. */
  unconfirmed: Socket | null;
  /** Called when the worker has confirmed its last connection, or has ended. */
  onConfirmed: () => void;
}

/** Listens for connections in the primary, and sends each connection to a worker that is free. */
export interface ConnectionDistributor {
  /** The server, which the caller starts. */
  readonly server: Server;
  /** Adds a worker that serves requests. The returned function removes the worker. */
  add(process: ChildProcess, channel: IpcChannel): RemoveReceiver;
  /**
   * After `drainMs`, stops listening as `stopListening` says, with `quietMs`. Resolves when workers
   * have confirmed all connections, at the latest 5 seconds after the server has stopped listening.
   */
  close(drainMs: number): Promise<void>;
}

/**
 * Sends no further connection to the worker. Resolves when the worker has confirmed the connection
 * that was sent last.
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
 * Creates a distributor. The primary keeps its copy of each connection open until a worker confirms
 * that it has received the connection. If this worker ends first, another worker gets the
 * connection. node:cluster would lose the connection, and the client would wait forever.
 *
 * A worker gets its next connection when it has confirmed the last one. So no connection waits for
 * a busy worker while another worker is free.
 */
export function createConnectionDistributor(): ConnectionDistributor {
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
    // If the socket kept its property `server`, node would track the open connections of each
    // worker with further messages.
    Object.assign(socket, { server: undefined });
    waiting.push(socket);
    handOver();
  });

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
      return new Promise((resolve) => {
        receiver.onConfirmed = resolve;
      });
    };
  };

  return {
    server,
    add,
    async close(drainMs) {
      const closed = new Promise((resolve) => server.once('close', resolve));
      await stopListening(server, { drainMs, quietMs });
      // The server closes when workers have confirmed all connections. If all workers have ended,
      // no worker confirms the rest, so the wait has a deadline.
      await Promise.race([closed, pause(handOverWithinMs, null, { ref: false })]);
    },
  };
}
