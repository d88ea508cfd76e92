import { type BookCode, verseOrdinal } from '@lectern/canon';
import { type Logger, readSettings, silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess, type WorkScheduler } from '@lectern/subgraph';
import type { Metrics } from '@lectern/telemetry';
import { dataDir } from '@lectern/testing';
import type { SemanticIndexOptions } from '../src/index';
import {
  buildSearchIndex,
  buildSemanticFiles,
  createSearchSubgraph,
  createSemanticOptions,
  semanticSettings,
} from '../src/index';

export interface SimilarVerseData {
  similarity: number;
  verse: { id: string; bookId: BookCode; chapter: number; verse: number; text: string; reference: string };
}

export interface SemanticClientOptions {
  /** The folder with the data files; by default the repository's data folder. */
  folder?: string;
  /** The settings of semantic search, as environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Options that replace those made from `env`. */
  overrides?: Partial<SemanticIndexOptions>;
  /**
   * The scheduler, which pauses requests that take long. By default its clock stands still, so that
   * no request is paused, even on a slow machine.
   */
  scheduler?: WorkScheduler;
  log?: Logger;
  metrics?: Metrics;
  onStatement?: (statement: string) => void;
}

interface SemanticArguments {
  limit?: number | null;
  translation?: string | null;
}

export const similarVerseFields = 'similarity verse { id bookId chapter verse text reference }';
const document = `query Semantic($query: String!, $limit: Int, $translation: String) { semanticSearch(query: $query, limit: $limit, translation: $translation) { ${similarVerseFields} } }`;

/** Builds the search index and the semantic index of the default translations if necessary. */
export async function ensureSemanticFiles(): Promise<void> {
  await buildSearchIndex({ dataDir, log: () => undefined });
  await buildSemanticFiles({ dataDir, env: {}, log: () => undefined });
}

/** Opens the search subgraph with semantic search. The data files must exist. */
export async function openSemanticClient({
  folder = dataDir,
  env = {},
  overrides = {},
  scheduler = createWorkScheduler({ now: () => 0 }),
  log = silentLogger,
  metrics,
  onStatement,
}: SemanticClientOptions = {}) {
  const options = await createSemanticOptions({
    settings: readSettings({ ...env }, semanticSettings),
    dataDir: folder,
    log,
  });
  const subgraph = await createSearchSubgraph({
    dataDir: folder,
    semantic: options && { ...options, ...overrides },
    preloadParser: false,
    scheduler,
    ...(metrics && { metrics }),
    ...(onStatement && { onStatement }),
  });
  const executeRequest = executeInProcess(subgraph, silentLogger);
  const execute = (query: string, variables?: Record<string, unknown>) => executeRequest({ query, variables });
  /** Executes the operation as a request with this API key, which may compute for `maxMs`. */
  const executeFor = (client: string, query: string, maxMs?: number) =>
    executeRequest({ query }, { work: scheduler.createBudget({ clients: [client], maxMs }) });

  return {
    subgraph,
    execute,
    executeFor,

    /** Executes `semanticSearch` and resolves with the response that a client receives. */
    async semanticResponse(query: string, args: SemanticArguments = {}) {
      const { data, errors } = await execute(document, { query, ...args });
      return errors ? { data, errors } : { data };
    },

    /** Executes `semanticSearch`. Rejects if the response has errors. */
    async semanticSearch(query: string, args: SemanticArguments = {}): Promise<SimilarVerseData[]> {
      const { data, errors } = await execute(document, { query, ...args });
      if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
      return data?.['semanticSearch'] as SimilarVerseData[];
    },

    close: () => subgraph.close(),
  };
}

export type SemanticClient = Awaited<ReturnType<typeof openSemanticClient>>;

export const referencesOf = (verses: readonly SimilarVerseData[]): string[] =>
  verses.map(({ verse }) => verse.reference);

/**
 * Returns whether the verses are sorted by similarity, highest first, then in canonical order. Also
 * checks that each similarity is between 0 and 1 and has at most four decimals.
 */
export function isRanked(verses: readonly SimilarVerseData[]): boolean {
  return verses.every(({ similarity, verse }, index) => {
    const before = verses[index - 1];
    const follows =
      !before ||
      before.similarity > similarity ||
      (before.similarity === similarity &&
        verseOrdinal({ ...before.verse, book: before.verse.bookId }) < verseOrdinal({ ...verse, book: verse.bookId }));
    return follows && similarity >= 0 && similarity <= 1 && Number(similarity.toFixed(4)) === similarity;
  });
}
