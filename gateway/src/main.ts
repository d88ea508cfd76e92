import {
  createLogger,
  exitWithReason,
  isWorker,
  limitMemory,
  runUntilStopped,
  runWorker,
  startWorkers,
} from '@lectern/serving';
import { startWorkersTelemetry } from '@lectern/telemetry';
import { readConfig } from './config';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL, pid: isWorker() ? process.pid : undefined });
  if (config.WORKERS > 1 && !isWorker()) {
    const { host, port, ready } = await startWorkers({ file: __filename, config, log });
    await startWorkersTelemetry({ service: 'gateway', config, ready, log });
    log.info({ host, port, workers: config.WORKERS, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    return;
  }
  limitMemory(config, log);
  // A primary process serves no requests, and never loads @apollo/gateway.
  const { startGatewayFromSettings } = await import('./start.js');
  const gateway = await startGatewayFromSettings(config, log);
  const close = (drainMs: number) => gateway.close({ drainMs });
  if (isWorker()) return runWorker(close, log);
  const { host, port } = gateway;
  log.info({ host, port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
  runUntilStopped(close, log, { drainMs: config.DRAIN_MS });
}

main().catch(exitWithReason);
