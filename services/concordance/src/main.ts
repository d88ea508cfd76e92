import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createConcordanceSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'concordance',
    config: readConfig(process.env),
    open: ({ config, scheduler, memory, log }) =>
      createConcordanceSubgraph({ dataDir: config.LECTERN_DATA, scheduler, memory, log }),
  });
}

main().catch(exitWithReason);
