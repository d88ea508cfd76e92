import { join } from 'node:path';
import { type Logger, silentLogger } from '@lectern/serving';
import { createSubgraph, type Subgraph, type SubgraphView, type WorkScheduler } from '@lectern/subgraph';
import type { ConcordanceFilesOptions } from './data/files';
import { createRequestContext, createResolvers, type RequestContext } from './resolvers';
import { openConcordanceStores } from './store';

export interface ConcordanceOptions extends Omit<ConcordanceFilesOptions, 'report'> {
  /** Divides the computing time of this process among requests. By default the subgraph creates a scheduler. */
  scheduler?: WorkScheduler;
  log?: Logger;
}

/** Creates the concordance subgraph. Throws an error of one line if strongs.sqlite or the catalogue cannot be read. */
export function createConcordanceSubgraph({
  scheduler,
  log = silentLogger,
  ...options
}: ConcordanceOptions): Subgraph<RequestContext> {
  const { dataset, storeFor, close } = openConcordanceStores({ ...options, report: (line) => log.error(line) });
  const withRights = (granted: ReadonlySet<string>): SubgraphView<RequestContext> => {
    const store = storeFor(granted);
    return { resolvers: createResolvers(store), createContext: (work) => createRequestContext(store, work) };
  };
  return createSubgraph({
    name: 'concordance',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset,
    ...withRights(new Set()),
    withRights,
    scheduler,
    close,
  });
}
