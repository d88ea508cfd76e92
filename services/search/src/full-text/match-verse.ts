import { type CompiledQuery, phraseEndsAt, type TermRole } from './compile-query';
import type { Operators } from './query';
import { type TermStream, tiers } from './term-dictionary';

/** The maximum distance, in words, at which units that are adjacent in the query add relevance to a verse. */
const maxDistance = 10;

/** How much another form of the query's word counts in a quotation, because it may be another word. */
const stemShare = 0.8;

/** `match` reads verses, and the other functions are about the verse that it read last. */
export function createVerseMatcher({ words, starts }: TermStream, query: CompiledQuery) {
  const { roleIndexes, roles, precedingUnits, pairs, bridges } = query;
  const adjacentCount = pairs.length - bridges.length;
  const verseCount = starts.length - 1;
  const averageLength = words.length / Math.max(verseCount, 1);
  const unitCount = query.units.length;
  const rarity = query.units.map(({ estimate }) => rarityOf(estimate, verseCount));
  const pairWeights = pairs.map(([left, right]) => (rarity[left] ?? 0) + (rarity[right] ?? 0));
  const totalRarity = rarity.reduce((sum, each) => sum + each, 0);
  const totalPairWeight = pairWeights.slice(0, adjacentCount).reduce((sum, each) => sum + each, 0);

  // The arrays are not cleared. What they hold for a unit, and for pairs that end with it, is valid only if `seenIn`
  // has the current verse for the unit.
  let [current, currentVerse] = [0, -1];
  const seenIn = new Int32Array(unitCount);
  const bestTier = new Uint8Array(unitCount);
  const weight = new Uint32Array(unitCount);
  const lastPosition = new Int32Array(unitCount);
  const minDistance = new Int32Array(pairs.length);

  /** Adds a word of the verse to the units that it matches. Returns how many units it is the first to match. */
  const addWord = (begin: number, at: number, wordRoles: readonly TermRole[]): number => {
    let newUnits = 0;
    for (const { unit, tier, phrase } of wordRoles) {
      if (phrase !== null && !phraseEndsAt(words, { begin, end: at }, phrase)) continue;
      const preceding = precedingUnits[unit] ?? [];
      const first = phrase === null ? at : at - phrase.length + 1;
      const isNew = seenIn[unit] !== current;
      for (let index = 0; index < preceding.length; index += 1) {
        const { unit: left = 0, pair = 0 } = preceding[index] ?? {};
        const distance = seenIn[left] === current ? first - (lastPosition[left] ?? first) : 0;
        const nearest = isNew ? 0 : (minDistance[pair] ?? 0);
        minDistance[pair] = distance > 0 && (nearest === 0 || distance < nearest) ? distance : nearest;
      }
      lastPosition[unit] = at;
      if (isNew) {
        newUnits += 1;
        seenIn[unit] = current;
        bestTier[unit] = tier;
        weight[unit] = tier;
      } else {
        if (tier > (bestTier[unit] ?? 0)) bestTier[unit] = tier;
        weight[unit] = (weight[unit] ?? 0) + tier;
      }
    }
    return newUnits;
  };

  /** Returns 0 if the second unit does not follow the first within `maxDistance` words of the verse. */
  const weightOfPair = (pair: number): number => {
    const distance = seenIn[pairs[pair]?.[1] ?? 0] === current ? (minDistance[pair] ?? 0) : 0;
    return distance > 0 && distance <= maxDistance ? (pairWeights[pair] ?? 0) / distance : 0;
  };

  /** Weighs the pairs that are adjacent in the query and close together in the verse. */
  const sequenceWeight = (): number => {
    let sum = 0;
    for (let pair = 0; pair < adjacentCount; pair += 1) sum += weightOfPair(pair);
    return sum;
  };

  /** Weighs the pairs that are close together in a verse that lacks the optional units between them. */
  const bridgedWeight = (): number => {
    let sum = 0;
    for (const { pair, between } of bridges)
      if (between.every((unit) => seenIn[unit] !== current)) sum += weightOfPair(pair);
    return sum;
  };

  return {
    verseCount,

    rarity,

    /** Reads `count` verses from the index `verse`. Returns how many units of the query they contain. */
    match(verse: number, count = 1): number {
      const begin = starts[verse] ?? 0;
      const end = starts[Math.min(verse + count, verseCount)] ?? begin;
      current += 1;
      currentVerse = verse;
      let matchedUnits = 0;
      for (let at = begin; at < end; at += 1) {
        const roleIndex = roleIndexes[words[at] ?? 0] ?? 0;
        if (roleIndex !== 0) matchedUnits += addWord(begin, at, roles[roleIndex] ?? []);
      }
      return matchedUnits;
    },

    holds: (unit: number): boolean => seenIn[unit] === current,

    /** Returns the tier of the unit that matches worst. The word that matches a unit best decides its tier. */
    lowestTier(): number {
      let lowest = 3;
      for (let unit = 0; unit < unitCount; unit += 1)
        if (seenIn[unit] === current) lowest = Math.min(lowest, bestTier[unit] ?? 0);
      return lowest;
    },

    /** Returns BM25, and more for words close together in the query's order, for half-remembered verses. */
    relevance(): number {
      const length = (starts[currentVerse + 1] ?? 0) - (starts[currentVerse] ?? 0);
      const damping = 1.2 * (0.25 + (0.75 * length) / averageLength);
      let relevance = 0;
      for (let unit = 0; unit < unitCount; unit += 1) {
        if (seenIn[unit] !== current) continue;
        const frequency = (weight[unit] ?? 0) / 3;
        relevance += ((rarity[unit] ?? 0) * frequency * 2.2) / (frequency + damping);
      }
      return relevance + sequenceWeight();
    },

    /** Returns 0 to 1: the share of the units times that of adjacent units close together. Rare units weigh more. */
    quotedShare(): number {
      let held = 0;
      for (let unit = 0; unit < unitCount; unit += 1)
        if (seenIn[unit] === current) held += (rarity[unit] ?? 0) * (bestTier[unit] === tiers.stem ? stemShare : 1);
      if (totalRarity === 0) return 0;
      const heldShare = held / totalRarity;
      return totalPairWeight === 0 ? heldShare : (heldShare * (sequenceWeight() + bridgedWeight())) / totalPairWeight;
    },
  };
}

