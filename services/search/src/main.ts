import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createSearchSubgraph } from './search';
import { chooseSemantic } from './semantic/choose-semantic';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'search',
    config: readConfig(process.env),
    open: async ({ config, metrics, log }) =>
      createSearchSubgraph({
        searchFile: join(config.LECTERN_DATA, 'search.sqlite'),
        semantic: await chooseSemantic({ settings: config, dataDir: config.LECTERN_DATA, log }),
        metrics,
      }),
  });
}

main().catch(exitWithReason);
