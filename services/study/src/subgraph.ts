import { join } from 'node:path';
import { type Logger, silentLogger } from '@lectern/serving';
import { createSubgraph, type SubgraphView, type WorkScheduler } from '@lectern/subgraph';
import { createRequestContext, type RequestContext } from './context';
import { createResolvers } from './resolvers';
import { createStudyStore } from './store';

export interface StudyOptions {
  dataDir: string;
  scheduler?: WorkScheduler;
  log?: Logger;
  /** Receives the text of each SQL statement that runs, so that tests can count them. */
  onStatement?: (statement: string) => void;
}

/** Creates the study subgraph. Throws an error of one line if a file cannot be read. Warns of missing sources. */
export function createStudySubgraph({ dataDir, scheduler, log = silentLogger, onStatement }: StudyOptions) {
  const store = createStudyStore({ dataDir, report: (line) => log.error(line), onStatement });
  for (const id of store.missingSources)
    log.warn(
      `the reference work ${id} is missing; install its module and run \`npm run data\` (services/study/README.md)`,
    );
  const withRights = (granted: ReadonlySet<string>): SubgraphView<RequestContext> => {
    const readable = { ...store, ...store.translationsFor(granted) };
    return { resolvers: createResolvers(readable), createContext: (work) => createRequestContext(readable, work) };
  };
  return createSubgraph({
    name: 'study',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    dataset: store.dataset,
    unavailableFields: () => store.missingSources.map((id) => `the source ${id} of topics, cross references or notes`),
    ...withRights(new Set()),
    withRights,
    scheduler,
    close: () => store.close(),
  });
}
