import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createTextSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'text',
    config: readConfig(process.env),
    open: ({ config, scheduler }) =>
      createTextSubgraph({
        corpusFile: join(config.LECTERN_DATA, 'corpus.sqlite'),
        preloadParser: config.PRELOAD_PARSER,
        scheduler,
      }),
  });
}

main().catch(exitWithReason);
