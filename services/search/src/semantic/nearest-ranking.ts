import { noValues, type RowValues, type ScanMatches, secondTranslation } from '@lectern/embeddings';
import type { WorkBudget } from '@lectern/serving';
import { namedVerses } from '../full-text/find-references';
import type { Need, Needs, UnderstoodNeed } from '../needs';
import type { IndexedTranslation } from '../store';
import { createLexicalOverlap, joinValues } from './lexical-overlap';
import type { FindPhraseBonus } from './phrases-file';
import type { QueryKind } from './query-kind';
import {
  createRowProperties,
  lexicalBonus,
  lexicalOverlapOf,
  noSimilarVerses,
  type Ranked,
  rankSimilar,
  requiredRows,
  rerank,
  type SimilarVerses,
} from './ranking';
import { sharedTranslation } from './shared-rows';
import type { VectorParts, VerseVectorRows, VerseVectorRowsCache } from './verse-vectors';

interface NearestRankingOptions extends VectorParts {
  versesOf: VerseVectorRowsCache['versesOf'];
  vectorOf: (query: string, work: WorkBudget) => Promise<Float32Array>;
  findPhraseBonus: FindPhraseBonus;
  /** Returns how prominent a verse is. The verse is an ordinal in the standard numbering. */
  prominenceOf: (ordinal: number) => number;
  /** Classifies a query by its vector, and by the largest share of its words that a verse contains. */
  classifyQuery: (vector: Float32Array, overlap: number) => QueryKind;
  needs: Needs;
}

export interface NearestVerses extends SimilarVerses {
  /** Returns how much topics, outlines and questions add to a verse's similarity. */
  topicBonusOf(ordinal: number): number;
  need: UnderstoodNeed | null;
}

export const noNearestVerses: NearestVerses = { ...noSimilarVerses, topicBonusOf: () => 0, need: null };

/** The verses nearest to a query, the best first, without those that wound a person with this need. */
export interface RankedVerses {
  readonly ranked: readonly Ranked[];
  readonly need: UnderstoodNeed | null;
}

/** The vector of a query, and the bonus of the verses that the phrases nearest to the query name. */
interface QueryMeaning {
  readonly vector: Float32Array;
  readonly phrases: RowValues;
}

export interface NearestOptions {
  limit: number;
  work: WorkBudget;
  /**
   * Starts when the threads compare the query's vector, because before the model uses all cores. Does not start if no
   * vector is needed. It must handle its own rejection.
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

/** How many verses similar to a verse are found, for a request with this need. */
export interface SimilarOptions {
  limit: number;
  need: Need | null;
  work: WorkBudget;
}

export function createNearestRanking(options: NearestRankingOptions) {
  const { sharedRows, versesOf, vectorOf, findPhraseBonus, classifyQuery, needs } = options;
  const wordBonus = createWordBonus(options);
  const { nearestVerses, otherVerses } = createFindNearest(options);

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

  /** Recognizes the need of a query by its vector, its words, and how far verses contain its words. */
  const understand = (query: string, vector: Float32Array, { values }: RowValues) => {
    const kind = classifyQuery(vector, lexicalOverlapOf(values.reduce((max, each) => Math.max(max, each), 0)));
    return { isRelated: kind.isRelated, need: needs.find(query, kind.need) };
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
    if (named.length > 0) {
      const others = await otherVerses(entry, named, { limit: limit - named.length, need: null, work });
      return { named, others, need: null };
    }
    // Compares the words of the query with the verses meanwhile, because the model computes in its own thread.
    const [{ vector, phrases }, lexical] = await Promise.all([meaning(), wordBonus(entry, query, work)]);
    const { isRelated, need } = understand(query, vector, lexical);
    if (onlyRelated && !isRelated) return { named, others: noSimilarVerses, need };
    const bonus = joinValues(lexical, phrases);
    return { named, others: await nearestVerses(verses, { vector, limit, bonus, need }, work), need };
  };

  return {
    /** Ranks the verses nearest to a verse. Leaves out the verse itself, and what wounds a person with this need. */
    rankOthers: async (entry: IndexedTranslation, ordinal: number, options: SimilarOptions) =>
      rankSimilar(await otherVerses(entry, [ordinal], options), options.limit),

    async rankVerses(entry: IndexedTranslation, query: string, limit: number, work: WorkBudget): Promise<RankedVerses> {
      const meaning = createMeaning(query, work);
      const { named, others, need } = await findVerses(entry, query, { meaning, limit, work, onlyRelated: false });
      const first = named.map((ordinal) => ({ ordinal, similarity: 1 }));
      return { ranked: [...first, ...rankSimilar(others, limit - named.length)], need };
    },

    /** Resolves with the vector and the need of a query that is searched in no translation. */
    async understand(query: string, work: WorkBudget) {
      const entry = options.files.find(sharedTranslation);
      const [vector, lexical] = await Promise.all([
        vectorOf(query, work),
        entry ? wordBonus(entry, query, work) : noValues,
      ]);
      return { vector, need: understand(query, vector, lexical).need };
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
          const { named, others, need } = found;
          const phrases = named.length > 0 ? noValues : (await meaning()).phrases;
          const similar = { ordinals: named, similarities: named.map(() => 1) };
          return work.run(() => {
            const bonuses = new Map(Array.from(phrases.rows, (row, at) => [row, phrases.values[at] ?? 0]));
            const topicBonusOf = (ordinal: number): number =>
              bonuses.get(sharedRows.rowOf(ordinal, entry.numbering) ?? -1) ?? 0;
            return { ...joined(similar, best(others, limit - named.length)), topicBonusOf, need };
          });
        }),
      );
    },
  };
}

