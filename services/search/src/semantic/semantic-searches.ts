import type { Ranked } from '@lectern/embeddings';
import { isEmbedderError } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import { checkQuery } from '../check-query';
import type { Observations, QuestionOutcome } from '../observations';
import type { IndexedEdition } from '../store';
import type { Semantic } from './open-semantic';
import { mostAtOnce } from './open-semantic';

const defaultLimit = 10;
const defaultSimilar = 5;

/** From what a client sends to ranked verses. Without an index every edition is one without vectors. */
export function createSemanticSearches(semantic: Semantic | null, observations: Pick<Observations, 'question'>) {
  return {
    hasEmbeddings: (identifier: string): boolean => semantic?.has(identifier) ?? false,

    async search(edition: IndexedEdition, query: string, limit: number | null): Promise<Ranked[]> {
      checkQuery(query);
      const began = performance.now();
      let outcome: QuestionOutcome = 'failed';
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

    similar: (edition: IndexedEdition, ordinal: number, limit: number | null): Promise<Ranked[]> =>
      available(semantic?.similar(edition.identifier, ordinal, clamp(limit ?? defaultSimilar))),
  };
}

export type SemanticSearches = ReturnType<typeof createSemanticSearches>;

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

const clamp = (count: number): number => Math.min(Math.max(count, 0), mostAtOnce);
