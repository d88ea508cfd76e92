import cluster from 'node:cluster';
import { exitOnUncaughtError, exitWhenClosed, type Logger } from '@lectern/serving';
import { lastConnectionTopic } from './connections';
import { createIpcChannel, type IpcChannel, workerVariable } from './ipc';

/** A worker's message that it listens. `problem` is the reason why it cannot serve requests yet, or null. */
interface ReadyMessage {
  readonly problem: string | null;
}

/** The primary's message that the worker will be stopped. `isReplaced`: another worker has replaced it. */
interface StopMessage {
  readonly isReplaced: boolean;
}

const startWithinMs = 60_000;
/**
 * How long a worker may take to stop, in milliseconds: longer than the 10 s for requests in flight, and shorter than
 * the 15 s after which the primary exits.
 */
const stopWithinMs = 12_000;

interface ForkOptions {
  /** Environment variables in addition to those of this process. */
  env: Readonly<Record<string, string>>;
  /** Called before the worker runs. Returns the function to call when the worker has ended. */
  onConnect: (channel: IpcChannel) => () => void;
  onReady: (message: ReadyMessage) => void;
  /** Called if the process could not be forked. `onExit` is not called then. */
  onForkError: (error: Error) => void;
  onExit: (code: number | null, signal: NodeJS.Signals | null) => void;
}

/**
 * Forks a worker. A worker that is not ready within 60 s is killed. All callbacks except `onConnect` are called after
 * this function has returned.
 */
export function forkWorker({ env, onConnect, onReady, onForkError, onExit }: ForkOptions) {
  const forked = cluster.fork({ ...env, [workerVariable]: '1' });
  const { process: child } = forked;
  const channel = createIpcChannel(child);
  const onClose = onConnect(channel);
  const startTimeout = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
  let resolveEnded = (): void => {};
  const worker = {
    process: child,
    channel,
    ended: new Promise<void>((resolve) => (resolveEnded = resolve)),
    isReady: false,
    /** Removes the worker from the distributor of connections. */
    removeReceiver: async (): Promise<void> => {},
    /** Whether the worker is being stopped or replaced. It is then not respawned when it ends. */
    isStopping: false,
  };
  const onEnd = () => {
    clearTimeout(startTimeout);
    onClose();
    resolveEnded();
  };
  channel.on('ready', (message) => {
    clearTimeout(startTimeout);
    worker.isReady = true;
    onReady(message as ReadyMessage);
  });
  forked.on('error', (error: Error) => {
    // If the child has a process id, the fork succeeded. The error is then that of a message to an ending worker, and
    // the event `exit` follows.
    if (child.pid !== undefined) return;
    onEnd();
    onForkError(error);
  });
  child.once('exit', (code, signal) => {
    onEnd();
    onExit(code, signal);
  });
  return worker;
}

export type WorkerProcess = ReturnType<typeof forkWorker>;

export function sendStop(worker: WorkerProcess, isReplaced: boolean): void {
  void worker.channel.send('stop', { isReplaced } satisfies StopMessage);
}

/**
 * Ends a worker. A worker that is ready has received `stop` before, so it ends after its requests in flight. A worker
 * that is not ready is killed.
 */
export async function endWorker(worker: WorkerProcess): Promise<void> {
  worker.isStopping = true;
  const stopTimeout = setTimeout(() => worker.process.kill('SIGKILL'), stopWithinMs);
  if (worker.isReady) {
    await worker.removeReceiver();
    void worker.channel.send(lastConnectionTopic);
  } else {
    worker.process.kill('SIGKILL');
  }
  await worker.ended;
  clearTimeout(stopTimeout);
}

interface WorkerParts {
  channel: IpcChannel;
  close: (isReplaced: boolean) => Promise<void>;
  /** Returns the reason why this worker cannot serve requests yet, or null. By default it always returns null. */
  problem?: () => string | null;
  log: Logger;
}

/**
 * Runs this worker until the primary process sends `stop`, then calls `close`. If the primary process has ended,
 * node:cluster ends the worker.
 */
export function runWorker({ channel, close, problem = () => null, log }: WorkerParts): void {
  channel.on('stop', (message) =>
    exitWhenClosed(close((message as StopMessage).isReplaced), log, 'a worker could not stop cleanly'),
  );
  // Workers ignore these signals. A terminal or a supervisor sends them to every process of a group, but a worker that
  // stopped by itself would miss its last connections. The primary process decides what workers do.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  exitOnUncaughtError(log);
  void channel.send('ready', { problem: problem() } satisfies ReadyMessage);
}
