import type { Corpus } from '@lectern/corpus';
import {
  type Embedder,
  openVectors,
  type RowValues,
  type ScanMatches,
  secondTranslation,
  versesOfBook,
} from '@lectern/embeddings';
import { createLexicalOverlap, indexWords, joinValues } from './lexical-overlap';
import { openPhrases, phrasesFile } from './phrases-file';
import { createSharedRows, type SharedRows, sharedVectorsFile } from './shared-rows';
import { lexicalBonus, type Ranked, rankSimilar, toSimilarity } from './similarity';

interface RankingOptions {
  dataDir: string;
  corpus: Pick<Corpus, 'translation' | 'range'>;
  embedder: Pick<Embedder, 'id' | 'passageId' | 'embedQueries'>;
  translation: string;
  without?: ReadonlySet<string>;
  /** The file with the vectors of verses. By default the shared vectors. */
  file?: string;
}

/**
 * Opens the ranking of `semanticSearch` outside the service. It ranks by the shared vectors (one set of verse vectors
 * for all translations), by the words of the verses, and by the phrases of topics, outlines and questions, if there are any. It
 * does not find verses without a shared vector.
 */
export async function openRanking({ dataDir, corpus, embedder, translation, without, file }: RankingOptions) {
  const vectors = await openVectors(file ?? sharedVectorsFile(dataDir, embedder.passageId), {
    embedder: embedder.passageId,
  });
  const sharedRows = createSharedRows(vectors);
  const texts = [...new Set([translation, secondTranslation])].flatMap((each) => readWords(corpus, each, sharedRows));
  const lexicalOverlap = createLexicalOverlap(vectors.header.count);
  const ordinalsOfRow = new Map<number, number[]>();
  const wordCounts = new Float32Array(vectors.header.count);
  for (const [verse, ordinal] of (texts[0]?.ordinals ?? []).entries()) {
    const row = texts[0]?.rows[verse] ?? -1;
    ordinalsOfRow.set(row, [...(ordinalsOfRow.get(row) ?? []), ordinal]);
    wordCounts[row] ||= texts[0]?.lengths[verse] ?? 0;
  }
  const phrases = await openPhrases(phrasesFile(dataDir), { embedder: embedder.id, ...(without && { without }) });
  const findPhraseBonus = phrases.createFindPhraseBonus(sharedRows.rowOfStandard);
  const rowProperties = {
    ...createRowProperties(vectors.ordinals, sharedRows, phrases.prominenceOf),
    wordCountOf: (row: number) => wordCounts[row] ?? 0,
  };

  /** Resolves with the vector of a query, and with the bonus that is added to the cosines of verses, by row. */
  async function read(query: string): Promise<{ vector: Float32Array; bonus: RowValues }> {
    const [vector = new Float32Array()] = await embedder.embedQueries([query]);
    const overlap = lexicalBonus(lexicalOverlap.score(query, texts));
    return { vector, bonus: joinValues(overlap, await findPhraseBonus(vector)) };
  }

  return {
    sharedRows,
    read,
    async search(query: string, limit: number): Promise<Ranked[]> {
      const { vector, bonus } = await read(query);
      const nearest = await vectors.nearestRows({ vector, limit: Math.max(limit, requiredRows), bonus });
      const { indices, cosines, bonuses } = rerank(nearest, rowProperties);
      const found = Array.from(indices).flatMap((row, at) =>
        (ordinalsOfRow.get(row) ?? []).map((ordinal) => [ordinal, (cosines[at] ?? 0) + (bonuses[at] ?? 0)] as const),
      );
      return rankSimilar(
        { ordinals: found.map(([ordinal]) => ordinal), similarities: found.map(([, score]) => toSimilarity(score)) },
        limit,
      );
    },
    async close(): Promise<void> {
      await Promise.all([vectors.close(), phrases.close()]);
    },
  };
}

