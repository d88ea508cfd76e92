import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { buildConcordanceIndex } from './build-concordance-index';
import { readConfig } from './config';

/** `npm run index -w services/concordance`: builds the file that this subgraph reads. */
async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  const corpusFile = join(dataDir, 'corpus.sqlite');
  const concordanceFile = join(dataDir, 'concordance.sqlite');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const isBuilt = await buildConcordanceIndex({ corpusFile, concordanceFile, log, env: process.env });
  if (!isBuilt) log(`${concordanceFile} is up to date`);
}

main().catch(exitWithReason);
