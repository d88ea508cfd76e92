import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { dataDir } from '@lectern/testing';
import { buildConcordanceIndex, createConcordanceSubgraph } from '../src/index';

/**
 * Builds the concordance of the default translations if necessary, and resolves with the path of
 * the data folder.
 */
export async function ensureConcordance(): Promise<string> {
  await buildConcordanceIndex({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  return dataDir;
}

/**
 * Opens the subgraph with the default translations.
 * `statements` records the SQL statements that run.
 */
export async function openConcordanceClient() {
  const statements: string[] = [];
  const subgraph = createConcordanceSubgraph({
    dataDir: await ensureConcordance(),
    // The scheduler pauses requests that take long. Its clock stands still here, so that no request
    // pauses between its reads on a slow machine.
    scheduler: createWorkScheduler({ now: () => 0 }),
    onStatement: (statement) => statements.push(statement),
  });
  const execute = executeInProcess(subgraph, silentLogger);
  return {
    execute: (query: string, variables?: Record<string, unknown>) => execute({ query, variables }),
    statements,
    close: () => subgraph.close(),
  };
}

export type ConcordanceClient = Awaited<ReturnType<typeof openConcordanceClient>>;

export interface ConcordanceEdge {
  cursor: string;
  node: {
    context: string;
    matches: { start: number; length: number }[];
    verse: { bookId: string; chapter: number; verse: number; text: string; reference: string };
    strongs: { number: string } | null;
  };
}

export interface ConcordanceData {
  totalCount: number;
  entry: {
    lemma: string;
    surfaceForms: string[];
    totalOccurrences: number;
    verseCount: number;
    occurrencesByBook: { bookId: string; bookName: string; count: number }[];
    occurrencesByTestament: { old: number; new: number };
  };
  edges: ConcordanceEdge[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

const document = `query C($translation: String!, $word: String!, $book: String, $testament: Testament, $first: Int, $after: String, $order: ConcordanceOrder) {
  concordance(translation: $translation, word: $word, book: $book, testament: $testament, first: $first, after: $after, order: $order) {
    totalCount
    entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } occurrencesByTestament { old new } }
    edges { cursor node { context matches { start length } verse { bookId chapter verse text reference } strongs { number } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/**
 * Returns functions that query the field `concordance`, by default in the translation spa-rv1909.
 */
export function concordanceQueries(client: () => ConcordanceClient) {
  const execute = async (variables: Record<string, unknown>) =>
    client().execute(document, { translation: 'spa-rv1909', ...variables });
  return {
    /** Resolves with the value of the field. Fails the test if the response has errors. */
    async concordance(variables: Record<string, unknown>): Promise<ConcordanceData> {
      const { data, errors } = await execute(variables);
      expect(errors).toBeUndefined();
      return data?.['concordance'] as ConcordanceData;
    },

    /** Resolves with the first error. Fails the test if the field `concordance` is not null. */
    async concordanceError(
      variables: Record<string, unknown>,
    ): Promise<{ message: string | undefined; code: unknown }> {
      const { data, errors } = await execute(variables);
      expect(data).toEqual({ concordance: null });
      return { message: errors?.[0]?.message, code: errors?.[0]?.extensions?.['code'] };
    },
  };
}
