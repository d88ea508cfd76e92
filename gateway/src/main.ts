import { join } from 'node:path';
import { openKeysFrom, readPepper } from '@lectern/keys';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { openTelemetry } from '@lectern/telemetry';
import { optionsOf, readConfig } from './config';
import { startGateway } from './gateway';
import { createHttpSubgraphs } from './subgraphs/http-subgraphs';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const keys = await openKeysFrom(config, { log });
  const telemetry = await openTelemetry({ service: 'gateway', config, log });
  const gateway = await startGateway({
    supergraph: config.SUPERGRAPH,
    supergraphPollMs: config.SUPERGRAPH_POLL_MS,
    openSubgraphs: () => createHttpSubgraphs({
      urls: config.SUBGRAPH_URLS, secrets: config.SUBGRAPH_SECRET, timeoutMs: config.SUBGRAPH_TIMEOUT_MS, patienceMs: config.SUBGRAPH_PATIENCE_MS, connections: config.SUBGRAPH_CONNECTIONS, log,
    }),
    keys,
    ...optionsOf(config),
    noticeMs: config.DRAIN_MS,
    formSecret: readPepper({ setting: config.KEY_PEPPER, file: join(config.LECTERN_DATA, 'key-pepper') }),
    telemetry,
    log,
  });
  log.info({ host: gateway.host, port: gateway.port, environment: config.LECTERN_ENVIRONMENT }, 'gateway ready');
  runUntilStopped(async () => {
    await gateway.close();
    await telemetry.close();
    await keys.close();
  }, log);
}

main().catch(exitWithReason);
