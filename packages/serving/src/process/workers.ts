import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '../listen';
import { errorMessage, type Logger } from '../logger';
import { processMemoryMb, processOptions } from '../memory';
import { exitOnUncaughtError, exitWhenClosed, exitWithReason, runUntilStopped } from '../process';

/** Marks a worker of Lectern: pm2 forks processes with node:cluster too. */
const workerVariable = 'LECTERN_WORKER';

/** Returns whether this process is a worker of `startWorkers`. */
export const isWorker = (): boolean => cluster.isWorker && process.env[workerVariable] !== undefined;

interface WorkersConfig {
  readonly WORKERS: number;
  readonly MEMORY_MB: number | '';
  readonly REDIS_URL: string;
}

/** Throws if several workers would have no shared counts, or if each would get less than `minMemoryMb` of MEMORY_MB. */
export function checkWorkers({ WORKERS, MEMORY_MB, REDIS_URL }: WorkersConfig, minMemoryMb: number): void {
  if (WORKERS > 1 && REDIS_URL === '')
    throw new Error(
      `WORKERS=${WORKERS} needs REDIS_URL, because workers count rate limits together in Redis. Set REDIS_URL, such as redis://127.0.0.1:6379, or set WORKERS to 1.`,
    );
  if (MEMORY_MB !== '' && MEMORY_MB < minMemoryMb * WORKERS)
    throw new Error(
      `MEMORY_MB=${MEMORY_MB} is too little for WORKERS=${WORKERS}, because each worker needs ${minMemoryMb}. Set MEMORY_MB to ${minMemoryMb * WORKERS} or more, or WORKERS to ${Math.floor(MEMORY_MB / minMemoryMb)} or less.`,
    );
}

/** The message with which the primary process stops a worker. */
interface StopMessage {
  readonly stop: { readonly drainMs: number };
}

const endsCountForMs = 60_000;
const firstDelayMs = 100;
const maxDelayMs = 10_000;

interface PrimaryParts {
  /** The compiled file that each worker runs. The file calls `runWorker`. */
  file: string;
  config: Pick<WorkersConfig, 'WORKERS' | 'MEMORY_MB'> & { readonly DRAIN_MS: number };
  log: Logger;
}

/**
 * Runs this process as the primary of `WORKERS` processes, which listen on one address, until SIGTERM or SIGINT.
 * Resolves when each serves or has failed once. The first starts alone, so that an invalid setting is reported once.
 * One that ends is forked again, unless it does not start and none serves: then this process ends.
 */
export async function startWorkers({ file, config, log }: PrimaryParts) {
  const { execArgv, env } = processOptions(processMemoryMb(config), process.env);
  cluster.setupPrimary({ exec: file, args: [], execArgv: [...process.execArgv, ...execArgv] });
  const running = new Set<Worker>();
  const ready = new Set<Worker>();
  let ends: number[] = [];
  let isStopping = false;

  /** Forks a worker. Resolves with its address when it listens. Rejects if it ends before. */
  const fork = (): Promise<Address> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork({ ...env, [workerVariable]: '1' });
      running.add(worker);
      const onEnd = (reason: string): void => {
        ends.push(performance.now());
        running.delete(worker);
        if (!ready.delete(worker)) return reject(new Error(`a worker ended before it served requests (${reason})`));
        if (isStopping) return;
        log.error({ pid: worker.process.pid, reason }, 'a worker ended and is forked again');
        void forkAgain();
      };
      worker.once('listening', ({ address, port }) => {
        ready.add(worker);
        resolve({ host: address, port });
      });
      worker.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
      // With a process id, the fork has succeeded, and the event `exit` follows.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) onEnd(errorMessage(error));
      });
    });

  /** Returns 0 after the first end of a minute, 100 ms after the second, then twice as long each time, up to 10 s. */
  const delayMs = (): number => {
    ends = ends.filter((at) => performance.now() - at < endsCountForMs);
    return ends.length <= 1 ? 0 : Math.min(firstDelayMs * 2 ** (ends.length - 2), maxDelayMs);
  };

  const forkAgain = async (): Promise<void> => {
    await pause(delayMs());
    if (isStopping) return;
    try {
      await fork();
    } catch (error) {
      if (isStopping) return;
      if (ready.size === 0)
        exitWithReason(`No worker is left: ${errorMessage(error)}. The output of the worker above says why.`);
      log.error({ reason: errorMessage(error), serving: ready.size }, 'a worker could not be started');
      void forkAgain();
    }
  };

  const stop = async (worker: Worker, drainMs: number): Promise<void> => {
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    if (ready.has(worker)) worker.send({ stop: { drainMs } } satisfies StopMessage);
    else worker.process.kill('SIGKILL');
    await ended;
  };

  const address = await fork().catch((error: unknown) => {
    throw new Error(`Lectern does not start: ${errorMessage(error)}. The output of the worker above says why.`);
  });
  process.on('exit', () => running.forEach((worker) => worker.process.kill('SIGKILL')));
  const close = async (drainMs: number): Promise<void> => {
    isStopping = true;
    await Promise.all(Array.from(running, (worker) => stop(worker, drainMs)));
  };
  runUntilStopped(close, log, { drainMs: config.DRAIN_MS });
  await Promise.all(Array.from({ length: config.WORKERS - 1 }, forkAgain));
  return { ...address, ready: (): number => ready.size };
}

/** Runs this worker until the primary process stops it. If the primary process ends, node:cluster ends the worker. */
export function runWorker(close: (drainMs: number) => Promise<void>, log: Logger): void {
  // A terminal or a supervisor sends a signal to every process of a group. Only the primary process acts on it.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined);
  process.on('message', (message: Partial<StopMessage>) => {
    if (message.stop) exitWhenClosed(close(message.stop.drainMs), log, 'a worker could not stop cleanly');
  });
  exitOnUncaughtError(log);
}
