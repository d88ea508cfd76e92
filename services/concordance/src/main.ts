import { join } from 'node:path';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { serveSubgraph } from '@lectern/subgraph';
import { openTelemetry } from '@lectern/telemetry';
import { createConcordanceSubgraph } from './concordance';
import { readConfig } from './config';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'concordance', level: config.LOG_LEVEL });
  const subgraph = createConcordanceSubgraph({ file: join(config.LECTERN_DATA, 'concordance.sqlite') });
  const telemetry = await openTelemetry({ service: 'concordance', config, log });
  const serving = await serveSubgraph(subgraph, { host: config.HOST, port: config.PORT, secrets: config.SUBGRAPH_SECRET, direct: config.FAST_PATH === 'on', tracing: telemetry.tracing, log });
  runUntilStopped(async () => {
    await serving.close();
    await telemetry.close();
  }, log);
}

main().catch(exitWithReason);
