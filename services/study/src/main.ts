import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { runSubgraph } from '@lectern/subgraph';
import { readConfig } from './config';
import { createStudySubgraph } from './subgraph';

async function main(): Promise<void> {
  await runSubgraph({
    name: 'study',
    config: readConfig(process.env),
    open: ({ config, scheduler, log }) =>
      createStudySubgraph({
        studyFile: join(config.LECTERN_DATA, 'study.sqlite'),
        scheduler,
        report: (line) => log.warn(line),
      }),
  });
}

main().catch(exitWithReason);
