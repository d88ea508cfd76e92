import cluster from 'node:cluster';
import { Socket } from 'node:net';

type Listener = (body: unknown, socket: Socket | null) => void;

/** A channel for messages between the primary process and one worker. Messages arrive in the order of sending. */
export interface IpcChannel {
  /**
   * Sends a message, and optionally a connection, which stays open in this process too. Resolves when the operating
   * system has accepted the message. A message to a process that has ended is lost.
   */
  send(topic: string, body?: unknown, socket?: Socket): Promise<void>;
  /** Sets the listener of a topic, which replaces an earlier listener of this topic. */
  on(topic: string, listener: Listener): void;
}

/** The sender and receiver of messages: `process` in a worker, the `ChildProcess` in the primary process. */
interface MessagePort {
  send?(
    message: unknown,
    handle: Socket | undefined,
    options: { keepOpen: boolean },
    callback: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
}

export function createIpcChannel(port: MessagePort): IpcChannel {
  const listeners = new Map<string, Listener>();
  port.on('message', (received, handle) => {
    const message = received as { topic?: unknown; body?: unknown } | null;
    if (typeof message?.topic === 'string')
      listeners.get(message.topic)?.(message.body, handle instanceof Socket ? handle : null);
  });
  return {
    send: (topic, body, socket) =>
      new Promise((resolve) => void port.send?.({ topic, body }, socket, { keepOpen: true }, () => resolve())),
    on: (topic, listener) => void listeners.set(topic, listener),
  };
}

/**
 * The environment variable that marks a worker of Lectern. Without it, a process that pm2 has forked with node:cluster
 * would look like a worker of Lectern.
 */
export const workerVariable = 'LECTERN_WORKER';

/** Returns the channel from this worker to the primary, or null if this is not a worker. */
export const channelToPrimary = (): IpcChannel | null =>
  cluster.isWorker && process.env[workerVariable] !== undefined ? createIpcChannel(process) : null;
