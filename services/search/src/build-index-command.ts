import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { buildSearchIndex } from './build-search-index';
import { readConfig } from './config';
import { buildSemanticIndex } from './semantic/build-semantic-index';

async function main(): Promise<void> {
  const { LECTERN_DATA: dataDir } = readConfig(process.env);
  const corpusFile = join(dataDir, 'corpus.sqlite');
  const file = join(dataDir, 'search.sqlite');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (!(await buildSearchIndex({ corpusFile, searchFile: file, log }))) log(`${file} is up to date`);
  await buildSemanticIndex({ corpusFile, dataDir, env: process.env, log });
}

main().catch(exitWithReason);
