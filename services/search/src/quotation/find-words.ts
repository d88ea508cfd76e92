import { type ComparedWord, comparedWords, diffWords } from '@lectern/words';

/** Words of the Bible, and the different words of the quotation in the same place. Either text may be ''. */
export interface Difference {
  readonly bible: string;
  readonly quotation: string;
}

/** The place in consecutive verses that is most similar to a quotation, and the differences. */
export interface WordMatch {
  /** The share of the words that are the same, from 0 to 1. */
  readonly similarity: number;
  readonly commonWords: number;
  readonly differences: readonly Difference[];
  /** The index of the first verse and the index of the last verse that have words of the quotation. */
  readonly first: number;
  readonly last: number;
  /** The words of the first verse before the quotation. `after` has those of the last verse after it. */
  readonly before: string;
  readonly after: string;
}

interface Word extends ComparedWord {
  /** The index of the verse that has the word. Always 0 for words of a quotation. */
  readonly verse: number;
}

/** The character with which a quotation marks left-out words. */
const omission = '…';

/** The minimum share of the quotation's words that verses must contain to be compared word by word. */
const minSharedWords = 0.4;

/** The maximum number of places that are compared word by word: those with the most words of the quotation. */
const maxPlaces = 5;

/** The maximum share and number of added and removed words. Time grows with the square of the number (200: 5 ms). */
const maxEdits = { share: 0.55, words: 200 };

/** Finds the most similar place, ignoring case and punctuation. Null if few words match. Yields after each window. */
export function* findWords(verses: readonly string[], quotation: string): Generator<void, WordMatch | null> {
  const bible: Word[] = [];
  for (const [index, verse] of verses.entries()) {
    bible.push(...wordsOf(verse, index));
    yield;
  }
  const quoted = wordsOf(quotation, 0);
  if (sharedWords(bible, quoted) < minSharedWords) return null;
  const hasOmission = quoted.some(({ text }) => text === omission);
  const longest = hasOmission ? bible.length : Math.ceil(quoted.length * 1.3) + 3;
  // Without a mark of omission, there are two windows. The long one fits a quotation that leaves out words. The short
  // one fits a quotation that adds words, which might match later words in the long one.
  const lengths = hasOmission ? [longest] : [quoted.length, longest];
  // The first words of a quotation may be wrong. So windows begin at each place of each of the first four words.
  const beginnings = new Set(quoted.slice(0, 4).map(({ folded }) => folded));
  const found: { start: number; shared: number }[] = [];
  for (const [start, { folded }] of bible.entries()) {
    if (!beginnings.has(folded)) continue;
    const shared = sharedWords(bible.slice(start, start + longest), quoted);
    if (shared >= minSharedWords) found.push({ start, shared });
    yield;
  }
  const places = found.sort((a, b) => b.shared - a.shared).slice(0, maxPlaces);
  let best: Alignment | null = null;
  for (const { start } of places)
    for (const length of lengths) {
      const alignment = align(bible.slice(start, start + length), quoted, { start, isShortened: hasOmission });
      if (alignment && (!best || alignment.similarity > best.similarity)) best = alignment;
      yield;
    }
  return best && describe(best, bible);
}

/** Returns the words of a text. Dots that mark left-out words count as one word. */
const wordsOf = (text: string, verse: number): Word[] =>
  comparedWords(text.replaceAll(/\.{3,}/g, omission), omission).map((word) => ({ ...word, verse }));

/** Returns the share of the quotation's words that the verses contain as often, from 0 to 1. */
function sharedWords(bible: readonly Word[], quoted: readonly Word[]): number {
  const left = new Map<string, number>();
  for (const { folded } of bible) left.set(folded, (left.get(folded) ?? 0) + 1);
  const words = quoted.filter(({ text }) => text !== omission);
  let shared = 0;
  for (const { folded } of words) {
    const count = left.get(folded) ?? 0;
    if (count > 0) shared += 1;
    left.set(folded, count - 1);
  }
  return words.length === 0 ? 0 : shared / words.length;
}

