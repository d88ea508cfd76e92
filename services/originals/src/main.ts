import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createOriginalsSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'originals',
    config: readConfig(process.env),
    open: ({ config, scheduler, memory, log }) =>
      createOriginalsSubgraph({ dataDir: config.LECTERN_DATA, scheduler, memory, log }),
  });
}

main().catch(exitWithReason);
