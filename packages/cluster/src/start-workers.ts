import type { Worker as Forked } from 'node:cluster';
import cluster from 'node:cluster';
import type { Logger } from '@lectern/serving';
import { errorMessage } from '@lectern/serving';
import type { ConnectionDistributor, RemoveReceiver } from './connection-distributor';
import type { IpcChannel } from './ipc-channel';
import { createIpcChannel, workerVariable } from './ipc-channel';
import { lastConnectionTopic } from './receive-connections';

export interface WorkersOptions {
  /** The compiled file that each worker runs. The file calls `runWorker`. */
  file: string;
  count: number;
  /** Hands over connections to the workers that serve requests. */
  connections: Pick<ConnectionDistributor, 'add'>;
  /**
   * Called with the channel of each new worker before the worker runs. Returns `onClose`, which is
   * called when the worker has ended.
   */
  onConnect: (channel: IpcChannel) => () => void;
  log: Logger;
  /** Called when no worker is left and none can be started. */
  onGiveUp: (reason: Error) => void;
}

export interface Workers {
  /** Resolves when all workers serve requests. A worker that fails to start is respawned first. */
  readonly complete: Promise<void>;
  /** Returns the number of workers that serve requests. */
  ready(): number;
  /**
   * Replaces the workers one by one. Each old worker stops when its replacement serves requests.
   */
  restart(): Promise<void>;
  /** Tells all workers that they will be stopped. They still serve new connections. */
  drain(): void;
  /** Stops all workers after their requests in flight, and resolves when all have ended. */
  close(): Promise<void>;
}

/** The body of the message `stop` from the primary to a worker. */
export interface StopMessage {
  /** Whether another worker has replaced this worker. */
  readonly isReplaced: boolean;
}

