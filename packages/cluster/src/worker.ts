import cluster from 'node:cluster';
import { exitOnUncaughtError, type Logger } from '@lectern/serving';
import { lastConnectionTopic } from './connections';
import { createIpcChannel, type IpcChannel, workerVariable } from './ipc';

/** Says that a worker listens, and why it cannot serve requests yet. Null if it can. */
interface ReadyMessage {
  readonly problem: string | null;
}

/** Tells a worker that it will be stopped, and whether another worker has replaced it. */
interface StopMessage {
  readonly isReplaced: boolean;
}

const startWithinMs = 60_000;
/** Longer than the 10 s for requests in flight, shorter than the 15 until the primary exits. */
const stopWithinMs = 12_000;

interface ForkOptions {
  /** Environment variables beside those of this process. */
  env: Readonly<Record<string, string>>;
  /** Called before the worker runs. The result is called when the worker has ended. */
  onConnect: (channel: IpcChannel) => () => void;
  onReady: (message: ReadyMessage) => void;
  /** Called if the process could not be forked. `onExit` is not called then. */
  onForkError: (error: Error) => void;
  onExit: (code: number | null, signal: NodeJS.Signals | null) => void;
}

/** Kills a worker that is not ready within 60 s. Callbacks but `onConnect` run after the return. */
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
    // `exit` follows a failed message to a worker that is ending, but not a failed fork.
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

/** A worker that is ready has received `stop`, and ends after its requests. Others are killed. */
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
  /** Returns why this worker cannot serve requests yet. Null, the default, if it can. */
  problem?: () => string | null;
  log: Logger;
}

/** Closes when the primary sends `stop`. node:cluster ends the worker if the primary is gone. */
export function runWorker({ channel, close, problem = () => null, log }: WorkerParts): void {
  channel.on('stop', (message) => {
    close((message as StopMessage).isReplaced).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'a worker could not stop cleanly');
        process.exit(1);
      },
    );
  });
  // A terminal or a supervisor sends these signals to every process of its group. The primary
  // decides what workers do: a worker that stopped by itself would miss its last connections.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  exitOnUncaughtError(log);
  void channel.send('ready', { problem: problem() } satisfies ReadyMessage);
}
