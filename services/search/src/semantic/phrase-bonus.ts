/**
 * The lists in the order of the file: phrases and other names of topics, titles from outlines of chapters, and the
 * shipped questions. `otherNames` name no verses. `outlines` and `questions` have no topic.
 */
export const phraseLists = ['topics', 'otherNames', 'outlines', 'questions'] as const;
export type PhraseListName = (typeof phraseLists)[number];

export const mapLists = <Value>(valueOf: (list: PhraseListName) => Value): Record<PhraseListName, Value> => ({
  topics: valueOf('topics'),
  otherNames: valueOf('otherNames'),
  outlines: valueOf('outlines'),
  questions: valueOf('questions'),
});

export interface PhraseReferences {
  /** The index of each phrase's first entry in `verses` and `weights`. The last item is their length. */
  starts: Uint32Array;
  /** The verses of all phrases, as numbers such as 43003016 for John 3:16 of the King James Version. */
  verses: Int32Array;
  /** How well the phrase describes the verse, from 0 to 1. */
  weights: Float32Array;
  labels: readonly string[];
  /** The index of each phrase's topic in `labels`. Only for phrases in `topics` and `otherNames`. */
  labelOf: Uint32Array;
}

/** How a list of phrases gives a bonus, which is added to the scores of the verses that a phrase names. */
interface Recipe {
  /** The number of phrases nearest to the query that give a bonus. */
  nearest: number;
  factor: number;
  /** The maximum number of verses of a reference that gives a bonus. */
  maxVerses: number;
}

export type BonusListName = Exclude<PhraseListName, 'otherNames'>;

const recipes: Readonly<Record<BonusListName, Recipe>> = {
  topics: { nearest: 100, factor: 0.4, maxVerses: 15 },
  outlines: { nearest: 50, factor: 0.4, maxVerses: 30 },
  questions: { nearest: 60, factor: 0.4, maxVerses: 30 },
};

const damping = 0.25;

/** Returns the weight of a reference, from 0 to 1. References to fewer verses weigh more. */
export function weightOfReference(list: BonusListName, verses: number): number {
  if (verses > recipes[list].maxVerses) return 0;
  if (verses <= 3) return 1;
  return verses <= 15 ? 0.4 : 0.25;
}

/** The number of phrases to find: those that give a bonus, and one more, whose cosine is subtracted. */
export const requiredPhrases = (list: BonusListName): number => recipes[list].nearest + 1;

export interface PhraseMatch {
  /** The index of the phrase in the phrases file. */
  phrase: number;
  cosine: number;
}

/** The list whose phrases give a bonus, and the rows of their verses. */
interface PhraseScope {
  /** Returns the row of a verse in the ranking, or null. `ordinal` is a number such as 43003016 (John 3:16). */
  rowOf: (ordinal: number) => number | null;
  /** The sum of the weights that phrases give to each verse. If a verse is absent, its bonus is not divided. */
  weightSums: ReadonlyMap<number, number>;
  /** The index of the list's first phrase, and the index after its last phrase. */
  range: readonly [number, number];
}

/**
 * Creates the function that turns the phrases nearest to a query into a bonus for their verses. Each of these phrases
 * adds factor x weight x (its cosine - the cosine of the nearest phrase that gives no bonus) to each of its verses.
 * This value is divided by the fourth root of the phrase's number of verses. For topics, it is also divided by the
 * fourth root of the sum of the weights that all phrases give to the verse.
 */
export function createPhraseBonus(
  { starts, verses, weights }: PhraseReferences,
  list: BonusListName,
  { rowOf, weightSums, range: [first, end] }: PhraseScope,
) {
  const { nearest, factor } = recipes[list];
  const [from, to] = [starts[first] ?? 0, starts[end] ?? 0];
  const rows = Int32Array.from(verses.subarray(from, to), (ordinal) => rowOf(ordinal) ?? -1);
  const parts = new Float32Array(to - from);
  const entriesOf = (phrase: number): readonly [number, number] => [starts[phrase] ?? 0, starts[phrase + 1] ?? 0];
  for (let phrase = first; phrase < end; phrase += 1) {
    const [start, next] = entriesOf(phrase);
    for (let at = start; at < next; at += 1)
      parts[at - from] =
        (factor * (weights[at] ?? 0)) / (next - start) ** damping / (weightSums.get(verses[at] ?? 0) ?? 1) ** damping;
  }

  /** Adds the bonus of each verse to `bonuses`, by row. `matches` has the nearest phrases, best first. */
  return (matches: readonly PhraseMatch[], bonuses: Map<number, number>): void => {
    const threshold = matches[nearest]?.cosine ?? matches.at(-1)?.cosine ?? 0;
    for (const { phrase, cosine } of matches.slice(0, nearest)) {
      for (let [at, next] = entriesOf(phrase); at < next; at += 1) {
        const row = rows[at - from] ?? -1;
        const part = (parts[at - from] ?? 0) * (cosine - threshold);
        if (row >= 0 && part > 0) bonuses.set(row, (bonuses.get(row) ?? 0) + part);
      }
    }
  };
}
