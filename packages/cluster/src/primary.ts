import { isatty } from 'node:tty';
import type { Address, Logger } from '@lectern/serving';
import { listenOnAddress, processMemoryMb, processOptions, runUntilStopped } from '@lectern/serving';
import type { TelemetryConfig } from '@lectern/telemetry';
import { createMetrics, readServiceIdentity, serveMetrics, summedMetrics } from '@lectern/telemetry';
import { createConnectionDistributor } from './connections';
import { createMemoryCounterStore, serveCounters } from './counters';
import { createWorkerMetrics } from './metrics';
import { startWorkers, type Workers } from './workers';

interface PrimaryParts {
  /** The compiled file that each worker runs. */
  file: string;
  service: string;
  config: TelemetryConfig &
    Readonly<{ WORKERS: number; HOST: string; PORT: number; DRAIN_MS: number; MEMORY_MB: number | '' }>;
  log: Logger;
}

/** Runs the primary process until SIGTERM or SIGINT. Resolves with the address when the workers serve requests. */
export async function runPrimary({ file, service, config, log }: PrimaryParts): Promise<Address> {
  const counters = createMemoryCounterStore();
  const workerMetrics = createWorkerMetrics();
  const connections = createConnectionDistributor();
  let workers: Workers | null = null;
  // SIGHUP restarts the workers. If standard input (0) is a terminal, SIGHUP means that the terminal was closed, so it
  // keeps its default effect and ends the process.
  if (!isatty(0)) process.on('SIGHUP', () => void workers?.restart());
  const started = await startWorkers({
    file,
    count: config.WORKERS,
    options: processOptions(processMemoryMb(config), process.env),
    connections,
    onConnect(channel) {
      serveCounters(counters, channel);
      return workerMetrics.onConnect(channel);
    },
    onGiveUp(reason) {
      process.stderr.write(`${reason.message}\n`);
      process.exit(1);
    },
    log,
  });
  workers = started;
  const address = await listenOnAddress(connections.server, { host: config.HOST, port: config.PORT }).catch(
    async (error: unknown) => {
      started.drain();
      await started.close();
      throw error;
    },
  );
  const own = createMetrics(readServiceIdentity(service, config.OTEL_SERVICE_NAME));
  own.gauge({ name: 'lectern_workers', help: 'Worker processes that serve requests.' }, () => [
    { labels: {}, value: started.ready() },
  ]);
  own.gauge({ name: 'lectern_workers_configured', help: 'Worker processes that WORKERS asks for.' }, () => [
    { labels: {}, value: config.WORKERS },
  ]);
  const metricsServer =
    config.METRICS_PORT === 0
      ? null
      : await serveMetrics(
          summedMetrics(async () => [await own.values(), ...(await workerMetrics.read())]),
          { host: config.METRICS_HOST, port: config.METRICS_PORT },
        );
  const close = async (drainMs: number) => {
    started.drain();
    await connections.close(drainMs);
    await started.close();
    await metricsServer?.close({ graceMs: 0 });
  };
  runUntilStopped(close, log, { drainMs: config.DRAIN_MS });
  await started.complete;
  return address;
}
