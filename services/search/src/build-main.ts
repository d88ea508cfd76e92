import { exitWithReason } from '@lectern/serving';
import { buildSearchIndex } from './build';
import { readConfig } from './config';
import { buildSemanticFiles } from './semantic/build';

/** Runs the command `npm run index -w services/search`, which builds the files that the search subgraph reads. */
async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (!(await buildSearchIndex({ dataDir, log }))) log(`the search index in ${dataDir} is up to date`);
  await buildSemanticFiles({ dataDir, env: process.env, log });
}

main().catch(exitWithReason);
