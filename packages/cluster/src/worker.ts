import type { Worker as Forked } from 'node:cluster';
import cluster from 'node:cluster';
import { exitOnUncaughtError, type Logger } from '@lectern/serving';
import { lastConnectionTopic, type RemoveReceiver } from './connections';
import { createIpcChannel, type IpcChannel, workerVariable } from './ipc';

/** The body of the message `ready` from a worker to the primary. */
export interface ReadyMessage {
  /** Why the worker cannot serve requests yet. Null if it can. */
  readonly problem: string | null;
}

/** The body of the message `stop` from the primary to a worker. */
export interface StopMessage {
  /** Whether another worker has replaced this worker. */
  readonly isReplaced: boolean;
}

export interface WorkerProcess {
  readonly process: Forked['process'];
  readonly channel: IpcChannel;
  readonly ended: Promise<void>;
  isReady: boolean;
  /** Removes the worker from the distributor of connections. */
  removeReceiver: RemoveReceiver;
  /**
   * Whether the worker is being stopped or replaced. Such a worker is not respawned when it ends.
   */
  isStopping: boolean;
}

const startWithinMs = 60_000;
/**
 * Longer than the 10 seconds that a worker gives requests in flight, shorter than the 15 until the
 * primary exits.
 */
const stopWithinMs = 12_000;

export interface ForkOptions {
  /** Environment variables beside those of this process. */
  env: Readonly<Record<string, string>>;
  /**
   * Called with the channel of the worker before the worker runs. The result is called when the
   * worker has ended.
   */
  onConnect: (channel: IpcChannel) => () => void;
  /** Called when the worker listens. `problem` says why it cannot serve requests yet. */
  onReady: (message: ReadyMessage) => void;
  /** Called if the process could not be forked. `onExit` is not called then. */
  onForkError: (error: Error) => void;
  onExit: (code: number | null, signal: NodeJS.Signals | null) => void;
}

/**
 * Forks a worker. Kills a worker that is not ready within 60 seconds. Apart from `onConnect`, no
 * callback runs before this function has returned.
 */
export function forkWorker({ env, onConnect, onReady, onForkError, onExit }: ForkOptions): WorkerProcess {
  const forked = cluster.fork({ ...env, [workerVariable]: '1' });
  const { process: child } = forked;
  const channel = createIpcChannel(child);
  const onClose = onConnect(channel);
  const startTimeout = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
  let resolveEnded: () => void = () => {};
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const worker: WorkerProcess = {
    process: child,
    channel,
    ended,
    isReady: false,
    removeReceiver: async () => {},
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
    // The error is a failed message to a worker that is ending, or a failed fork. A failed message
    // is ignored, because the event `exit` follows. After a failed fork there is no `exit`.
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

/** Tells a worker that it will be stopped. */
export function sendStop(worker: WorkerProcess, isReplaced: boolean): void {
  const message: StopMessage = { isReplaced };
  void worker.channel.send('stop', message);
}

/**
 * Ends a worker. A worker that is ready must have received the message `stop`, and ends after its
 * requests in flight. Any other worker is killed.
 */
export async function endWorker(worker: WorkerProcess): Promise<void> {
  worker.isStopping = true;
  const stopTimeout = setTimeout(() => worker.process.kill('SIGKILL'), stopWithinMs);
  // A worker that is not ready has received no connections, so it has no requests in flight.
  if (worker.isReady) {
    await worker.removeReceiver();
    void worker.channel.send(lastConnectionTopic);
  } else {
    worker.process.kill('SIGKILL');
  }
  await worker.ended;
  clearTimeout(stopTimeout);
}

export interface WorkerParts {
  channel: IpcChannel;
  /**
   * Closes the worker's server. `isReplaced` is true if another worker has replaced this worker.
   */
  close: (isReplaced: boolean) => Promise<void>;
  /** Returns why this worker cannot serve requests yet. Null, the default, if it can. */
  problem?: () => string | null;
  log: Logger;
}

/**
 * Runs a worker that serves requests. Reports to the primary that the worker is ready, and closes
 * when the primary sends `stop`. node:cluster ends the worker if the primary is gone.
 */
export function runWorker({ channel, close, problem = () => null, log }: WorkerParts): void {
  const stop = (isReplaced: boolean) =>
    close(isReplaced).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'a worker could not stop cleanly');
        process.exit(1);
      },
    );
  channel.on('stop', (message) => void stop((message as StopMessage).isReplaced));
  // A terminal or a supervisor sends these signals to every process of its group. The primary
  // decides what workers do: a worker that stopped by itself would miss its last connections.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  exitOnUncaughtError(log);
  const message: ReadyMessage = { problem: problem() };
  void channel.send('ready', message);
}
