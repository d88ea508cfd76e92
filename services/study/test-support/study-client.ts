import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { createSubgraphQueries, dataDir } from '@lectern/testing';
import { buildStudyData, createStudySubgraph } from '../src/index';

/** Opens the subgraph of a data folder. `statements` records the SQL statements that run. */
export function openStudyClient(folder: string) {
  const statements: string[] = [];
  const subgraph = createStudySubgraph({
    dataDir: folder,
    // The clock stands still, so that no request pauses between its reads on a slow machine.
    scheduler: createWorkScheduler({ now: () => 0 }),
    onStatement: (statement) => statements.push(statement),
  });
  const send = executeInProcess(subgraph, silentLogger);
  const execute = (query: string, variables: Record<string, unknown> = {}) => send({ query, variables });
  return {
    subgraph,
    execute,
    statements,
    ...createSubgraphQueries(execute),
    close: () => subgraph.close(),
  };
}

export type StudyClient = ReturnType<typeof openStudyClient>;

/** Builds the study files of the data folder if necessary, and opens them. */
export async function openRealStudyClient() {
  await buildStudyData({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  return openStudyClient(dataDir);
}

/** Leaves out the cross references that only the computed ranking has, which every verse has. */
export const withoutComputed = <Verse>(verses: readonly Verse[]): Verse[] =>
  (verses as readonly (Verse & { crossReferences: { sources: { id: string }[] }[] })[]).map((verse) => ({
    ...verse,
    crossReferences: verse.crossReferences
      .map((each) => ({ ...each, sources: each.sources.filter(({ id }) => id !== 'computed') }))
      .filter(({ sources }) => sources.length > 0),
  }));
