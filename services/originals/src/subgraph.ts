import { join } from 'node:path';
import { openCorpus } from '@lectern/corpus';
import { isTooManyOpenFiles, type TranslationFileCache, watchReplacedFile } from '@lectern/data-files';
import { type Logger, silentLogger } from '@lectern/serving';
import { createSubgraph, type SubgraphView, type WorkScheduler } from '@lectern/subgraph';
import { createRequestContext, type RequestContext } from './context';
import { createResolvers } from './resolvers';
import { openOriginalsStore } from './store';
import { originalsFile } from './tables';

export interface OriginalsOptions {
  dataDir: string;
  scheduler?: WorkScheduler;
  /** Limits the memory of the translations that this process has open. By default a new cache. */
  memory?: TranslationFileCache;
  log?: Logger;
  /** Called with each SQL statement that runs, so that tests can count the statements. */
  onStatement?: (statement: string) => void;
}

/**
 * If originals.sqlite or a text is missing, logs a warning and serves empty lists. If a file with at least the same
 * texts replaces it, opens this file. Throws an error of one line if the translations cannot be read.
 */
export function createOriginalsSubgraph(options: OriginalsOptions) {
  const { dataDir, scheduler, memory, log = silentLogger, onStatement } = options;
  // The subgraph reads the translations, because it aligns their words with the original words.
  const corpus = openCorpus(dataDir, { memory, report: (line) => log.error(line) });
  const open = () => openOriginalsStore({ dataDir, corpus, onStatement });

  /** Opens the new file. Returns false if the process has too many open files, so that the next check tries again. */
  function reload(): boolean {
    try {
      const next = open();
      if (next.missing !== null && store.missing === null) throw new Error(next.missing);
      // Requests that have begun continue with the old file. better-sqlite3 closes it when no object refers to it.
      store = next;
      if (store.missing !== null) log.warn(store.missing);
      return true;
    } catch (error) {
      log.warn(`the original texts stay as they were: ${(error as Error).message}`);
      return !isTooManyOpenFiles(error);
    }
  }

  const watch = watchReplacedFile(originalsFile(dataDir), reload);
  let store = open();
  if (store.missing !== null) log.warn(store.missing);
  const withRights = (granted: ReadonlySet<string>): SubgraphView<RequestContext> => {
    const readable = corpus.withRights(granted);
    return {
      resolvers: createResolvers(readable),
      createContext: (work) => createRequestContext(store, readable, work),
    };
  };
  return createSubgraph({
    name: 'originals',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: corpus,
    unavailableFields: () => (store.missing === null ? [] : [`a part of the original texts (${store.missing})`]),
    ...withRights(new Set()),
    withRights,
    scheduler,
    close() {
      watch.close();
      store.close();
      corpus.close();
    },
  });
}
