import type { Distress, FindPhraseBonus, QueryKind, Ranked, RowValues, SimilarVerses } from '@lectern/embeddings';
import {
  createLexicalOverlap,
  createRowProperties,
  joinValues,
  lexicalBonus,
  lexicalOverlapOf,
  noSimilarVerses,
  noValues,
  rankSimilar,
  requiredRows,
  rerank,
  secondTranslation,
} from '@lectern/embeddings';
import type { WorkBudget } from '@lectern/serving';
import { namedVerses } from '../full-text/find-references';
import type { IndexedTranslation } from '../store';
import type { VectorParts, VerseVectorRows, VerseVectorRowsCache } from './verse-vectors';

interface NearestRankingOptions extends VectorParts {
  versesOf: VerseVectorRowsCache['versesOf'];
  vectorOf: (query: string, work: WorkBudget) => Promise<Float32Array>;
  findPhraseBonus: FindPhraseBonus;
  /** Returns how prominent a verse is. The verse is an ordinal in the standard numbering. */
  prominenceOf: (ordinal: number) => number;
  /** Classifies a query by its vector, and by the largest share of its words that a verse contains. */
  classifyQuery: (vector: Float32Array, overlap: number) => QueryKind;
}

export interface NearestVerses extends SimilarVerses {
  /** Returns how much topics, outlines and questions add to a verse's similarity. */
  topicBonusOf(ordinal: number): number;
  distress: Distress | null;
}

export const noNearestVerses: NearestVerses = { ...noSimilarVerses, topicBonusOf: () => 0, distress: null };

/** The vector of a query, and the bonus of the verses that the phrases nearest to the query name. */
interface QueryMeaning {
  readonly vector: Float32Array;
  readonly phrases: RowValues;
}

export interface NearestOptions {
  limit: number;
  work: WorkBudget;
  /**
   * Work that needs no vectors. It is started when the threads compare the query's vector, because before that the
   * embedding model uses all cores. It is not started if the query needs no vector. It must handle its own rejection.
   */
  meanwhile: () => Promise<unknown>;
}

interface FindOptions {
  meaning: () => Promise<QueryMeaning>;
  limit: number;
  work: WorkBudget;
  /** Whether a query that has nothing to do with the Bible finds no verses. */
  onlyRelated: boolean;
}