/** Indexes the words of a translation in memory. Returns [] if the corpus does not have the translation. */
function readWords(corpus: RankingOptions['corpus'], identifier: string, sharedRows: SharedRows) {
  const translation = corpus.translation(identifier);
  if (!translation) return [];
  const { language, numbering, books } = translation;
  const verses = books.flatMap(({ code }) => versesOfBook(corpus, identifier, code));
  const ordinals = verses.map(({ ordinal }) => ordinal);
  const texts = verses.map(({ text }) => text);
  const rows = Int32Array.from(ordinals, (ordinal) => sharedRows.rowOf(ordinal, numbering) ?? -1);
  return [{ ...indexWords(language, texts), ordinals, rows }];
}

/** The number of verses, the best first, that are reranked. */
const reranked = 100;

/** The number of rows that a scan must find, so that `rerank` can compare the best with the next. */
export const requiredRows = reranked + 1;

// Chosen with the development questions (RANKING.md).
const supportFactor = 0.25;
/** The share of its support that a verse gets which is not the best of its chapter. */
const shareOfOthers = 0.5;
const prominenceFactor = 0.008;
const lengthFactor = 0.01;
/** The scale of the differences between the new scores. It keeps nearly all scores below 1. */
const scale = 0.8;

/** The score of a row that the scan excludes is lower. */
const minScore = -1;

interface RowProperties {
  /** Returns a number that verses of the same chapter share. */
  chapterOf: (row: number) => number;
  prominenceOf: (row: number) => number;
  wordCountOf: (row: number) => number;
}

/** `ordinals` has the verse of each row. `prominenceOf` gets a verse in the standard numbering. */
export const createRowProperties = (
  ordinals: ArrayLike<number>,
  { standardOf }: Pick<SharedRows, 'standardOf'>,
  prominenceOf: (ordinal: number) => number,
): Omit<RowProperties, 'wordCountOf'> => ({
  chapterOf: (row) => Math.floor((ordinals[row] ?? 0) / 1_000),
  prominenceOf: (row) => prominenceOf(standardOf(row)),
});

/**
 * Raises the bonuses of the 100 best verses. Verses of the same chapter support each other, because the right answer
 * is often a passage whose verses are all near to the query. The support is the length of the vector that consists of
 * the other verses' scores above the score of the 101st verse. Only the best verse of a chapter gets all of its
 * support, so that the first results are from several chapters. Prominent verses and long verses are right more often.
 */
export function rerank(matches: ScanMatches, { chapterOf, prominenceOf, wordCountOf }: RowProperties): ScanMatches {
  const { indices, cosines, bonuses } = matches;
  const scores = cosines.map((cosine, at) => cosine + (bonuses[at] ?? 0));
  const rising = scores.toSorted();
  const threshold = Math.max(
    rising.at(-reranked - 1) ?? minScore,
    rising.find((score) => score > minScore) ?? minScore,
  );
  const excesses = scores.map((score) => Math.max(0, score - threshold));
  const chapters = new Map<number, { squares: number; best: number }>();
  for (const [at, excess] of excesses.entries()) {
    if (excess === 0) continue;
    const chapter = chapterOf(indices[at] ?? 0);
    const { squares, best } = chapters.get(chapter) ?? { squares: 0, best: 0 };
    chapters.set(chapter, { squares: squares + excess ** 2, best: Math.max(best, excess) });
  }
  const added = (row: number, excess: number): number => {
    const { squares, best } = chapters.get(chapterOf(row)) ?? { squares: 0, best: 0 };
    const support = Math.sqrt(Math.max(0, squares - excess ** 2)) * (excess < best ? shareOfOthers : 1);
    const priors = prominenceFactor * prominenceOf(row) + lengthFactor * Math.log1p(wordCountOf(row));
    return scale * (excess + supportFactor * support + priors) - excess;
  };
  return {
    indices,
    cosines,
    bonuses: bonuses.map((bonus, at) => {
      const excess = excesses[at] ?? 0;
      return excess > 0 ? bonus + added(indices[at] ?? 0, excess) : bonus;
    }),
  };
}
