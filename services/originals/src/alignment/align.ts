/** A part of an original word that has its own Strong's numbers: the word itself, a prefix or a suffix. */
export interface OriginalPart {
  /** The index of the word in its verse. */
  readonly word: number;
  /** The Strong's numbers of the part's lemma. */
  readonly numbers: ReadonlySet<string>;
  /** The number of the word's exact form, if forms of its lemma have own numbers (G2258 for ἦν). Null otherwise. */
  readonly formNumber: string | null;
  /** The grammatical case, number and gender, in which an article agrees with its noun. '' if there are none. */
  readonly agreement: string;
  /** The maximum distance, in Strong's numbers, of a split rendering (`was` ... `made`). 0 if it is never split. */
  readonly splitDistance: number;
}

/** One of the Strong's numbers with which a tag marks words of a translation. */
interface Unit {
  readonly tag: number;
  readonly number: string;
}

/** A possible match: a unit, and a part of an original word that has the unit's Strong's number. */
interface Pair {
  readonly unit: number;
  readonly part: number;
  readonly word: number;
  /** The distance, in words, between the part and its expected place beside the parts of matched neighbours. */
  distance: number;
}

/** Only neighbours within this distance, in units, help to predict the place of a unit in the original verse. */
const maxNeighbours = 6;
/** The base distance of a pair if no neighbour is matched yet. The pair's position in the verse is added to it. */
const unknownDistance = 8;
/** Reduces the distance if the word agrees with another of the tag, or if the number is that of its exact form. */
const agreementBonus = 2.5;
const formBonus = 4;
const greekArticle = 'G3588';

/**
 * Finds the original word (the index of a part) of each Strong's number in each tag. Null if the original lacks the
 * number, or has it less often than the translation. A number that occurs once in both is matched first. Each further
 * step matches the pair nearest to its matched neighbours, because a translation keeps the words of a phrase together.
 */
export function alignTags(tags: readonly (readonly string[])[], parts: readonly OriginalPart[]): (number | null)[][] {
  const units = tags.flatMap((numbers, tag) => numbers.map((number): Unit => ({ tag, number })));
  const placed = placeUnits(units, parts);
  placeSecondHalves(units, parts, placed);
  let next = 0;
  return tags.map((numbers) => numbers.map(() => placed[next++] ?? null));
}

/** Matches each unit with a different part. Articles come last, because an article belongs next to its noun. */
function placeUnits(units: readonly Unit[], parts: readonly OriginalPart[]): (number | null)[] {
  const placed = units.map((): number | null => null);
  const pairs = pairsOf(units, parts);
  const isArticle = ({ unit }: Pair): boolean => units[unit]?.number === greekArticle;
  placePairs(
    pairs.filter((pair) => !isArticle(pair)),
    units,
    parts,
    placed,
  );
  keepOrder(units, placed);
  placePairs(pairs.filter(isArticle), units, parts, placed);
  return placed;
}

function placePairs(
  pairs: readonly Pair[],
  units: readonly Unit[],
  parts: readonly OriginalPart[],
  placed: (number | null)[],
): void {
  let open = pairs;
  const approach = (pair: Pair, unit: number, part: number): void => {
    const unitsApart = pair.unit - unit;
    if (Math.abs(unitsApart) > maxNeighbours) return;
    const wordsApart = pair.word - (parts[part]?.word ?? 0);
    const agreement = parts[pair.part]?.agreement;
    const agrees = agreement !== '' && agreement === parts[part]?.agreement;
    const isSameTag = units[unit]?.tag === units[pair.unit]?.tag;
    const distance = isSameTag ? Math.abs(wordsApart) - 1 : Math.abs(wordsApart - unitsApart) + Math.abs(unitsApart);
    const bonus = agrees && (isSameTag || Math.abs(unitsApart) === 1) ? agreementBonus : 0;
    pair.distance = Math.min(pair.distance, distance - bonus);
  };
  const place = ({ unit, part }: Pair): void => {
    placed[unit] = part;
    open = open.filter((pair) => pair.unit !== unit && pair.part !== part);
    for (const pair of open) approach(pair, unit, part);
  };
  const score = ({ unit, part, distance }: Pair): number =>
    distance - (parts[part]?.formNumber === units[unit]?.number ? formBonus : 0);
  for (const [unit, part] of placed.entries()) if (part !== null) for (const pair of open) approach(pair, unit, part);
  const [ofUnit, ofPart] = [countBy(open, 'unit'), countBy(open, 'part')];
  for (const pair of open) if (ofUnit.get(pair.unit) === 1 && ofPart.get(pair.part) === 1) place(pair);
  while (open.length > 0) place(open.reduce((best, pair) => (score(pair) < score(best) ? pair : best)));
}

/** Orders the parts of units with the same number: a translation seldom swaps two occurrences of a word. */
function keepOrder(units: readonly Unit[], placed: (number | null)[]): void {
  for (const number of new Set(units.map((unit) => unit.number))) {
    const own = [...placed.keys()].filter((unit) => units[unit]?.number === number && placed[unit] !== null);
    const sorted = own.map((unit) => placed[unit] ?? 0).sort((a, b) => a - b);
    for (const [index, unit] of own.entries()) placed[unit] = sorted[index] ?? null;
  }
}

function pairsOf(units: readonly Unit[], parts: readonly OriginalPart[]): Pair[] {
  const ofNumber = new Map<string, number[]>();
  for (const [part, { numbers }] of parts.entries())
    for (const number of numbers) ofNumber.set(number, [...(ofNumber.get(number) ?? []), part]);
  const wordsPerUnit = ((parts.at(-1)?.word ?? 0) + 1) / units.length;
  return units.flatMap(({ number }, unit) =>
    (ofNumber.get(number) ?? []).map((part): Pair => {
      const word = parts[part]?.word ?? 0;
      return { unit, part, word, distance: unknownDistance + Math.abs(word - unit * wordsPerUnit) / 4 };
    }),
  );
}

function countBy(pairs: readonly Pair[], key: 'unit' | 'part'): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const pair of pairs) counts.set(pair[key], (counts.get(pair[key]) ?? 0) + 1);
  return counts;
}

/** Matches the second half of a split rendering, and an article in its tag, with the parts of the first half. */
function placeSecondHalves(units: readonly Unit[], parts: readonly OriginalPart[], placed: (number | null)[]): void {
  const firstHalves = new Map<number, number>();
  for (const [unit, { number }] of units.entries()) {
    if (placed[unit] !== null) continue;
    const halves = units.flatMap((other, half) => {
      const part = other.number === number && !firstHalves.has(half) ? placed[half] : null;
      const distance = Math.abs(half - unit);
      return typeof part === 'number' && distance <= (parts[part]?.splitDistance ?? 0)
        ? [{ half, distance, part }]
        : [];
    });
    const nearest = halves.sort((a, b) => a.distance - b.distance)[0];
    if (!nearest) continue;
    placed[unit] = nearest.part;
    firstHalves.set(unit, nearest.half);
  }
  for (const [second, first] of firstHalves) {
    for (const [unit, { tag, number }] of units.entries()) {
      if (placed[unit] !== null || tag !== units[second]?.tag) continue;
      const same = units.findIndex((other) => other.tag === units[first]?.tag && other.number === number);
      placed[unit] = placed[same] ?? null;
    }
  }
}