type Alignment = NonNullable<ReturnType<typeof align>>;

/**
 * Compares a window of the verses, from the word `start` on, with the quotation. Ignores the words around it. A
 * shortened quotation may leave out any number of words. Returns null if the texts are not similar.
 */
function align(
  bible: readonly Word[],
  quoted: readonly Word[],
  { start, isShortened }: { start: number; isShortened: boolean },
) {
  const wordCount = bible.length + quoted.length;
  const maxDifferent = isShortened ? wordCount : Math.min(maxEdits.words, Math.ceil(maxEdits.share * wordCount));
  const changes = diffWords(bible, quoted, maxDifferent);
  if (!changes) return null;
  const isCommon = ({ added, removed }: { added: boolean; removed: boolean }) => !added && !removed;
  const last = changes.findLastIndex(isCommon);
  const inside = changes.slice(0, last + 1).findIndex(isCommon);
  if (inside < 0) return null;
  const differences = createDifferences();
  let [bibleIndex, quotedIndex, commonWords, from, to, leading, trailing] = [0, 0, 0, -1, 0, 0, 0];
  for (const [index, change] of changes.entries()) {
    if (change.removed) {
      if (index > inside && index < last) differences.missing(bible.slice(bibleIndex, bibleIndex + change.count));
    } else if (change.added) {
      const words = quoted.slice(quotedIndex, quotedIndex + change.count).filter(({ text }) => text !== omission);
      differences.added(words, words.length < change.count);
      if (index < inside) leading = words.length;
      if (index > last) trailing = words.length;
    } else {
      differences.end();
      commonWords += change.count;
      if (from < 0) from = start + bibleIndex;
      to = start + bibleIndex + change.count - 1;
    }
    if (!change.added) bibleIndex += change.count;
    if (!change.removed) quotedIndex += change.count;
  }
  differences.end();
  return {
    similarity: commonWords / (commonWords + differences.count()),
    commonWords,
    differences: differences.list,
    /** The index of the first common word and the index of the last common word, among all words. */
    from,
    to,
    /** The number of the quotation's words before the first common word. `trailing` counts those after the last. */
    leading,
    trailing,
  };
}

/** Creates the collector of differences. Missing and added words in the same place form one difference. */
function createDifferences() {
  const list: Difference[] = [];
  let [missing, added, isOmission]: [readonly Word[], readonly Word[], boolean] = [[], [], false];
  let count = 0;
  return {
    list,
    /** The number of words that differ. */
    count: () => count,
    missing: (words: readonly Word[]) => void (missing = words),
    /** Records added words. `marksOmission` is true if the quotation marks an omission here. */
    added: (words: readonly Word[], marksOmission: boolean) => void ([added, isOmission] = [words, marksOmission]),
    end() {
      const left = isOmission ? [] : missing;
      if (added.length > 0 || left.length > 0) list.push({ bible: joinWords(left), quotation: joinWords(added) });
      count += Math.max(added.length, left.length);
      [missing, added, isOmission] = [[], [], false];
    },
  };
}

function describe(alignment: Alignment, bible: readonly Word[]): WordMatch {
  const { similarity, commonWords, from, to, leading, trailing } = alignment;
  const first = bible[from]?.verse ?? 0;
  const last = bible[to]?.verse ?? 0;
  const before = bible.slice(0, from).filter(({ verse }) => verse === first);
  const after = bible.slice(to + 1).filter(({ verse }) => verse === last);
  const differences = [...alignment.differences];
  // The first n wrong words of the quotation are assumed to replace the last n of `before`, which move to the first
  // difference. The last n wrong words replace the first n of `after`, which move to the last difference.
  if (leading > 0) differences[0] = { ...differences[0], bible: joinWords(before.splice(-leading)) } as Difference;
  if (trailing > 0)
    differences.push({ ...differences.pop(), bible: joinWords(after.splice(0, trailing)) } as Difference);
  return { similarity, commonWords, differences, first, last, before: joinWords(before), after: joinWords(after) };
}

const joinWords = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');
