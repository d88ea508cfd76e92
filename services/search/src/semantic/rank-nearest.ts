import type { AddEvidence, OpenVectors, Ranked, RowValues, SharedRows, SimilarVerses } from '@lectern/embeddings';
import {
  createLexicalOverlap,
  lexicalBonus,
  noSimilarVerses,
  rankSimilar,
  secondTranslation,
} from '@lectern/embeddings';
import type { WorkBudget } from '@lectern/serving';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import { namedVerses } from './named-verses';
import type { PreparedTranslations } from './prepared-translations';
import type { TranslationVerses } from './translation-verses';

/** Runs parts of a ranking, now or in a later turn of the event loop. */
export type RankingWork = Pick<WorkBudget, 'run'>;

/** Also runs large parts, such as opening a file, each in a turn of its own. */
export type LargeRankingWork = Pick<WorkBudget, 'run' | 'runLarge'>;

/** Runs the work in this turn of the event loop. For rankings of a few verses. */
export const atOnce: LargeRankingWork = {
  run: (work) => work() as never,
  runLarge: (work) => work() as never,
};

export interface NearestRankingOptions {
  files: SearchFiles;
  /** The vectors that all translations share. */
  shared: OpenVectors;
  sharedRows: SharedRows;
  versesOf: PreparedTranslations['versesOf'];
  /** Resolves with the vector of a query. */
  vectorOf: (query: string) => Promise<Float32Array>;
  addEvidence: AddEvidence;
  /** Runs the parts of rankings that several requests share. By default they run at once. */
  sharedWork?: RankingWork | undefined;
}

/** Creates functions that rank the verses of a translation by similarity, best first. */
export function createNearestRanking(options: NearestRankingOptions) {
  const { shared, sharedRows, versesOf, vectorOf, addEvidence, sharedWork = atOnce } = options;
  const wordBonus = createWordBonus(options);

  /** Finds the verses of a translation that are nearest to a vector: at least `limit`. */
  const nearestVerses = async (
    verses: TranslationVerses,
    query: { vector: Float32Array; limit: number; bonus: RowValues | null },
    work: RankingWork = atOnce,
  ): Promise<SimilarVerses> => {
    const rows = await shared.nearestRows({ ...query, bonus: verses.withoutAbsent(query.bonus) });
    return work.run(() => joined(verses.versesOf(rows), verses.unshared?.compare(query.vector) ?? noSimilarVerses));
  };

  /** Finds the verses nearest to a verse, without these verses: at least `limit`. */
  const otherVerses = async (
    entry: IndexedTranslation,
    [ordinal = 0, ...others]: readonly number[],
    limit: number,
    work: RankingWork = atOnce,
  ): Promise<SimilarVerses> => {
    const verses = await versesOf(entry);
    const row = sharedRows.rowOf(ordinal, entry.numbering);
    const vector = row === null ? verses.unshared?.vectorOf(ordinal) : shared.vectorOf(shared.ordinals[row] ?? 0);
    const left = new Set([ordinal, ...others]);
    if (!vector) return noSimilarVerses;
    const nearest = await nearestVerses(verses, { vector, limit: limit + left.size, bonus: null }, work);
    return work.run(() => without(nearest, left));
  };

  /**
   * Finds at least `limit` verses. If the query is a reference, `named` are the verses of the reference, and `others` are
   * the verses nearest to the first of them. Otherwise `others` are the verses nearest to the query.
   */
  const findVerses = async (
    entry: IndexedTranslation,
    query: string,
    limit: number,
    work: RankingWork = atOnce,
  ): Promise<{ named: number[]; others: SimilarVerses }> => {
    const verses = await versesOf(entry);
    const named = namedVerses(query, { language: entry.language, ordinals: verses.ordinals, limit });
    if (named.length > 0) return { named, others: await otherVerses(entry, named, limit - named.length, work) };
    // The words are compared while the model computes in its thread.
    const [vector, words] = await Promise.all([vectorOf(query), wordBonus(entry, query, work)]);
    const bonus = await addEvidence(vector, words);
    return { named, others: await nearestVerses(verses, { vector, limit, bonus }, work) };
  };

  return {
    /** Ranks the verses nearest to a verse, without the verse itself. */
    rankOthers: async (entry: IndexedTranslation, ordinal: number, limit: number): Promise<Ranked[]> =>
      rankSimilar(await otherVerses(entry, [ordinal], limit), limit),

    /**
     * Ranks the verses nearest to a query. If the query is a reference, the verses that it names come first, then the verses
     * nearest to the first of them.
     */
    async rankVerses(entry: IndexedTranslation, query: string, limit: number): Promise<Ranked[]> {
      const { named, others } = await findVerses(entry, query, limit, sharedWork);
      return [...named.map((ordinal) => ({ ordinal, similarity: 1 })), ...rankSimilar(others, limit - named.length)];
    },

    /** Finds the verses that `rankVerses` ranks, in no order. */
    async nearest(
      entry: IndexedTranslation,
      query: string,
      limit: number,
      work: RankingWork = atOnce,
    ): Promise<SimilarVerses> {
      const { named, others } = await findVerses(entry, query, limit, work);
      const similar = { ordinals: named, similarities: named.map(() => 1) };
      return work.run(() => joined(similar, best(others, limit - named.length)));
    },
  };
}

const joined = (one: SimilarVerses, other: SimilarVerses): SimilarVerses => ({
  ordinals: one.ordinals.concat(other.ordinals),
  similarities: one.similarities.concat(other.similarities),
});

/** Returns the `limit` verses with the highest similarities. */
function best(verses: SimilarVerses, limit: number): SimilarVerses {
  // Sorting all verses of a translation would take milliseconds.
  if (verses.ordinals.length <= limit) return verses;
  const ranked = rankSimilar(verses, limit);
  return { ordinals: ranked.map(({ ordinal }) => ordinal), similarities: ranked.map(({ similarity }) => similarity) };
}

const without = ({ ordinals, similarities }: SimilarVerses, left: ReadonlySet<number>): SimilarVerses => ({
  ordinals: ordinals.filter((ordinal) => !left.has(ordinal)),
  similarities: similarities.filter((_, at) => !left.has(ordinals[at] ?? 0)),
});

/**
 * Creates the function that resolves with the bonus of verses for words of a query, in the translation's own text and in
 * the English text.
 */
function createWordBonus({ files, shared, versesOf }: NearestRankingOptions) {
  const overlap = createLexicalOverlap(shared.header.count);
  return async (entry: IndexedTranslation, query: string, work: RankingWork): Promise<RowValues | null> => {
    const english = files.find(secondTranslation);
    const entries = [...new Set([entry, ...(english ? [english] : [])])];
    const rows = await Promise.all(entries.map(async (each) => (await versesOf(each)).rows));
    return work.run(() => {
      // The files may be closed while a request waits, so this function does not await.
      const texts = entries.flatMap(({ identifier }, at) => {
        const index = files.use(identifier)?.index;
        if (!index) return [];
        const { ordinals, stemsOf, stemOccurrences: occurrences } = index;
        return [{ verseCount: ordinals.length, stemsOf, occurrences, rows: rows[at] ?? new Int32Array() }];
      });
      const scores = overlap.score(query, texts);
      return scores && lexicalBonus(scores);
    });
  };
}
