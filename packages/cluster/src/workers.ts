import cluster from 'node:cluster';
import { errorMessage, type Logger, type ProcessOptions } from '@lectern/serving';
import type { ConnectionDistributor } from './connections';
import type { IpcChannel } from './ipc';
import { endWorker, forkWorker, sendStop, type WorkerProcess } from './worker';

interface WorkersOptions {
  /** The compiled file that each worker runs. The file calls `runWorker`. */
  file: string;
  count: number;
  /** The options that limit the memory of a worker. By default none. */
  options?: ProcessOptions;
  connections: Pick<ConnectionDistributor, 'add'>;
  /** Called before each worker runs. The result is called when the worker has ended. */
  onConnect: (channel: IpcChannel) => () => void;
  log: Logger;
  /** Called when no worker is left and none can be started. */
  onGiveUp: (reason: Error) => void;
}

export interface Workers {
  /** Resolves when each worker serves requests, or has failed to start twice and is respawned. */
  readonly complete: Promise<void>;
  /** Returns the number of workers that serve requests. */
  ready(): number;
  /** Replaces the workers one by one. Each stops when its replacement serves requests. */
  restart(): Promise<void>;
  /** Tells all workers that they will be stopped. The workers still serve new connections. */
  drain(): void;
  /** Stops all workers after their requests in flight, and resolves when all have ended. */
  close(): Promise<void>;
}

const deathsCountForMs = 60_000;
const firstDelayMs = 100;
const maxDelayMs = 10_000;
const maxFailedStarts = 5;

/** The error of a worker that has started but cannot serve requests yet. The message says why. */
class WorkerProblem extends Error {}

/**
 * Starts worker processes that serve the connections of one server together. The first worker
 * starts alone, so that an invalid setting is reported once: if it ends, `startWorkers` rejects. A
 * worker that dies later is respawned: at once the first time, and after growing delays if workers
 * keep dying.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { file, count, log } = options;
  const execArgv = [...process.execArgv, ...(options.options?.execArgv ?? [])];
  cluster.setupPrimary({ exec: file, args: [], execArgv });
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
    complete: Promise.all(others).then(() => {}),
    ready: () => pool.ready().length,
    restart: createRestart(pool, log),
    drain: pool.drain,
    async close() {
      await Promise.all([...pool.workers].map(endWorker));
    },
  };
}

function createWorkerPool({ options, connections, onConnect, log, onGiveUp }: WorkersOptions) {
  const workers = new Set<WorkerProcess>();
  const deaths = createDeaths();
  let failedStarts = 0;
  let stopping = false;

  const ready = () => [...workers].filter(({ isReady }) => isReady);

  /**
   * Starts a worker, and resolves when the worker listens. A worker that cannot serve requests yet
   * would reject its share of the requests. So with `mustServe`, such a worker is ended if other
   * workers are ready, and the start fails with a `WorkerProblem`.
   */
  const start = ({ mustServe = false } = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = forkWorker({
        env: options?.env ?? {},
        onConnect,
        onReady({ problem }) {
          failedStarts = 0;
          if (mustServe && problem !== null && ready().some((other) => other !== worker)) {
            worker.isReady = false;
            deaths.add();
            void endWorker(worker);
            return reject(new WorkerProblem(problem));
          }
          worker.removeReceiver = connections.add(worker.process, worker.channel);
          if (stopping) sendStop(worker, false);
          return resolve();
        },
        onForkError(error) {
          workers.delete(worker);
          deaths.add();
          reject(error);
        },
        onExit(code, signal) {
          workers.delete(worker);
          if (stopping || worker.isStopping) return reject(new Error('the worker was stopped'));
          deaths.add();
          if (!worker.isReady)
            return reject(new Error(`a worker ended before it was ready (${signal ?? `exit code ${code}`})`));
          log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is respawned');
          return void respawn();
        },
      });
      workers.add(worker);
    });

  const respawn = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, deaths.respawnDelayMs()));
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

/** Counts the deaths of workers in the last minute. */
function createDeaths() {
  let deaths: number[] = [];
  return {
    add: () => void deaths.push(performance.now()),
    /** 0 after the first death, 100 ms after the second, doubled for each further, at most 10 s. */
    respawnDelayMs(): number {
      deaths = deaths.filter((at) => performance.now() - at < deathsCountForMs);
      return deaths.length <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (deaths.length - 2), maxDelayMs);
    },
  };
}

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
    // Files may have changed since the current restart began, so another restart follows.
    if (restarting) restartAgain = true;
    restarting ??= replaceAll().finally(() => (restarting = null));
    await restarting;
    if (!restartAgain || pool.isStopping()) return;
    restartAgain = false;
    await restart();
  };
  return restart;
}
