import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { buildSearchIndex } from './build-search-index';
import { readConfig } from './config';
import { buildSemanticIndex } from './semantic/build-semantic-index';

/** `npm run index -w services/search`: builds the files that this subgraph reads. */
async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  const corpusFile = join(dataDir, 'corpus.sqlite');
  const searchFile = join(dataDir, 'search.sqlite');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const isBuilt = await buildSearchIndex({ corpusFile, searchFile, log });
  if (!isBuilt) log(`${searchFile} is up to date`);
  await buildSemanticIndex({ corpusFile, dataDir, env: process.env, log });
}

main().catch(exitWithReason);
