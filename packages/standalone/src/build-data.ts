import { join } from 'node:path';
import { buildConcordanceIndex } from '@lectern/concordance';
import { ensureCorpus } from '@lectern/corpus';
import { buildSearchIndex, buildSemanticIndex } from '@lectern/search';

export interface DataOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  /**
   * The signal that stops the computation of verse vectors. The next call continues the
   * computation.
   */
  signal?: AbortSignal;
}

/** Returns the paths of the SQLite files of each subgraph. */
export const dataFiles = (dataDir: string) => ({
  corpusFile: join(dataDir, 'corpus.sqlite'),
  searchFile: join(dataDir, 'search.sqlite'),
  concordanceFile: join(dataDir, 'concordance.sqlite'),
});

/**
 * Fetches the texts and builds all indexes in the data folder. Skips each file that is up to date.
 */
export async function buildData({ dataDir, env, log, signal }: DataOptions): Promise<void> {
  const { searchFile, concordanceFile } = dataFiles(dataDir);
  const corpusFile = await ensureCorpus({ dataDir, env, log });
  await buildSearchIndex({ corpusFile, searchFile, log });
  await buildConcordanceIndex({ corpusFile, concordanceFile, log, env });
  await buildSemanticIndex({ corpusFile, dataDir, env, log, ...(signal && { signal }) });
}
