import { join } from 'node:path';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createSubgraph } from '@lectern/subgraph';
import type { RequestContext } from './request-context';
import { createRequestContext } from './request-context';
import { createResolvers } from './resolvers';
import { createStudyStore } from './store';

export interface StudyOptions {
  /** The path of study.sqlite. */
  studyFile: string;
  /** The scheduler of this process. By default the subgraph creates its own. */
  scheduler?: WorkScheduler;
  /** Receives one line about each reference work that is missing. */
  report?: (line: string) => void;
  /** Called with each SQL statement that runs. */
  onStatement?: (statement: string) => void;
}

/** Assembles the study subgraph. Throws an error of one line if its file cannot be read. */
export function createStudySubgraph({
  studyFile,
  scheduler,
  report = () => undefined,
  onStatement,
}: StudyOptions): Subgraph<RequestContext> {
  const store = createStudyStore(studyFile, { ...(onStatement && { onStatement }) });
  for (const id of store.missingSources)
    report(`the reference work ${id} is missing; install its module and run \`npm run data\` (services/study/README.md)`);
  return createSubgraph({
    name: 'study',
    schemaFile: join(__dirname, '..', 'schema.graphql'),
    datasetVersion: store.corpusDigest,
    unavailableFields: () => store.missingSources.map((id) => `the source ${id} of topics, cross references or notes`),
    resolvers: createResolvers(store),
    createContext: (work) => createRequestContext(store, work),
    scheduler,
    close: () => store.close(),
  });
}
