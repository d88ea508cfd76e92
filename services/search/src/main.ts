import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createSemanticOptions } from './semantic/semantic-index';
import { createSearchSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'search',
    config: readConfig(process.env),
    open: async ({ config, scheduler, memory, metrics, log }) =>
      createSearchSubgraph({
        dataDir: config.LECTERN_DATA,
        memory,
        log,
        semantic: await createSemanticOptions({ settings: config, dataDir: config.LECTERN_DATA, log }),
        preloadParser: config.PRELOAD_PARSER,
        metrics,
        scheduler,
      }),
  });
}

main().catch(exitWithReason);
