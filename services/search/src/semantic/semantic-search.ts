import type { Ranked } from '@lectern/embeddings';
import { isEmbedderError } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import type { SearchMetrics, SemanticQueryOutcome } from '../metrics';
import { validateQuery } from '../search-arguments';
import type { IndexedTranslation } from '../store';
import type { SemanticIndex } from './semantic-index';
import { maxResults } from './semantic-index';

const defaultLimit = 10;
const defaultSimilar = 5;

/** From what a client sends to ranked verses. Without an index every edition is one without vectors. */
export function createSemanticSearch(semantic: SemanticIndex | null, observations: Pick<SearchMetrics, 'question'>) {
  return {
    hasEmbeddings: (identifier: string): boolean => semantic?.has(identifier) ?? false,

    async search(edition: IndexedTranslation, query: string, limit: number | null): Promise<Ranked[]> {
      validateQuery(query);
      const began = performance.now();
      let outcome: SemanticQueryOutcome = 'failed';
      try {
        const found = await available(
          semantic?.search(edition.identifier, normalised(query), clamp(limit ?? defaultLimit)),
        );
        outcome = semantic?.has(edition.identifier) === true ? 'answered' : 'no-vectors';
        return found;
      } finally {
        observations.question(outcome, (performance.now() - began) / 1_000);
      }
    },

    similar: (edition: IndexedTranslation, ordinal: number, limit: number | null): Promise<Ranked[]> =>
      available(semantic?.similar(edition.identifier, ordinal, clamp(limit ?? defaultSimilar))),
  };
}

export type SemanticSearch = ReturnType<typeof createSemanticSearch>;

/** More verses may be asked for than are compared at a time: that is told like an embedder that is busy. */
async function available(found: Promise<Ranked[]> | undefined): Promise<Ranked[]> {
  try {
    return (await found) ?? [];
  } catch (error) {
    throw isEmbedderError(error) ? errors.embeddingUnavailable() : error;
  }
}

/** One spelling for what means the same, so that it has one vector: composed letters, single blanks, no halves of characters. */
const normalised = (query: string): string =>
  query
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .trim()
    .replaceAll(/\s+/g, ' ');

const clamp = (count: number): number => Math.min(Math.max(count, 0), maxResults);
