import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createConcordanceSubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'concordance',
    config: readConfig(process.env),
    open: ({ config, scheduler }) =>
      createConcordanceSubgraph({ concordanceFile: join(config.LECTERN_DATA, 'concordance.sqlite'), scheduler }),
  });
}

main().catch(exitWithReason);
