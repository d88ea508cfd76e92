import { join } from 'node:path';
import { buildConcordanceIndex } from '@lectern/concordance';
import { ensureCorpus } from '@lectern/corpus';
import { buildSearchIndex, buildSemanticIndex } from '@lectern/search';

export interface DataOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Told of what is done, a line at a time. */
  log: (line: string) => void;
  /** Stops what takes long; the next call goes on from there. */
  signal?: AbortSignal;
}

/** The files that the service reads, each subgraph its own. */
export const dataFiles = (dataDir: string) => ({
  corpusFile: join(dataDir, 'corpus.sqlite'),
  searchFile: join(dataDir, 'search.sqlite'),
  concordanceFile: join(dataDir, 'concordance.sqlite'),
});

/** Everything that the service reads: fetched and built where it is not there or out of date; nothing is done where it is. */
export async function buildData({ dataDir, env, log, signal }: DataOptions): Promise<void> {
  const { searchFile, concordanceFile } = dataFiles(dataDir);
  const corpusFile = await ensureCorpus({ dataDir, env, log });
  await buildSearchIndex({ corpusFile, searchFile: searchFile, log });
  await buildConcordanceIndex({ corpusFile, concordanceFile: concordanceFile, log, env });
  await buildSemanticIndex({ corpusFile, dataDir, env, log, ...(signal && { signal }) });
}
