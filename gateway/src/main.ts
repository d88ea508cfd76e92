import { join } from 'node:path';
import { channelToPrimary, runPrimary, runWorker, shareMetrics } from '@lectern/cluster';
import { openKeysFromSettings, readPepperFromSettings } from '@lectern/keys';
import { createLogger, exitWithReason, limitHeapGrowth, runUntilStopped } from '@lectern/serving';
import { createHttpClientMetrics, openTelemetry } from '@lectern/telemetry';
import { gatewayOptions, readConfig, readSupergraphHeaders } from './config';
import { type CloseGatewayOptions, startGateway } from './gateway';
import { createHttpSubgraphs } from './transport/http-subgraphs';

async function main(): Promise<void> {
  limitHeapGrowth();
  const config = readConfig(process.env);
  const channel = channelToPrimary();
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL, ...(channel && { pid: process.pid }) });
  if (config.WORKERS > 1 && !channel) {
    const { host, port } = await runPrimary({ file: __filename, service: 'gateway', config, log });
    log.info({ host, port, workers: config.WORKERS, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    return;
  }
  const keys = await openKeysFromSettings(config, { log });
  const telemetry = await openTelemetry({
    service: 'gateway',
    config,
    log,
    ...(channel && { share: shareMetrics(channel) }),
  });
  const recordRequest = createHttpClientMetrics(telemetry.metrics);
  const gateway = await startGateway({
    supergraph: config.SUPERGRAPH,
    supergraphHeaders: readSupergraphHeaders(config),
    supergraphCopyFolder: config.LECTERN_DATA,
    supergraphPollMs: config.SUPERGRAPH_POLL_MS,
    openSubgraphs: () =>
      createHttpSubgraphs({
        urls: config.SUBGRAPH_URLS,
        secrets: config.SUBGRAPH_SECRET,
        timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
        hedgeMs: config.SUBGRAPH_HEDGE_MS,
        connections: config.SUBGRAPH_CONNECTIONS,
        recordRequest,
        log,
      }),
    keys,
    ...gatewayOptions(config),
    offlineCache: {
      folder: config.OFFLINE_CACHE_FOLDER || join(config.LECTERN_DATA, 'offline-cache'),
      maxBytes: config.OFFLINE_CACHE_BYTES,
    },
    formSecret: readPepperFromSettings(config),
    telemetry,
    channel,
    log,
  });
  const close = async (options: CloseGatewayOptions) => {
    await gateway.close(options);
    await telemetry.close();
    await keys.close();
  };
  if (channel) {
    runWorker({ channel, close: (isReplaced) => close({ isReplaced }), problem: gateway.problem, log });
  } else {
    log.info({ host: gateway.host, port: gateway.port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
    runUntilStopped((drainMs) => close({ drainMs }), log, { drainMs: config.DRAIN_MS });
  }
}

main().catch(exitWithReason);