/** Creates the function that tests whether a verse has each pair of units near each other, in either order. */
export function createNearTest(
  { words, starts }: TermStream,
  { roleIndexes, roles }: CompiledQuery,
  near: Operators['near'],
): (verse: number) => boolean {
  /** Returns the first and the last word of each occurrence of a unit. */
  const spansOf = (verse: number, wanted: number): [first: number, last: number][] => {
    const [begin, limit] = [starts[verse] ?? 0, starts[verse + 1] ?? 0];
    return Array.from(words.subarray(begin, limit), (word, at) =>
      (roles[roleIndexes[word] ?? 0] ?? [])
        .filter(
          ({ unit, phrase }) => unit === wanted && (!phrase || phraseEndsAt(words, { begin, end: begin + at }, phrase)),
        )
        .map(({ phrase }): [number, number] => [at + 1 - (phrase?.length ?? 1), at]),
    ).flat();
  };
  const isWithin = (apart: number, distance: number): boolean => apart > 0 && apart <= distance;
  return (verse) =>
    near.every(({ left, right, distance }) => {
      const others = spansOf(verse, right);
      return spansOf(verse, left).some(([first, last]) =>
        others.some((other) => isWithin(Math.max(other[0] - last, first - other[1]), distance)),
      );
    });
}

/** Returns 1 if all verses have a word, 1 more for each halving. An integer, so that machines score alike. */
export const rarityOf = (estimate: number, verseCount: number): number =>
  Math.max(1, 32 - Math.clz32(Math.floor(verseCount / Math.max(estimate, 1))));
