import { join } from 'node:path';
import type { Subgraph } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { createConcordanceStore } from './store';

export interface ConcordanceOptions {
  /** The path of concordance.sqlite. */
  concordanceFile: string;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

/** Assembles the concordance subgraph. Throws an error of one line if its file cannot be read. */
export function createConcordanceSubgraph({
  concordanceFile,
  onStatement,
}: ConcordanceOptions): Subgraph<RequestContext> {
  const store = createConcordanceStore(concordanceFile, { ...(onStatement && { onStatement }) });
  return createSubgraph({
    name: 'concordance',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    datasetVersion: store.corpusDigest,
    resolvers: createResolvers(store),
    createContext: () => createRequestContext(store),
    close: () => store.close(),
  });
}