interface WorkerProcess {
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
 * The deadline for a worker to stop. Longer than the worker waits for its requests in flight and
 * for closing its files.
 */
const stopWithinMs = 20_000;
const deathsCountForMs = 60_000;
const firstDelayMs = 100;
const maxDelayMs = 10_000;
const maxFailedStarts = 5;

/**
 * Starts worker processes that serve the connections of one server together.
 *
 * The first worker starts alone, so that an invalid setting is reported once. If this first worker
 * ends, `startWorkers` rejects. A worker that dies later is respawned: at once the first time, and
 * after growing delays if workers keep dying.
 */
export async function startWorkers({
  file,
  count,
  connections,
  onConnect,
  log,
  onGiveUp,
}: WorkersOptions): Promise<Workers> {
  const workers = new Set<WorkerProcess>();
  let deaths: number[] = [];
  let failedStarts = 0;
  let stopping = false;
  let restarting: Promise<void> | null = null;
  let restartAgain = false;

  cluster.setupPrimary({ exec: file, args: [] });

  const readyWorkers = () => [...workers].filter(({ isReady }) => isReady);

  /** Starts a worker, and resolves when it serves requests. */
  const startWorker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const forked = cluster.fork({ [workerVariable]: '1' });
      const { process: child } = forked;
      const channel = createIpcChannel(child);
      const onClose = onConnect(channel);
      const startTimeout = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
      let resolveEnded: () => void = () => {};
      const ended = new Promise<void>((resolvePromise) => {
        resolveEnded = resolvePromise;
      });
      const worker: WorkerProcess = {
        process: child,
        channel,
        ended,
        isReady: false,
        removeReceiver: async () => {},
        isStopping: false,
      };
      workers.add(worker);
      const onEnd = () => {
        clearTimeout(startTimeout);
        workers.delete(worker);
        onClose();
        resolveEnded();
      };
      channel.on('ready', () => {
        clearTimeout(startTimeout);
        worker.isReady = true;
        worker.removeReceiver = connections.add(child, channel);
        failedStarts = 0;
        if (stopping) sendStop(worker, false);
        resolve();
      });
      forked.on('error', (error: Error) => {
        // Sending to a worker that is ending may fail, and its exit is handled below. A failed fork
        // has no exit.
        if (child.pid !== undefined) return;
        onEnd();
        deaths.push(Date.now());
        reject(error);
      });
      child.once('exit', (code, signal) => {
        onEnd();
        if (stopping || worker.isStopping) return reject(new Error('the worker was stopped'));
        deaths.push(Date.now());
        if (!worker.isReady)
          return reject(new Error(`a worker ended before it was ready (${signal ?? `exit code ${code}`})`));
        log.error({ pid: child.pid, code, signal }, 'a worker ended and is respawned');
        return void respawn();
      });
    });

  /**
   * Returns the delay before a respawn: none for the first death within a minute, doubled for each
   * further death.
   */
  const respawnDelayMs = (): number => {
    deaths = deaths.filter((at) => Date.now() - at < deathsCountForMs);
    return deaths.length <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (deaths.length - 2), maxDelayMs);
  };

  const respawn = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, respawnDelayMs()));
    if (stopping) return;
    try {
      await startWorker();
    } catch (error) {
      if (stopping) return;
      failedStarts += 1;
      log.error({ reason: errorMessage(error), serving: readyWorkers().length }, 'a worker could not be started');
      if (failedStarts >= maxFailedStarts && readyWorkers().length === 0)
        onGiveUp(
          new Error(
            `No worker is left, and ${failedStarts} in a row could not be started. Their output above says why.`,
          ),
        );
      else void respawn();
    }
  };

  const sendStop = (worker: WorkerProcess, isReplaced: boolean): void => {
    const message: StopMessage = { isReplaced };
    void worker.channel.send('stop', message);
  };

  /** Ends a worker that received the message `stop`, after its last connection. */
  const endWorker = async (worker: WorkerProcess): Promise<void> => {
    worker.isStopping = true;
    const stopTimeout = setTimeout(() => worker.process.kill('SIGKILL'), stopWithinMs);
    // A worker that is not ready does not listen to messages yet, and has no requests in flight.
    if (worker.isReady) {
      await worker.removeReceiver();
      void worker.channel.send(lastConnectionTopic);
    } else {
      worker.process.kill('SIGKILL');
    }
    await worker.ended;
    clearTimeout(stopTimeout);
  };

  const replaceAll = async (): Promise<void> => {
    for (const old of readyWorkers()) {
      if (stopping || !workers.has(old)) continue;
      old.isStopping = true;
      try {
        await startWorker();
      } catch (error) {
        if (stopping) return;
        old.isStopping = false;
        log.error({ reason: errorMessage(error) }, 'the restart failed: the old workers continue');
        if (!workers.has(old)) void respawn();
        return;
      }
      if (workers.has(old)) {
        sendStop(old, true);
        await endWorker(old);
      }
    }
    if (!stopping) log.info({ workers: readyWorkers().length }, 'every worker was replaced');
  };

  const restart = async (): Promise<void> => {
    // Files may have changed since the current restart began, so another restart follows.
    if (restarting) restartAgain = true;
    restarting ??= replaceAll().finally(() => (restarting = null));
    await restarting;
    if (!restartAgain || stopping) return;
    restartAgain = false;
    await restart();
  };

  await startWorker().catch((error: unknown) => {
    throw new Error(`Lectern does not start: ${errorMessage(error)}. Its output above says why.`);
  });
  // From here on the first worker serves requests, and workers that fail to start are respawned.
  const others = Array.from({ length: count - 1 }, async () => {
    try {
      await startWorker();
    } catch (error) {
      if (stopping) return;
      log.error({ reason: errorMessage(error) }, 'a worker could not be started');
      await respawn();
    }
  });

  return {
    complete: Promise.all(others).then(() => {}),
    ready: () => readyWorkers().length,
    restart,
    drain() {
      stopping = true;
      for (const worker of readyWorkers()) sendStop(worker, false);
    },
    async close() {
      await Promise.all([...workers].map(endWorker));
    },
  };
}
