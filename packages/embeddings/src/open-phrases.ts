import { statSync } from 'node:fs';
import { fileIdentity } from '@lectern/data-files';
import { type BonusListName, createBonusSum, createPhraseBonus, type PhraseMatch, requiredPhrases } from './bonus';
import { findNearestTopics, type TopicMatch } from './nearest-topics';
import type { RowValues } from './overlap';
import { type PhraseListName, phraseLists, readPhraseReferences } from './phrases';
import { createVectorScan, type ScanMatches } from './scan';

export interface OpenPhrasesOptions {
  /** The id of the embedder that queries come from. */
  embedder: string;
  /**
   * The names of topics whose phrases are left out. An evaluation leaves out the topics from which
   * its relevance grades of verses come.
   */
  without?: ReadonlySet<string>;
}

/**
 * Returns the row of a verse: its position among the verses that are ranked. Returns null if the
 * verse is not ranked. `ordinal` is in the standard numbering.
 */
export type RowOf = (ordinal: number) => number | null;

/**
 * Returns the sum of two bonuses for each verse: `lexical`, for verses that contain words of the
 * query, and a bonus for verses that are named by one of the phrases nearest to the query. `vector`
 * is the vector of the query.
 */
export type AddPhraseBonus = (vector: Float32Array, lexical: RowValues | null) => Promise<RowValues | null>;

const bonusLists: readonly BonusListName[] = ['topics', 'outlines'];

/** A bonus so low that a phrase with this bonus is never among the nearest phrases. */
const exclusion = -10;

/**
 * Returns the bonus that keeps these rows out of the nearest phrases. Null if there are no such
 * rows.
 */
function exclusionBonus(rows: readonly number[]): RowValues | null {
  return rows.length === 0
    ? null
    : { rows: Uint32Array.from(rows), values: new Float32Array(rows.length).fill(exclusion) };
}

/**
 * Opens a phrases file and a worker thread that compares queries with its phrases. A phrase is a
 * name or heading of a topic, or a title in a commentary's outline of a chapter. Throws a
 * ChecksummedFileError if the file is missing, damaged or of another embedder.
 */
export async function openPhrases(file: string, { embedder, without = new Set() }: OpenPhrasesOptions) {
  const identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
  const { rowsAt, dimensions, counts, sources, ...references } = await readPhraseReferences(file, { embedder });
  const { labels, labelOf } = references;
  const topicOf = (phrase: number): string => labels[labelOf[phrase] ?? 0] ?? '';
  const firsts = { topics: 0, otherNames: counts.topics, outlines: counts.topics + counts.otherNames };
  const isIncluded = (phrase: number): boolean => phrase >= firsts.outlines || !without.has(topicOf(phrase));
  const scan = await createVectorScan(
    { file, fileIdentity: identity, dimensions },
    phraseLists.map((list) => ({ rowsAt: rowsAt + firsts[list] * dimensions, count: counts[list] })),
  );

  const openList = (list: PhraseListName) => {
    const first = firsts[list];
    const excluded = Array.from({ length: counts[list] }, (_, index) => index).filter(
      (index) => !isIncluded(first + index),
    );
    const bonus = exclusionBonus(excluded);
    /**
     * Resolves with the phrases nearest to the query, best first: at least `limit`, if there are so
     * many.
     */
    return async (vector: Float32Array, limit: number): Promise<PhraseMatch[]> =>
      counts[list] === 0 ? [] : toMatches(await scan.find(phraseLists.indexOf(list), { vector, limit, bonus }), first);
  };
  const nearest = { topics: openList('topics'), otherNames: openList('otherNames'), outlines: openList('outlines') };

  return {
    /** The digest of each source of the phrases, by the id of the source. */
    sources,

    /**
     * Creates the function that adds a bonus to the verses that are named by one of the phrases
     * nearest to a query. `count` is the number of verses that are ranked.
     */
    createAddPhraseBonus(rowOf: RowOf, count: number): AddPhraseBonus {
      const addBonuses = createBonusSum(count);
      const bonusOfLists = bonusLists.map((list) => {
        const range = [firsts[list], firsts[list] + counts[list]] as const;
        return {
          add: createPhraseBonus(references, list, { rowOf, isIncluded, range }),
          find: (vector: Float32Array) => nearest[list](vector, requiredPhrases(list)),
        };
      });
      return async (vector, lexical) => {
        const matches = await Promise.all(bonusOfLists.map(({ find }) => find(vector)));
        const bonuses = new Map<number, number>();
        for (const [index, { add }] of bonusOfLists.entries()) add(matches[index] ?? [], bonuses);
        return addBonuses(lexical, bonuses);
      };
    },

    /**
     * Resolves with the topics nearest to the query, best first. Topics with equal similarity are
     * in alphabetical order.
     */
    nearestTopics: (vector: Float32Array, limit: number): Promise<TopicMatch[]> =>
      findNearestTopics(
        {
          nearestPhrases: (wanted) => nearest.topics(vector, wanted),
          count: counts.topics,
          nearestNames: (wanted) => nearest.otherNames(vector, wanted),
          topicOf,
        },
        limit,
      ),

    close: () => scan.close(),
  };
}

export type OpenPhrases = Awaited<ReturnType<typeof openPhrases>>;

const toMatches = ({ indices, cosines }: ScanMatches, first: number): PhraseMatch[] =>
  Array.from(indices, (index, at) => ({ phrase: first + index, cosine: cosines[at] ?? 0 })).sort(
    (a, b) => b.cosine - a.cosine || a.phrase - b.phrase,
  );
