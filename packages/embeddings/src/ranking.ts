import { verseOrdinal } from '@lectern/canon';
import type { Corpus } from '@lectern/corpus';
import type { Embedder } from './embedder';
import { createLexicalOverlap, indexWords, joinValues, noValues, type RowValues } from './lexical-overlap';
import { openPhrases, phrasesFile } from './phrases';
import type { SharedRows } from './search';
import {
  createSharedRows,
  lexicalBonus,
  openVectors,
  type Ranked,
  rankSimilar,
  sharedVectorsFile,
  toSimilarity,
} from './search';
import { secondTranslation } from './verse-texts';

interface RankingOptions {
  dataDir: string;
  corpus: Pick<Corpus, 'translation' | 'range'>;
  embedder: Pick<Embedder, 'id' | 'passageId' | 'embedQueries'>;
  /** The identifier of a translation that the corpus has. */
  translation: string;
  /** The names of topics that are not used for ranking. */
  without?: ReadonlySet<string>;
  /** The vectors of verses. By default the shared vectors. */
  file?: string;
}

/**
 * Opens the ranking of `semanticSearch` outside the service: the shared vectors, the words of the
 * verses and, if present, the phrases of topics and outlines. Verses that the shared vectors lack
 * are not found.
 */
export async function openRanking({ dataDir, corpus, embedder, translation, without, file }: RankingOptions) {
  const vectors = await openVectors(file ?? sharedVectorsFile(dataDir, embedder.passageId), {
    embedder: embedder.passageId,
  });
  const sharedRows = createSharedRows(vectors);
  const texts = [...new Set([translation, secondTranslation])].flatMap((each) => readWords(corpus, each, sharedRows));
  const lexicalOverlap = createLexicalOverlap(vectors.header.count);
  const ordinalsOfRow = new Map<number, number[]>();
  for (const [verse, ordinal] of (texts[0]?.ordinals ?? []).entries()) {
    const row = texts[0]?.rows[verse] ?? -1;
    ordinalsOfRow.set(row, [...(ordinalsOfRow.get(row) ?? []), ordinal]);
  }
  const phrases = await openPhrases(phrasesFile(dataDir), { embedder: embedder.id, ...(without && { without }) });
  const findPhraseBonus = phrases.createFindPhraseBonus(sharedRows.rowOfStandard);

  /** Resolves with the vector of a query, and with what is added to the cosines of verses, by row. */
  async function read(query: string): Promise<{ vector: Float32Array; bonus: RowValues }> {
    const [vector = new Float32Array()] = await embedder.embedQueries([query]);
    const overlap = lexicalBonus(lexicalOverlap.score(query, texts) ?? noValues);
    return { vector, bonus: joinValues(overlap, await findPhraseBonus(vector)) };
  }

  return {
    sharedRows,
    read,
    /** Resolves with the best verses of the translation, best first. */
    async search(query: string, limit: number): Promise<Ranked[]> {
      const { vector, bonus } = await read(query);
      const { indices, cosines, bonuses } = await vectors.nearestRows({ vector, limit, bonus });
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

/** Indexes the words of a translation in memory. Returns [] if the corpus lacks the translation. */
function readWords(corpus: RankingOptions['corpus'], identifier: string, sharedRows: SharedRows) {
  const translation = corpus.translation(identifier);
  if (!translation) return [];
  const { language, numbering, books } = translation;
  const verses = books.flatMap(({ code }) =>
    corpus.range(
      identifier,
      verseOrdinal({ book: code, chapter: 0, verse: 0 }),
      verseOrdinal({ book: code, chapter: 999, verse: 999 }),
    ),
  );
  const ordinals = verses.map(({ book, chapter, verse }) => verseOrdinal({ book, chapter, verse }));
  const words = indexWords(
    language,
    verses.map(({ text }) => text),
  );
  const rows = Int32Array.from(ordinals, (ordinal) => sharedRows.rowOf(ordinal, numbering) ?? -1);
  return [{ ...words, ordinals, rows }];
}
