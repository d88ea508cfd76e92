import { join } from 'node:path';
import type { TranslationFileCache } from '@lectern/data-files';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { RequestContext } from './context';
import { createRequestContext } from './context';
import { createResolvers } from './resolvers';
import { createConcordanceStore } from './store';

export interface ConcordanceOptions {
  /** The data folder with the concordance of each translation, and the Strong's dictionaries. */
  dataDir: string;
  /**
   * Divides the computing time of this process among requests. By default the subgraph creates its
   * own scheduler.
   */
  scheduler?: WorkScheduler;
  /**
   * The open translation files of this process, within one memory limit. By default the subgraph
   * creates its own cache.
   */
  memory?: TranslationFileCache;
  log?: Logger;
  /** Called with each SQL statement that runs, so that tests can count the statements. */
  onStatement?: (statement: string) => void;
}

/**
 * Assembles the concordance subgraph. Throws an error of one line if strongs.sqlite or the file
 * that lists the translations cannot be read.
 */
export function createConcordanceSubgraph({
  dataDir,
  scheduler,
  memory,
  log = silentLogger,
  onStatement,
}: ConcordanceOptions): Subgraph<RequestContext> {
  const store = createConcordanceStore({ dataDir, memory, report: (line) => log.error(line), onStatement });
  return createSubgraph({
    name: 'concordance',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: store.dataset,
    resolvers: createResolvers(store),
    createContext: (work) => createRequestContext(store, work),
    scheduler,
    close: () => store.close(),
  });
}
