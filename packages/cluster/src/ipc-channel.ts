import cluster from 'node:cluster';

/** Messages between a primary process and one of its workers, each under a topic, in the order in which they were said. */
export interface IpcChannel {
  /** Resolves when it is on its way. What is said to one who has ended is lost: that he has is told otherwise. */
  send(topic: string, body?: unknown): Promise<void>;
  /** One listener a topic. */
  on(topic: string, listener: (body: unknown) => void): void;
}

/** What both a process has towards its parent, and a parent towards its child. */
interface End {
  send?(message: unknown, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Said {
  readonly topic: string;
  readonly body?: unknown;
}

export function createIpcChannel(end: End): IpcChannel {
  const listeners = new Map<string, (body: unknown) => void>();
  end.on('message', (message) => {
    const said = message as Partial<Said> | null;
    if (typeof said?.topic === 'string') listeners.get(said.topic)?.(said.body);
  });
  return {
    send: (topic, body) =>
      new Promise((resolve) => {
        const said: Said = { topic, body };
        end.send?.(said, undefined, undefined, () => resolve());
      }),
    on: (topic, listener) => void listeners.set(topic, listener),
  };
}

/** Says of a process that it is a worker of ours: others fork by way of node:cluster too, as pm2 does, and know nothing of our messages. */
export const workerVariable = 'LECTERN_WORKER';

/** The line of this process to its primary; null for one that is no worker. */
export const channelToPrimary = (env: NodeJS.ProcessEnv = process.env): IpcChannel | null =>
  cluster.isWorker && env[workerVariable] !== undefined ? createIpcChannel(process) : null;
