import { type BookCode, verseId } from '@lectern/canon';
import { findOriginalSources } from '@lectern/corpus';
import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { dataDir } from '@lectern/testing';
import { buildOriginals, createOriginalsSubgraph } from '../src/index';

/** The source files on this machine. Tests that need them are skipped without them. */
export const sources = findOriginalSources({ dataDir, env: process.env });

if (!sources.has('morphhb') && process.env['CI'] === 'true') throw new Error('data/sources lacks bibledit-data');
if (!sources.has('morphhb')) process.stderr.write('skipped: tests of the original texts (run `npm run data`)\n');
export const describeWithTexts = sources.has('morphhb') ? describe : describe.skip;

/** Opens the subgraph of a data folder. `statements` records the SQL statements that run. */
export function openOriginalsClient(folder: string) {
  const statements: string[] = [];
  const subgraph = createOriginalsSubgraph({
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

    /** Selects fields of verses such as "eng-web GEN 1:1" through `_entities`, as a gateway does. */
    async verses<Verse>(selection: string, places: readonly string[]): Promise<(Verse | null)[]> {
      const representations = places.map((place) => ({ __typename: 'Verse', id: idOf(place) }));
      const query = `query ($representations: [_Any!]!) { verses: _entities(representations: $representations) { ... on Verse { ${selection} } } }`;
      const { verses } = await this.data<{ verses: (Verse | null)[] }>(query, { representations });
      return verses;
    },

    close: () => subgraph.close(),
  };
}

/** Builds originals.sqlite of the data folder if necessary, and opens it. */
export async function openRealOriginalsClient() {
  await buildOriginals({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  return openOriginalsClient(dataDir);
}

function idOf(place: string): string {
  const [, translation = '', book = '', chapter, verse] = /^(\S+) (\S+) (\d+):(\d+)$/.exec(place) ?? [];
  return verseId({ translation, book: book as BookCode, chapter: Number(chapter), verse: Number(verse) });
}
