import { join } from 'node:path';
import { exitWithReason } from '@lectern/serving';
import { buildSearchIndex } from './build-search-index';
import { readConfig } from './config';

async function main(): Promise<void> {
  const { LECTERN_DATA: folder } = readConfig(process.env);
  const file = join(folder, 'search.sqlite');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (!await buildSearchIndex({ corpusFile: join(folder, 'corpus.sqlite'), file, log })) log(`${file} is up to date`);
}

main().catch(exitWithReason);
