import type { RowValues } from './overlap';

/**
 * The lists of phrases, in the order of the file. `topics` has phrases of topics, `otherNames` has
 * other names of topics, and `outlines` has titles in outlines of chapters. Phrases of `otherNames`
 * have no verses, and phrases of `outlines` have no topic.
 */
export const phraseLists = ['topics', 'otherNames', 'outlines'] as const;
export type PhraseListName = (typeof phraseLists)[number];

/** The verses that each phrase names, and the topic of each phrase. */
export interface PhraseReferences {
  /**
   * For each phrase, the index of its first entry in `verses` and `weights`. The last item is the
   * length of both lists.
   */
  starts: Uint32Array;
  /** Ordinals in the standard numbering. */
  verses: Int32Array;
  /** How well a phrase describes the verse, 0 to 1. */
  weights: Float32Array;
  /** The names of topics. */
  labels: readonly string[];
  /** The index of each phrase's topic in `labels`, for the phrases and other names of topics. */
  labelOf: Uint32Array;
}

/**
 * How the phrases of one list that are nearest to a query give a bonus to the verses that they
 * name.
 */
interface Recipe {
  /** How many of the nearest phrases give a bonus. */
  nearest: number;
  factor: number;
  /** Whether a phrase gives a smaller bonus to a verse if many phrases name this verse. */
  isDividedByVerse: boolean;
  /**
   * The weight of a reference by its number of verses. References with more verses than the last
   * `maxVerses` do not count.
   */
  weights: readonly (readonly [maxVerses: number, weight: number])[];
}

/** The lists of phrases that name verses. */
export type BonusListName = Exclude<PhraseListName, 'otherNames'>;

const recipes: Readonly<Record<BonusListName, Recipe>> = {
  topics: {
    nearest: 100,
    factor: 0.3,
    isDividedByVerse: true,
    weights: [
      [3, 1],
      [15, 0.4],
    ],
  },
  outlines: {
    nearest: 50,
    factor: 0.4,
    isDividedByVerse: false,
    weights: [
      [3, 1],
      [15, 0.4],
      [30, 0.25],
    ],
  },
};

/**
 * A bonus is divided by this power of the number of verses of its phrase. If `isDividedByVerse`, it
 * is also divided by this power of the sum of the weights that all phrases give to its verse.
 */
const damping = 0.25;

/** Returns the weight of a reference with this many verses, 0 to 1. */
export const weightOfReference = (list: BonusListName, verses: number): number =>
  recipes[list].weights.find(([maxVerses]) => verses <= maxVerses)?.[1] ?? 0;

/**
 * Returns how many nearest phrases the function of `createPhraseBonus` needs: those that give a
 * bonus, and the next one, whose cosine is the threshold.
 */
export const requiredPhrases = (list: BonusListName): number => recipes[list].nearest + 1;

/** A phrase with its similarity to a query. */
export interface PhraseMatch {
  /** The index of the phrase in the phrases file. */
  phrase: number;
  cosine: number;
}

/**
 * Creates the function that turns the phrases nearest to a query into a bonus for verses. Each of
 * the nearest phrases adds factor x weight x (cosine - cosine of the nearest phrase that does not
 * count) to each of its verses. This value is divided by the fourth root of the number of verses of
 * the phrase. For topics, it is also divided by the fourth root of the sum of the weights that all
 * phrases give to the verse.
 * @param rowOf returns the row of a verse: its position among the verses that are ranked. The verse
 * is given as an
 * ordinal in the standard numbering
 * @param isIncluded returns whether a phrase counts
 */
export function createPhraseBonus(
  { starts, verses, weights }: PhraseReferences,
  list: BonusListName,
  {
    rowOf,
    isIncluded,
    range: [first, end],
  }: {
    rowOf: (ordinal: number) => number | null;
    isIncluded: (phrase: number) => boolean;
    /** The index of the list's first phrase, and the index after its last phrase. */
    range: readonly [number, number];
  },
) {
  const { nearest, factor, isDividedByVerse } = recipes[list];
  const [from, to] = [starts[first] ?? 0, starts[end] ?? 0];
  const rows = Int32Array.from(verses.subarray(from, to), (ordinal) => rowOf(ordinal) ?? -1);
  const parts = new Float32Array(to - from);
  const totals = isDividedByVerse ? sumByVerse() : null;
  for (let phrase = first; phrase < end; phrase += 1) {
    const [start = 0, next = 0] = [starts[phrase], starts[phrase + 1]];
    const divisor = (next - start) ** damping;
    for (let at = start; at < next; at += 1)
      parts[at - from] =
        (factor * (weights[at] ?? 0)) / divisor / (totals ? (totals.get(verses[at] ?? 0) ?? 1) ** damping : 1);
  }

  /** Sums the weights of each verse over all included phrases of the list. */
  function sumByVerse(): Map<number, number> {
    const sums = new Map<number, number>();
    for (let phrase = first; phrase < end; phrase += 1) {
      if (!isIncluded(phrase)) continue;
      for (let at = starts[phrase] ?? 0; at < (starts[phrase + 1] ?? 0); at += 1)
        sums.set(verses[at] ?? 0, (sums.get(verses[at] ?? 0) ?? 0) + (weights[at] ?? 0));
    }
    return sums;
  }

  /**
   * Adds the bonus of each verse that the phrases name to `bonuses`, by the verse's row. `matches`
   * has the nearest phrases, best first.
   */
  return (matches: readonly PhraseMatch[], bonuses: Map<number, number>): void => {
    const threshold = matches[nearest]?.cosine ?? matches.at(-1)?.cosine ?? 0;
    for (const { phrase, cosine } of matches.slice(0, nearest)) {
      for (let at = starts[phrase] ?? 0; at < (starts[phrase + 1] ?? 0); at += 1) {
        const row = rows[at - from] ?? -1;
        const part = (parts[at - from] ?? 0) * (cosine - threshold);
        if (row >= 0 && part > 0) bonuses.set(row, (bonuses.get(row) ?? 0) + part);
      }
    }
  };
}

/**
 * Creates the function that adds the bonuses of phrases to the bonuses of words.
 * @param count the number of verses that are ranked
 */
export function createBonusSum(count: number) {
  // Every query reuses this array and resets it to zero afterwards.
  const rest = new Float32Array(count);
  return (lexical: RowValues | null, bonuses: ReadonlyMap<number, number>): RowValues => {
    const { rows, values } = lexical ?? { rows: new Uint32Array(), values: new Float32Array() };
    const sums = {
      rows: new Uint32Array(rows.length + bonuses.size),
      values: new Float32Array(rows.length + bonuses.size),
    };
    sums.rows.set(rows);
    for (const [row, bonus] of bonuses) rest[row] = bonus;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] ?? 0;
      sums.values[at] = (values[at] ?? 0) + (rest[row] ?? 0);
      rest[row] = 0;
    }
    let length = rows.length;
    for (const [row, bonus] of bonuses) {
      if (rest[row] === 0) continue;
      rest[row] = 0;
      sums.rows[length] = row;
      sums.values[length] = bonus;
      length += 1;
    }
    return { rows: sums.rows.subarray(0, length), values: sums.values.subarray(0, length) };
  };
}
