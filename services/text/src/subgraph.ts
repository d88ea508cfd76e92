import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { openCorpus, openOfflinePackages } from '@lectern/corpus';
import type { TranslationFileCache } from '@lectern/data-files';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import { defaultOfflineBaseUrl } from './config';
import { createDailyPassages } from './daily-passages';
import { createOfflinePackageRoute } from './offline-package-route';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createPassageReader } from './resolve-passage-references';
import { createResolvers } from './resolvers';
import { createTextStore } from './store';

export interface TextOptions {
  /** The data folder: the texts and the offline packages of the translations. */
  dataDir: string;
  now?: () => Date;
  /** Returns a random integer from 0 to `below` - 1, each with the same probability. */
  random?: (below: number) => number;
  /**
   * Whether to load the parser of references (`John 3:16`) at the start, which takes half a second.
   * If false, the first use loads the parser. True by default.
   */
  preloadParser?: boolean;
  /**
   * The URL below which clients download offline packages: the setting OFFLINE_BASE_URL. By default
   * the URL of a gateway on this machine.
   */
  offlineBaseUrl?: string;
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

const packageFolder = join(__dirname, '..');

/**
 * Assembles the text subgraph. Throws an error of one line if the file that lists the translations
 * cannot be read.
 */
export function createTextSubgraph({
  dataDir,
  now,
  random,
  preloadParser = true,
  offlineBaseUrl = defaultOfflineBaseUrl,
  scheduler,
  memory,
  log = silentLogger,
  onStatement,
}: TextOptions): Subgraph<RequestContext> {
  if (preloadParser) warmReferenceParser();
  const report = (line: string) => log.error(line);
  const corpus = openCorpus(dataDir, { memory, report, onStatement });
  const offlinePackages = openOfflinePackages(dataDir, { report });
  const store = createTextStore(corpus, { ...(random && { random }) });
  return createSubgraph({
    name: 'text',
    schemaFile: join(packageFolder, 'schema.graphql'),
    dataset: corpus,
    resolvers: createResolvers({
      store,
      offlinePackages,
      offlineBaseUrl: offlineBaseUrl.replace(/\/+$/, ''),
      passages: createPassageReader(store),
      dailyPassages: createDailyPassages(join(packageFolder, 'verse-of-the-day.tsv'), { ...(now && { now }) }),
    }),
    createContext: (work, operation) => createRequestContext(store, work, operation),
    files: createOfflinePackageRoute(dataDir),
    scheduler,
    close: () => {
      offlinePackages.close();
      store.close();
    },
  });
}
