import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import type { OpenCorpusOptions } from '@lectern/corpus';
import { openCorpus } from '@lectern/corpus';
import type { Subgraph } from '@lectern/subgraph';
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
  /** A whole number from 0 up to but not including `below`, each as likely as any other. */
  random?: (below: number) => number;
  /** Called with each SQL statement that runs. */
  onStatement?: OpenCorpusOptions['onStatement'];
}

const room = join(__dirname, '..');

/** The text subgraph: translations, books, verses and references. Throws one clear line when the corpus cannot be read. */
export function createTextSubgraph({ corpusFile, now, random, onStatement }: TextOptions): Subgraph<RequestContext> {
  // Half a second once, here, rather than in the first request that needs it.
  warmReferenceParser();
  const corpus = openCorpus(corpusFile, { ...(onStatement && { onStatement }) });
  const store = createTextStore(corpus, { ...(random && { random }) });
  return createSubgraph({
    name: 'text',
    schemaFile: join(room, 'schema.graphql'),
    datasetVersion: corpus.manifest.digest,
    resolvers: createResolvers({
      store,
      passages: createPassageReader(store),
      daily: createDailyPassages(join(room, 'verse-of-the-day.tsv'), { ...(now && { now }) }),
    }),
    createContext: (about) => createRequestContext(store, about),
    close: () => store.close(),
  });
}
