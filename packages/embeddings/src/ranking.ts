import { verseOrdinal } from '@lectern/canon';
import type { Corpus } from '@lectern/corpus';
import type { Embedder } from './embedder';
import { createLexicalOverlap, indexWords, joinValues, noValues, type RowValues } from './lexical-overlap';
import { openPhrases, phrasesFile } from './phrases-file';
import { createRowProperties, requiredRows, rerank } from './rerank';
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
  /** The identifier of the translation, which the corpus must have. */
  translation: string;
  /** The names of topics whose phrases are not used. */
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
    const overlap = lexicalBonus(lexicalOverlap.score(query, texts) ?? noValues);
    return { vector, bonus: joinValues(overlap, await findPhraseBonus(vector)) };
  }

  return {
    sharedRows,
    read,
    /** Resolves with the best verses of the translation, best first. */
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
