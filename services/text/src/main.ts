import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createTextSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'text',
    config: readConfig(process.env),
    open: ({ config, scheduler, memory, log }) =>
      createTextSubgraph({
        dataDir: config.LECTERN_DATA,
        preloadParser: config.PRELOAD_PARSER,
        offlineBaseUrl: config.OFFLINE_BASE_URL,
        scheduler,
        memory,
        log,
      }),
  });
}

main().catch(exitWithReason);
