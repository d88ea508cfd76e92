import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage, type Logger, type ProcessOptions } from '@lectern/serving';
import type { ConnectionDistributor } from './connections';
import type { IpcChannel } from './ipc';
import { endWorker, forkWorker, sendStop, type WorkerProcess } from './worker';

interface WorkersOptions {
  /** The compiled file that each worker runs. The file calls `runWorker`. */
  file: string;
  count: number;
  /** The options that limit the memory of a worker. By default there is no limit. */
  options?: ProcessOptions;
  connections: Pick<ConnectionDistributor, 'add'>;
  /** Called before each worker runs. Returns the function to call when the worker has ended. */
  onConnect: (channel: IpcChannel) => () => void;
  log: Logger;
  /** Called when no worker is left and no new worker can be started. */
  onGiveUp: (reason: Error) => void;
}

const deathsCountForMs = 60_000;
const firstDelayMs = 100;
const maxDelayMs = 10_000;
const maxFailedStarts = 5;

/** The error of a worker that has started but cannot serve requests yet. The message is the reason. */
class WorkerProblem extends Error {}

/**
 * Starts worker processes that together serve the connections of one server. The first worker starts alone, so that an
 * invalid setting is reported only once: if this worker ends, `startWorkers` rejects. A worker that ends later is
 * respawned, at once the first time, and after growing delays if workers keep ending.
 */
export async function startWorkers(options: WorkersOptions) {
  const { file, count, log, options: { execArgv = [] } = {} } = options;
  cluster.setupPrimary({ exec: file, args: [], execArgv: [...process.execArgv, ...execArgv] });
  const pool = createWorkerPool(options);
  await pool.start().catch((error: unknown) => {
    throw new Error(`Lectern does not start: ${errorMessage(error)}. Its output above says why.`);
  });
  const others = Array.from({ length: count - 1 }, async () => {
    try {
      await pool.start();
    } catch (error) {
      if (pool.isStopping()) return;
      log.error({ reason: errorMessage(error) }, 'a worker could not be started');
      await pool.respawn();
    }
  });
  return {
    /** Resolves when each worker either serves requests or has failed twice to start. */
    complete: Promise.all(others),
    /** Returns the number of workers that serve requests. */
    ready: () => pool.ready().length,
    /** Replaces the workers one by one. An old worker stops when its replacement serves requests. */
    restart: createRestart(pool, log),
    /** Tells all workers that they will be stopped. They continue to serve new connections until then. */
    drain: pool.drain,
    /** Stops all workers after their requests in flight, and resolves when all have ended. */
    close: () => Promise.all([...pool.workers].map(endWorker)),
  };
}
export type Workers = Awaited<ReturnType<typeof startWorkers>>;

function createWorkerPool({ options, connections, onConnect, log, onGiveUp }: WorkersOptions) {
  const workers = new Set<WorkerProcess>();
  /** The times at which workers ended in the last minute. */
  let deaths: number[] = [];
  let failedStarts = 0;
  let stopping = false;

  const ready = () => [...workers].filter(({ isReady }) => isReady);
  const addDeath = () => deaths.push(performance.now());

  /** Starts a worker. Resolves when it listens. With `mustServe`, rejects if the worker cannot serve requests yet. */
  const start = ({ mustServe = false } = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = forkWorker({
        env: options?.env ?? {},
        onConnect,
        onReady({ problem }) {
          failedStarts = 0;
          if (mustServe && problem !== null && ready().some((other) => other !== worker)) {
            worker.isReady = false;
            addDeath();
            void endWorker(worker);
            return reject(new WorkerProblem(problem));
          }
          worker.removeReceiver = connections.add(worker.process, worker.channel);
          if (stopping) sendStop(worker, false);
          return resolve();
        },
        onForkError(error) {
          workers.delete(worker);
          addDeath();
          reject(error);
        },
        onExit(code, signal) {
          workers.delete(worker);
          if (stopping || worker.isStopping) return reject(new Error('the worker was stopped'));
          addDeath();
          if (!worker.isReady)
            return reject(new Error(`a worker ended before it was ready (${signal ?? `exit code ${code}`})`));
          log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is respawned');
          return void respawn();
        },
      });
      workers.add(worker);
    });

  /**
   * Returns the delay before a worker is respawned, in milliseconds: 0 after the first end, 100 after the second,
   * doubled for each further end, at most 10,000.
   */
  const respawnDelayMs = (): number => {
    deaths = deaths.filter((at) => performance.now() - at < deathsCountForMs);
    return deaths.length <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (deaths.length - 2), maxDelayMs);
  };

  const respawn = async (): Promise<void> => {
    await pause(respawnDelayMs());
    if (stopping) return;
    try {
      await start({ mustServe: true });
    } catch (error) {
      if (stopping) return;
      if (!(error instanceof WorkerProblem)) failedStarts += 1;
      log.error({ reason: errorMessage(error), serving: ready().length }, 'a worker could not be started');
      if (failedStarts < maxFailedStarts || ready().length > 0) return void respawn();
      const reason = `No worker is left, and ${failedStarts} in a row could not be started.`;
      onGiveUp(new Error(`${reason} Their output above says why.`));
    }
  };

  return {
    workers,
    start,
    respawn,
    ready,
    isStopping: () => stopping,
    drain() {
      stopping = true;
      for (const worker of ready()) sendStop(worker, false);
    },
  };
}
type WorkerPool = ReturnType<typeof createWorkerPool>;

function createRestart(pool: WorkerPool, log: Logger) {
  let restarting: Promise<void> | null = null;
  let restartAgain = false;

  const replaceAll = async (): Promise<void> => {
    for (const old of pool.ready()) {
      if (pool.isStopping() || !pool.workers.has(old)) continue;
      old.isStopping = true;
      try {
        await pool.start({ mustServe: true });
      } catch (error) {
        if (pool.isStopping()) return;
        old.isStopping = false;
        log.error({ reason: errorMessage(error) }, 'the restart failed: the old workers continue');
        if (!pool.workers.has(old)) void pool.respawn();
        return;
      }
      if (pool.workers.has(old)) {
        sendStop(old, true);
        await endWorker(old);
      }
    }
    if (!pool.isStopping()) log.info({ workers: pool.ready().length }, 'every worker was replaced');
  };

  const restart = async (): Promise<void> => {
    // Files may have changed since the restart began, so the workers are restarted again afterwards.
    if (restarting) restartAgain = true;
    restarting ??= replaceAll().finally(() => (restarting = null));
    await restarting;
    if (!restartAgain || pool.isStopping()) return;
    restartAgain = false;
    await restart();
  };
  return restart;
}
