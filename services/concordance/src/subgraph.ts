import { join } from 'node:path';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { createConcordanceStore } from './store';

export interface ConcordanceOptions {
  /** The path of concordance.sqlite. */
  concordanceFile: string;
  /** The scheduler of this process. By default the subgraph creates its own. */
  scheduler?: WorkScheduler;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

/** Assembles the concordance subgraph. Throws an error of one line if its file cannot be read. */
export function createConcordanceSubgraph({
  concordanceFile,
  scheduler,
  onStatement,
}: ConcordanceOptions): Subgraph<RequestContext> {
  const store = createConcordanceStore(concordanceFile, { ...(onStatement && { onStatement }) });
  return createSubgraph({
    name: 'concordance',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    datasetVersion: store.corpusDigest,
    resolvers: createResolvers(store),
    createContext: (work) => createRequestContext(store, work),
    scheduler,
    close: () => store.close(),
  });
}
