import { ownLine, runPrimary, runWorker, shareMetrics } from '@lectern/cluster';
import { openKeysFromSettings, readPepperFromSettings } from '@lectern/keys';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { openTelemetry } from '@lectern/telemetry';
import { optionsOf, readConfig } from './config';
import { startGateway } from './gateway';
import { createHttpSubgraphs } from './transport/http-subgraphs';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const line = ownLine();
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL, ...(line && { pid: process.pid }) });
  if (config.WORKERS > 1 && !line) {
    const { host, port } = await runPrimary({ file: __filename, service: 'gateway', config, log });
    log.info({ host, port, workers: config.WORKERS, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    return;
  }
  const keys = await openKeysFromSettings(config, { log });
  const telemetry = await openTelemetry({
    service: 'gateway',
    config,
    log,
    ...(line && { share: shareMetrics(line) }),
  });
  const gateway = await startGateway({
    supergraph: config.SUPERGRAPH,
    supergraphPollMs: config.SUPERGRAPH_POLL_MS,
    openSubgraphs: () =>
      createHttpSubgraphs({
        urls: config.SUBGRAPH_URLS,
        secrets: config.SUBGRAPH_SECRET,
        timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
        patienceMs: config.SUBGRAPH_HEDGE_MS,
        connections: config.SUBGRAPH_CONNECTIONS,
        log,
      }),
    keys,
    ...optionsOf(config),
    noticeMs: config.DRAIN_MS,
    formSecret: readPepperFromSettings(config),
    telemetry,
    line,
    log,
  });
  const close = async (isReplaced = false) => {
    await gateway.close(undefined, isReplaced);
    await telemetry.close();
    await keys.close();
  };
  if (line) {
    runWorker({ line, address: gateway, close, log });
  } else {
    log.info({ host: gateway.host, port: gateway.port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    runUntilStopped(close, log);
  }
}

main().catch(exitWithReason);
