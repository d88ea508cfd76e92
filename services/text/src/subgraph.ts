import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import { createDailyPassages } from './daily-passages';
import { createPassageReader } from './passage-reader';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { createTextStore } from './store';

export interface TextOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  now?: () => Date;
  /** Returns a random integer from 0 to `below` - 1, each with the same probability. */
  random?: (below: number) => number;
  /**
   * Loads the reference parser at once, which takes half a second.
   * If false, the first use loads it. True by default.
   */
  preloadParser?: boolean;
  /** The scheduler of this process. By default the subgraph creates its own. */
  scheduler?: WorkScheduler;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

const packageFolder = join(__dirname, '..');

/** Assembles the text subgraph. Throws an error of one line if the corpus cannot be read. */
export function createTextSubgraph({
  corpusFile,
  now,
  random,
  preloadParser = true,
  scheduler,
  onStatement,
}: TextOptions): Subgraph<RequestContext> {
  if (preloadParser) warmReferenceParser();
  const corpus = openCorpus(corpusFile, { ...(onStatement && { onStatement }) });
  const store = createTextStore(corpus, { ...(random && { random }) });
  return createSubgraph({
    name: 'text',
    schemaFile: join(packageFolder, 'schema.graphql'),
    datasetVersion: corpus.manifest.digest,
    resolvers: createResolvers({
      store,
      passages: createPassageReader(store),
      dailyPassages: createDailyPassages(join(packageFolder, 'verse-of-the-day.tsv'), { ...(now && { now }) }),
    }),
    createContext: (work, operation) => createRequestContext(store, work, operation),
    scheduler,
    close: () => store.close(),
  });
}
