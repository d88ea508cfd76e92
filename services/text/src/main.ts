import { join } from 'node:path';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { serveSubgraph } from '@lectern/subgraph';
import { openTelemetry } from '@lectern/telemetry';
import { readConfig } from './config';
import { createTextSubgraph } from './text';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'text', level: config.LOG_LEVEL });
  const subgraph = createTextSubgraph({ corpusFile: join(config.LECTERN_DATA, 'corpus.sqlite') });
  const telemetry = await openTelemetry({ service: 'text', config, log });
  const serving = await serveSubgraph(subgraph, { host: config.HOST, port: config.PORT, secrets: config.SUBGRAPH_SECRET, direct: config.FAST_PATH === 'on', tracing: telemetry.tracing, log });
  runUntilStopped(async () => {
    await serving.close();
    await telemetry.close();
  }, log);
}

main().catch(exitWithReason);
