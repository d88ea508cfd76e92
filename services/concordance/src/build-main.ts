import { exitWithReason } from '@lectern/serving';
import { buildConcordanceIndex } from './build';
import { readConfig } from './config';

/** `npm run index -w services/concordance`: builds the files that the concordance subgraph reads. */
async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (!(await buildConcordanceIndex({ dataDir, log }))) log(`the concordance in ${dataDir} is up to date`);
}

main().catch(exitWithReason);
