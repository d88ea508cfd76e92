import cluster from 'node:cluster';

/**
 * A channel for messages between the primary process and one worker. Each message has a topic.
 * Messages are delivered in the order in which they were sent.
 */
export interface IpcChannel {
  /**
   * Sends a message. Resolves when the message was handed to the operating system. A message to a
   * process that has ended is lost.
   */
  send(topic: string, body?: unknown): Promise<void>;
  /** Sets the topic's only listener. */
  on(topic: string, listener: (body: unknown) => void): void;
}

/** The messaging methods that `process` has in a worker and a child process has in the primary. */
interface MessagePort {
  send?(message: unknown, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Message {
  readonly topic: string;
  readonly body?: unknown;
}

export function createIpcChannel(port: MessagePort): IpcChannel {
  const listeners = new Map<string, (body: unknown) => void>();
  port.on('message', (received) => {
    const message = received as Partial<Message> | null;
    if (typeof message?.topic === 'string') listeners.get(message.topic)?.(message.body);
  });
  return {
    send: (topic, body) =>
      new Promise((resolve) => {
        const message: Message = { topic, body };
        port.send?.(message, undefined, undefined, () => resolve());
      }),
    on: (topic, listener) => void listeners.set(topic, listener),
  };
}

/**
 * The environment variable that marks a process as a worker of ours.
 * Other programs, such as pm2, also fork with node:cluster, and do not understand our messages.
 */
export const workerVariable = 'LECTERN_WORKER';

/**
 * Returns the channel from this worker to the primary. Returns null if this process is not a
 * worker.
 */
export const channelToPrimary = (env: NodeJS.ProcessEnv = process.env): IpcChannel | null =>
  cluster.isWorker && env[workerVariable] !== undefined ? createIpcChannel(process) : null;
