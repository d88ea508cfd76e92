import cluster from 'node:cluster';
import { Socket } from 'node:net';

/**
 * A channel for messages between the primary process and one worker. Each message has a topic.
 * Messages are delivered in the order in which they were sent.
 */
export interface IpcChannel {
  /**
   * Sends a message, with a connection if `socket` is set. The connection stays open in this
   * process too. Resolves when the message was handed to the operating system. A message to a
   * process that has ended is lost.
   */
  send(topic: string, body?: unknown, socket?: Socket): Promise<void>;
  /** Sets the listener of a topic, which replaces an earlier listener of this topic. */
  on(topic: string, listener: (body: unknown, socket: Socket | null) => void): void;
}

/** The messaging methods that `process` has in a worker and a child process has in the primary. */
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
  const listeners = new Map<string, (body: unknown, socket: Socket | null) => void>();
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
 * The environment variable that marks a process as a worker of Lectern. Other programs, such as
 * pm2, also fork with node:cluster, and do not understand Lectern's messages.
 */
export const workerVariable = 'LECTERN_WORKER';

/**
 * Returns the channel from this worker to the primary. Returns null if this process is not a
 * worker.
 */
export const channelToPrimary = (env: NodeJS.ProcessEnv = process.env): IpcChannel | null =>
  cluster.isWorker && env[workerVariable] !== undefined ? createIpcChannel(process) : null;
