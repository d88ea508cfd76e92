import { isatty } from 'node:tty';
import type { Logger } from '@lectern/serving';
import { runUntilStopped } from '@lectern/serving';
import type { TelemetryConfig } from '@lectern/telemetry';
import { createMetrics, serveMetrics, summedMetrics } from '@lectern/telemetry';
import { createMemoryCounterStore } from './memory-counter-store';
import { serveCounters } from './primary-counter-store';
import type { Address } from './start-workers';
import { startWorkers } from './start-workers';
import { createWorkerMetrics } from './worker-metrics';

export interface PrimaryParts {
  /** The compiled file that each worker runs. */
  file: string;
  service: string;
  config: TelemetryConfig & { readonly WORKERS: number };
  log: Logger;
}

const standardInput = 0;

/**
 * The primary of several workers: it starts them and mends them, hands them connections, and holds what they share, which are counts and metrics. It answers no request
 * itself. Resolves when they serve, and goes on until it is stopped.
 */
export async function runPrimary({ file, service, config, log }: PrimaryParts): Promise<Address> {
  const counts = createMemoryCounterStore();
  const workerMetrics = createWorkerMetrics();
  let workers: Awaited<ReturnType<typeof startWorkers>> | null = null;
  // Heard from the beginning, for it would end the process. Under a terminal it says that the terminal is gone, and ends the process as it would end any.
  if (!isatty(standardInput)) process.on('SIGHUP', () => void workers?.restart());
  const started = await startWorkers({
    file,
    count: config.WORKERS,
    onConnect(channel) {
      serveCounters(counts, channel);
      return workerMetrics.onConnect(channel);
    },
    onGiveUp(reason) {
      process.stderr.write(`${reason.message}\n`);
      process.exit(1);
    },
    log,
  });
  workers = started;
  const metrics = config.METRICS_PORT === 0 ? null : await servePrimaryMetrics();
  runUntilStopped(async () => {
    await started.close();
    await metrics?.close(0);
  }, log);
  await started.complete;
  return started.address;

  function servePrimaryMetrics() {
    const own = createMetrics({ service });
    own.gauge({ name: 'lectern_workers', help: 'Worker processes that take requests.' }, () => [
      { labels: {}, value: started.ready() },
    ]);
    const all = summedMetrics(async () => [await own.values(), ...(await workerMetrics.read())]);
    return serveMetrics(all, { host: config.METRICS_HOST, port: config.METRICS_PORT });
  }
}
