import { channelToPrimary, runPrimary, runWorker } from '@lectern/cluster';
import { createLogger, exitWithReason, limitMemory, runUntilStopped } from '@lectern/serving';
import { readConfig } from './config';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const channel = channelToPrimary();
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL, pid: channel ? process.pid : undefined });
  if (config.WORKERS > 1 && !channel) {
    const { host, port } = await runPrimary({ file: __filename, service: 'gateway', config, log });
    log.info({ host, port, workers: config.WORKERS, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    return;
  }
  limitMemory(config, log);
  // With WORKERS above 1, the primary process serves no requests. It has returned above, so it never loads
  // @apollo/gateway.
  const { startGatewayFromSettings } = await import('./start.js');
  const gateway = await startGatewayFromSettings({ config, channel, log });
  const { host, port, problem } = gateway;
  if (channel) return runWorker({ channel, close: (isReplaced) => gateway.close({ isReplaced }), problem, log });
  log.info({ host, port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
  runUntilStopped((drainMs) => gateway.close({ drainMs }), log, { drainMs: config.DRAIN_MS });
}

main().catch(exitWithReason);
