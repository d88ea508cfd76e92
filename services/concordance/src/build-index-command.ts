import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { buildConcordanceIndex } from './build-concordance-index';
import { readConfig } from './config';

async function main(): Promise<void> {
  const { LECTERN_DATA } = readConfig(process.env);
  const file = join(LECTERN_DATA, 'concordance.sqlite');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const built = await buildConcordanceIndex({
    corpusFile: join(LECTERN_DATA, 'corpus.sqlite'),
    concordanceFile: file,
    log,
    env: process.env,
  });
  if (!built) log(`${file} is up to date`);
}

main().catch(exitWithReason);
