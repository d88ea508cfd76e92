import { join } from 'node:path';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { serveSubgraph } from '@lectern/subgraph';
import { openTelemetry } from '@lectern/telemetry';
import { readConfig } from './config';
import { createSearchSubgraph } from './search';
import { chooseSemantic } from './semantic/choose-semantic';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'search', level: config.LOG_LEVEL });
  const telemetry = await openTelemetry({ service: 'search', config, log });
  const subgraph = await createSearchSubgraph({
    searchFile: join(config.LECTERN_DATA, 'search.sqlite'),
    semantic: await chooseSemantic({ settings: config, dataDir: config.LECTERN_DATA, log }),
    metrics: telemetry.metrics,
  });
  const serving = await serveSubgraph(subgraph, { host: config.HOST, port: config.PORT, secrets: config.SUBGRAPH_SECRET, direct: config.FAST_PATH === 'on', tracing: telemetry.tracing, log });
  runUntilStopped(async () => {
    await serving.close();
    await telemetry.close();
  }, log);
}

main().catch(exitWithReason);