export function createNearestRanking(options: NearestRankingOptions) {
  const { shared, sharedRows, versesOf, vectorOf, findPhraseBonus, prominenceOf, classifyQuery } = options;
  const wordBonus = createWordBonus(options);
  const rowProperties = createRowProperties(shared.ordinals, sharedRows, prominenceOf);

  /** Computes the meaning of a query at its first use, because a reference needs none. */
  const createMeaning = (query: string, work: WorkBudget, meanwhile?: NearestOptions['meanwhile']) => {
    let meaning: Promise<QueryMeaning> | undefined;
    const compute = async (): Promise<QueryMeaning> => {
      const vector = await vectorOf(query, work);
      // Runs in the next turn of the event loop, when the threads have the vector and work on their own.
      if (meanwhile) setImmediate(meanwhile);
      return { vector, phrases: await findPhraseBonus(vector, work) };
    };
    return (): Promise<QueryMeaning> => (meaning ??= compute());
  };

  /**
   * Finds at least `limit` verses, if the translation has so many, and reranks the best if there is a bonus. The result
   * also has all verses without a shared vector, whatever their similarity.
   */
  const nearestVerses = async (
    verses: VerseVectorRows,
    query: { vector: Float32Array; limit: number; bonus: RowValues | null },
    work: WorkBudget,
  ): Promise<SimilarVerses> => {
    const limit = query.bonus ? Math.max(query.limit, requiredRows) : query.limit;
    const nearest = await shared.nearestRows({ ...query, limit, bonus: verses.withoutAbsent(query.bonus), work });
    return work.run(() => {
      const rows = query.bonus ? rerank(nearest, { ...rowProperties, wordCountOf: verses.wordCountOf }) : nearest;
      return joined(verses.versesOf(rows), verses.unshared?.compare(query.vector) ?? noSimilarVerses);
    });
  };

  /** Finds verses near the first of the given verses, without the given ones. None if it has no vector. */
  const otherVerses = async (entry: IndexedTranslation, given: readonly number[], limit: number, work: WorkBudget) => {
    const [ordinal = 0] = given;
    const verses = await versesOf(entry);
    const row = sharedRows.rowOf(ordinal, entry.numbering);
    const vector = row === null ? verses.unshared?.vectorOf(ordinal) : shared.vectorOf(shared.ordinals[row] ?? 0);
    const left = new Set(given);
    if (!vector) return noSimilarVerses;
    const nearest = await nearestVerses(verses, { vector, limit: limit + left.size, bonus: null }, work);
    return work.run(() => without(nearest, left));
  };

  /** If the query is a reference, `named` has its verses, and `others` those nearest to the first of them. */
  const findVerses = async (
    entry: IndexedTranslation,
    query: string,
    { meaning, limit, work, onlyRelated }: FindOptions,
  ) => {
    const verses = await versesOf(entry);
    const { language } = entry;
    const named = await work.run(() => namedVerses(query, { language, ordinals: verses.ordinals, limit }));
    if (named.length > 0)
      return { named, others: await otherVerses(entry, named, limit - named.length, work), distress: null };
    // Compares the words of the query with the verses meanwhile, because the model computes in its own thread.
    const [{ vector, phrases }, lexical] = await Promise.all([meaning(), wordBonus(entry, query, work)]);
    const overlap = lexicalOverlapOf(lexical.values.reduce((max, each) => Math.max(max, each), 0));
    const { isRelated, distress } = classifyQuery(vector, overlap);
    if (onlyRelated && !isRelated) return { named, others: noSimilarVerses, distress };
    const bonus = joinValues(lexical, phrases);
    return { named, others: await nearestVerses(verses, { vector, limit, bonus }, work), distress };
  };

  return {
    /** Ranks the verses nearest to a verse. Leaves out the verse itself. */
    rankOthers: async (entry: IndexedTranslation, ordinal: number, limit: number, work: WorkBudget) =>
      rankSimilar(await otherVerses(entry, [ordinal], limit, work), limit),

    async rankVerses(entry: IndexedTranslation, query: string, limit: number, work: WorkBudget): Promise<Ranked[]> {
      const meaning = createMeaning(query, work);
      const { named, others } = await findVerses(entry, query, { meaning, limit, work, onlyRelated: false });
      return [...named.map((ordinal) => ({ ordinal, similarity: 1 })), ...rankSimilar(others, limit - named.length)];
    },

    /** Like `rankVerses`, but finds none if the query has nothing to do with the Bible. */
    async nearest(
      entries: readonly IndexedTranslation[],
      query: string,
      { limit, work, meanwhile }: NearestOptions,
    ): Promise<NearestVerses[]> {
      const meaning = createMeaning(query, work, meanwhile);
      return Promise.all(
        entries.map(async (entry) => {
          const found = await findVerses(entry, query, { meaning, limit, work, onlyRelated: true });
          const { named, others, distress } = found;
          const phrases = named.length > 0 ? noValues : (await meaning()).phrases;
          const similar = { ordinals: named, similarities: named.map(() => 1) };
          return work.run(() => {
            const bonuses = new Map(Array.from(phrases.rows, (row, at) => [row, phrases.values[at] ?? 0]));
            const topicBonusOf = (ordinal: number): number =>
              bonuses.get(sharedRows.rowOf(ordinal, entry.numbering) ?? -1) ?? 0;
            return { ...joined(similar, best(others, limit - named.length)), topicBonusOf, distress };
          });
        }),
      );
    },
  };
}

const joined = (one: SimilarVerses, other: SimilarVerses): SimilarVerses => ({
  ordinals: one.ordinals.concat(other.ordinals),
  similarities: one.similarities.concat(other.similarities),
});

function best(verses: SimilarVerses, limit: number): SimilarVerses {
  // Returns early, because sorting takes milliseconds for all verses of a translation.
  if (verses.ordinals.length <= limit) return verses;
  const ranked = rankSimilar(verses, limit);
  return { ordinals: ranked.map(({ ordinal }) => ordinal), similarities: ranked.map(({ similarity }) => similarity) };
}

const without = ({ ordinals, similarities }: SimilarVerses, left: ReadonlySet<number>): SimilarVerses => ({
  ordinals: ordinals.filter((ordinal) => !left.has(ordinal)),
  similarities: similarities.filter((_, at) => !left.has(ordinals[at] ?? 0)),
});

/** Gives a small bonus to verses with words of the query, in the translation or in English. */
function createWordBonus({ files, shared, versesOf }: NearestRankingOptions) {
  const overlap = createLexicalOverlap(shared.header.count);
  return async (entry: IndexedTranslation, query: string, work: WorkBudget): Promise<RowValues> => {
    const english = files.find(secondTranslation);
    const entries = [...new Set([entry, ...(english ? [english] : [])])];
    const rows = await Promise.all(entries.map(async (each) => (await versesOf(each)).rows));
    return work.run(() => {
      // This function must not await anything: meanwhile the files could be closed.
      const texts = entries.flatMap(({ identifier }, at) => {
        const index = files.use(identifier)?.index.read();
        if (!index) return [];
        const { ordinals, stemsOf, stemOccurrences: occurrences } = index;
        return [{ verseCount: ordinals.length, stemsOf, occurrences, rows: rows[at] ?? new Int32Array() }];
      });
      return lexicalBonus(overlap.score(query, texts));
    });
  };
}
