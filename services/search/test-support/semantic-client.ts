import { join } from 'node:path';
import type { BookCode } from '@lectern/canon';
import { verseOrdinal } from '@lectern/canon';
import type { Logger } from '@lectern/serving';
import { readSettings, silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import type { Metrics } from '@lectern/telemetry';
import type { SemanticIndexOptions } from '../src/index';
import {
  buildSearchIndex,
  buildSemanticIndex,
  createSearchSubgraph,
  createSemanticOptions,
  semanticSettings,
} from '../src/index';

export interface Near {
  similarity: number;
  verse: { id: string; bookId: BookCode; chapter: number; verse: number; text: string; reference: string };
}

export interface MeaningOptions {
  dataDir: string;
  /** Settings of semantic search. */
  env?: Readonly<Record<string, string>>;
  /** What the settings do not say. */
  instead?: Partial<SemanticIndexOptions>;
  log?: Logger;
  metrics?: Metrics;
  onStatement?: (statement: string) => void;
}

export const near = 'similarity verse { id bookId chapter verse text reference }';
const document = `query Meaning($query: String!, $limit: Int, $translation: String) { semanticSearch(query: $query, limit: $limit, translation: $translation) { ${near} } }`;

/** The real texts and the built-in model's vectors, built where they are missing or out of date. */
export async function buildMeaning({ corpusFile, dataDir }: { corpusFile: string; dataDir: string }): Promise<void> {
  await buildSearchIndex({ corpusFile, searchFile: join(dataDir, 'search.sqlite'), log: () => undefined });
  await buildSemanticIndex({ corpusFile, dataDir, env: {}, log: () => undefined });
}

/** What was built, and ways to ask it as a gateway does. */
export async function openMeaning({
  dataDir,
  env = {},
  instead = {},
  log = silentLogger,
  metrics,
  onStatement,
}: MeaningOptions) {
  const searchFile = join(dataDir, 'search.sqlite');
  const chosen = await createSemanticOptions({ settings: readSettings({ ...env }, semanticSettings), dataDir, log });
  const subgraph = await createSearchSubgraph({
    searchFile,
    semantic: chosen && { ...chosen, ...instead },
    ...(metrics && { metrics }),
    ...(onStatement && { onStatement }),
  });
  const execute = executeInProcess(subgraph, silentLogger);
  const ask = (query: string, variables?: Record<string, unknown>) => execute({ query, variables });

  return {
    subgraph,
    ask,
    answer: (query: string, options: { limit?: number | null; translation?: string | null } = {}) =>
      ask(document, { query, ...options }),

    async meaning(
      query: string,
      options: { limit?: number | null; translation?: string | null } = {},
    ): Promise<Near[]> {
      const { data, errors } = await ask(document, { query, ...options });
      if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
      return data?.['semanticSearch'] as Near[];
    },

    close: () => subgraph.close(),
  };
}

export type OpenMeaning = Awaited<ReturnType<typeof openMeaning>>;

export const references = (found: readonly Near[]): string[] => found.map(({ verse }) => verse.reference);

/** What holds for every list of near verses: scores in 0..1 with four decimals, falling, and the order of the Bible among equals. */
export function isRanked(found: readonly Near[]): boolean {
  return found.every(({ similarity, verse }, index) => {
    const before = found[index - 1];
    const follows =
      !before ||
      before.similarity > similarity ||
      (before.similarity === similarity &&
        verseOrdinal({ ...before.verse, book: before.verse.bookId }) < verseOrdinal({ ...verse, book: verse.bookId }));
    return follows && similarity >= 0 && similarity <= 1 && Number(similarity.toFixed(4)) === similarity;
  });
}
