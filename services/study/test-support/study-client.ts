import { type BookCode, verseId } from '@lectern/canon';
import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { dataDir } from '@lectern/testing';
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

    /** Resolves with the data of a query. Fails the test if the response has errors. */
    async data<Data>(query: string, variables?: Record<string, unknown>): Promise<Data> {
      const { data, errors } = await execute(query, variables);
      expect(errors).toBeUndefined();
      return data as Data;
    },

    /** Resolves with the message and the code of the first error. */
    async error(query: string, variables?: Record<string, unknown>): Promise<[string | undefined, unknown]> {
      const { errors } = await execute(query, variables);
      return [errors?.[0]?.message, errors?.[0]?.extensions?.['code']];
    },

    /** Selects fields of verses through `_entities`, as a gateway does. */
    async verses<Verse>(selection: string, places: readonly string[]): Promise<(Verse | null)[]> {
      const representations = places.map((place) => ({ __typename: 'Verse', id: idOf(place) }));
      const query = `query ($representations: [_Any!]!) { verses: _entities(representations: $representations) { ... on Verse { ${selection} } } }`;
      const { verses } = await this.data<{ verses: (Verse | null)[] }>(query, { representations });
      return verses;
    },

    close: () => subgraph.close(),
  };
}

export type StudyClient = ReturnType<typeof openStudyClient>;

/** Builds the study files of the data folder if necessary, and opens them. */
export async function openRealStudyClient() {
  await buildStudyData({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  return openStudyClient(dataDir);
}

/** Returns the id of a verse such as "eng-web GEN 1:1". */
export function idOf(place: string): string {
  const [, translation = '', book = '', chapter, verse] = /^(\S+) (\S+) (\d+):(\d+)$/.exec(place) ?? [];
  return verseId({ translation, book: book as BookCode, chapter: Number(chapter), verse: Number(verse) });
}