/** Finds the verses nearest to a vector or to another verse. */
function createFindNearest({ shared, sharedRows, versesOf, prominenceOf }: NearestRankingOptions) {
  const rowProperties = createRowProperties(shared.ordinals, sharedRows, prominenceOf);

  /** Finds at least `limit` verses if it can, and all without a shared vector. Reranks the best if there is a bonus. */
  const nearestVerses = async (
    verses: VerseVectorRows,
    query: { vector: Float32Array; limit: number; bonus: RowValues | null; need: Need | null },
    work: WorkBudget,
  ): Promise<SimilarVerses> => {
    const { vector, need } = query;
    // In distress all verses are ranked, so that enough remain without those that wound.
    const wanted = need?.harmless ? verses.ordinals.length : query.limit;
    const limit = query.bonus ? Math.max(wanted, requiredRows) : wanted;
    const bonus = verses.withoutAbsent(query.bonus);
    const nearest = await shared.nearestRows({ vector, limit, bonus, work });
    return work.run(() => {
      const rows = query.bonus ? rerank(nearest, { ...rowProperties, wordCountOf: verses.wordCountOf }) : nearest;
      if (need?.harmless) return verses.versesOf(onlyRows(rows, rowsOf(need.harmless.verses)));
      return joined(verses.versesOf(rows), verses.unshared?.compare(vector) ?? noSimilarVerses);
    });
  };

  const rowsOf = (standard: ReadonlySet<number>): ReadonlySet<number> =>
    new Set(Array.from(standard, (ordinal) => sharedRows.rowOfStandard(ordinal) ?? -1));

  /** Finds verses near the first of the given verses, without the given ones. None if it has no vector. */
  const otherVerses = async (entry: IndexedTranslation, given: readonly number[], options: SimilarOptions) => {
    const { limit, need, work } = options;
    const [ordinal = 0] = given;
    const verses = await versesOf(entry);
    const row = sharedRows.rowOf(ordinal, entry.numbering);
    const vector = row === null ? verses.unshared?.vectorOf(ordinal) : shared.vectorOf(shared.ordinals[row] ?? 0);
    const left = new Set(given);
    if (!vector) return noSimilarVerses;
    const nearest = await nearestVerses(verses, { vector, limit: limit + left.size, bonus: null, need }, work);
    return work.run(() => without(nearest, left));
  };

  return { nearestVerses, otherVerses };
}

/** Returns the matches with these rows, in the same order. */
function onlyRows({ indices, cosines, bonuses }: ScanMatches, rows: ReadonlySet<number>): ScanMatches {
  const isWanted = (_: number, at: number): boolean => rows.has(indices[at] ?? -1);
  return { indices: indices.filter(isWanted), cosines: cosines.filter(isWanted), bonuses: bonuses.filter(isWanted) };
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
