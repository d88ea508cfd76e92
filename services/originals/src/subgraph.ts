import { join } from 'node:path';
import { openCorpus } from '@lectern/corpus';
import type { TranslationFileCache } from '@lectern/data-files';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import type { WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import { createRequestContext } from './context';
import { createResolvers } from './resolvers';
import { openOriginalsStore } from './store';

export interface OriginalsOptions {
  dataDir: string;
  scheduler?: WorkScheduler;
  /** Bounds the memory of the open translations of this process. By default a new cache. */
  memory?: TranslationFileCache;
  log?: Logger;
  /** Called with each SQL statement that runs, so that tests can count the statements. */
  onStatement?: (statement: string) => void;
}

/**
 * Assembles the originals subgraph. Without originals.sqlite or its texts, logs a warning and serves
 * empty lists. Throws an error of one line if the translations cannot be read.
 */
export function createOriginalsSubgraph(options: OriginalsOptions) {
  const { dataDir, scheduler, memory, log = silentLogger, onStatement } = options;
  // The translations give the numbering of the verses, and the text and the tags that are aligned.
  const corpus = openCorpus(dataDir, { memory, report: (line) => log.error(line) });
  const store = openOriginalsStore({ dataDir, corpus, onStatement });
  const { missing } = store;
  if (missing !== null) log.warn(missing);
  return createSubgraph({
    name: 'originals',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: corpus,
    unavailableFields: () => (missing === null ? [] : [`a part of the original texts (${missing})`]),
    resolvers: createResolvers(store, corpus),
    createContext: (work) => createRequestContext(store, corpus, work),
    scheduler,
    close() {
      store.close();
      corpus.close();
    },
  });
}
