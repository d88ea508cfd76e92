import type { AddEvidence, Nearest, OpenVectors, Ranked, SharedRows, VerseValues } from '@lectern/embeddings';
import { createLexicalOverlap, lexicalBonus, rank, secondTranslation } from '@lectern/embeddings';
import type { WorkBudget } from '@lectern/serving';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import { namedVerses } from './named-verses';
import type { PreparedTranslations } from './prepared-translations';
import type { TranslationVerses } from './translation-verses';

/** Runs parts of a ranking, now or in a later turn of the event loop. */
export type RankingWork = Pick<WorkBudget, 'run'>;

/** Runs the work in this turn of the event loop. For rankings of a few verses. */
const atOnce: RankingWork = { run: (work) => work() as never };

export interface NearestRankingOptions {
  files: SearchFiles;
  /** The vectors that all translations share. */
  shared: OpenVectors;
  sharedRows: SharedRows;
  versesOf: PreparedTranslations['versesOf'];
  /** Resolves with the vector of a query. */
  vectorOf: (query: string) => Promise<Float32Array>;
  addEvidence: AddEvidence;
}

/** Creates functions that rank the verses of a translation by similarity, best first. */
export function createNearestRanking(options: NearestRankingOptions) {
  const { shared, sharedRows, versesOf, vectorOf, addEvidence } = options;
  const wordBonus = createWordBonus(options);

  /** Finds the verses of a translation that are nearest to a vector, unsorted. */
  const nearestVerses = async (
    verses: TranslationVerses,
    query: { vector: Float32Array; limit: number; bonus: VerseValues | null },
    work = atOnce,
  ): Promise<Nearest[]> => {
    const rows = await shared.nearest({ ...query, bonus: verses.withoutAbsent(query.bonus) });
    return work.run(() => [...verses.versesOf(rows), ...(verses.own?.compare(query.vector) ?? [])]);
  };

  /** Ranks the verses nearest to a verse, without these verses. */
  const rankOthers = async (
    entry: IndexedTranslation,
    [ordinal = 0, ...others]: readonly number[],
    limit: number,
  ): Promise<Ranked[]> => {
    const verses = await versesOf(entry);
    const row = sharedRows.rowOf(ordinal, entry.numbering);
    const vector = row === null ? verses.own?.vectorOf(ordinal) : shared.vectorOf(shared.ordinals[row] ?? 0);
    const left = new Set([ordinal, ...others]);
    const nearest = vector ? await nearestVerses(verses, { vector, limit: limit + left.size, bonus: null }) : [];
    return rank(
      nearest.filter((each) => !left.has(each.ordinal)),
      limit,
    );
  };

  return {
    rankOthers,

    /**
     * Ranks the verses nearest to a query. If the query is a reference, the verses that it names come first, then the verses
     * nearest to the first of them.
     */
    async rankVerses(entry: IndexedTranslation, query: string, limit: number, work = atOnce): Promise<Ranked[]> {
      const verses = await versesOf(entry);
      const named = namedVerses(query, { language: entry.language, ordinals: verses.ordinals, limit });
      if (named.length > 0) {
        const others = await rankOthers(entry, named, limit - named.length);
        return [...named.map((ordinal) => ({ ordinal, similarity: 1 })), ...others];
      }
      // The words are compared while the model computes in its thread.
      const [vector, words] = await Promise.all([vectorOf(query), wordBonus(entry, query)]);
      const bonus = await addEvidence(vector, words);
      const nearest = await nearestVerses(verses, { vector, limit, bonus }, work);
      return work.run(() => rank(nearest, limit));
    },
  };
}

/**
 * Creates the function that resolves with the bonus of verses for words of a query, in the translation's own text and in
 * the English text.
 */
function createWordBonus({ files, shared, versesOf }: NearestRankingOptions) {
  const overlap = createLexicalOverlap(shared.header.count);
  return async (entry: IndexedTranslation, query: string): Promise<VerseValues | null> => {
    const english = files.find(secondTranslation);
    const entries = [...new Set([entry, ...(english ? [english] : [])])];
    const rows = await Promise.all(entries.map(async (each) => (await versesOf(each)).rows));
    // The files may be closed while a request waits, so the code below does not await.
    const texts = entries.flatMap(({ identifier }, at) => {
      const index = files.use(identifier)?.index;
      if (!index) return [];
      const { ordinals, stemsOf, stemOccurrences: occurrences } = index;
      return [{ verseCount: ordinals.length, stemsOf, occurrences, rows: rows[at] ?? new Int32Array() }];
    });
    const scores = overlap.score(query, texts);
    return scores && lexicalBonus(scores);
  };
}
