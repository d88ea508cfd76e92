import { join } from 'node:path';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { serveSubgraph } from '@lectern/subgraph';
import { createConcordanceSubgraph } from './concordance';
import { readConfig } from './config';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'concordance', level: config.LOG_LEVEL });
  const subgraph = createConcordanceSubgraph({ file: join(config.LECTERN_DATA, 'concordance.sqlite') });
  const serving = await serveSubgraph(subgraph, { host: config.HOST, port: config.PORT, secrets: config.SUBGRAPH_SECRET, log });
  runUntilStopped(() => serving.close(), log);
}

main().catch(exitWithReason);
