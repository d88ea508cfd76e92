import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { createConcordanceSubgraph } from './concordance';
import { readConfig } from './config';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'concordance',
    config: readConfig(process.env),
    open: ({ config }) => createConcordanceSubgraph({ file: join(config.LECTERN_DATA, 'concordance.sqlite') }),
  });
}

main().catch(exitWithReason);
