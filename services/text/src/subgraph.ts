import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { openCorpus, openOfflinePackages } from '@lectern/corpus';
import type { TranslationFileCache } from '@lectern/data-files';
import { type Logger, silentLogger } from '@lectern/serving';
import { createSubgraph, type Subgraph, type SubgraphView, type WorkScheduler } from '@lectern/subgraph';
import { defaultOfflineBaseUrl } from './config';
import { createRequestContext, type RequestContext } from './context';
import { createDailyPassages } from './daily';
import { createPassageReader } from './passages';
import { createResolvers } from './resolvers';
import { createTextStore } from './store';

export interface TextOptions {
  dataDir: string;
  now?: () => Date;
  /** Returns a random integer from 0 to `below` - 1. Each integer must be equally probable. */
  random?: (below: number) => number;
  /** Loads the reference parser at the start, which takes half a second, not at its first use. Default: true. */
  preloadParser?: boolean;
  offlineBaseUrl?: string;
  scheduler?: WorkScheduler;
  /** The cache of this process's open translation files. By default a new cache. */
  memory?: TranslationFileCache;
  log?: Logger;
  /** Receives the text of each SQL statement that runs, so that tests can count them. */
  onStatement?: (statement: string) => void;
}

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
  const packageFolder = join(__dirname, '..');
  const dailyPassages = createDailyPassages(join(packageFolder, 'verse-of-the-day.tsv'), now);
  const withRights = (granted: ReadonlySet<string>): SubgraphView<RequestContext> => {
    const store = createTextStore(corpus.withRights(granted), random);
    return {
      resolvers: createResolvers({
        store,
        offlinePackages,
        offlineBaseUrl: offlineBaseUrl.replace(/(?<!\/)\/+$/, ''),
        passages: createPassageReader(store),
        dailyPassages,
      }),
      createContext: (work, operation) => createRequestContext(store, work, operation),
    };
  };
  return createSubgraph({
    name: 'text',
    schemaFile: join(packageFolder, 'schema.graphql'),
    dataset: corpus,
    ...withRights(new Set()),
    withRights,
    scheduler,
    close: () => {
      offlinePackages.close();
      corpus.close();
    },
  });
}
