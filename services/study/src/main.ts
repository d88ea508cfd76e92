import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createStudySubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'study',
    config: readConfig(process.env),
    open: ({ config, scheduler, log }) => createStudySubgraph({ dataDir: config.LECTERN_DATA, scheduler, log }),
  });
}

main().catch(exitWithReason);
