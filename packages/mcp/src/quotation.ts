import { diffArrays } from 'diff';

/** Words of the Bible, and the words that the quotation has in their place. Either may be ''. */
interface Difference {
  readonly bible: string;
  readonly quotation: string;
}

/** The place in consecutive verses that is most similar to a quotation, and how that differs. */
export interface WordMatch {
  /** The share of the words that are the same, from 0 to 1. */
  readonly similarity: number;
  readonly commonWords: number;
  readonly differences: readonly Difference[];
  /** The indices of the first and the last verse that the quotation has words of. */
  readonly first: number;
  readonly last: number;
  /** The words of the first verse before the quotation, and those of the last verse after it. */
  readonly before: string;
  readonly after: string;
}

interface Word {
  readonly text: string;
  /** The form by which words are compared. */
  readonly folded: string;
  /** The index of the verse that has the word. 0 in a quotation. */
  readonly verse: number;
}

/** The character with which a quotation marks left-out words. */
const omission = '…';

/** Verses with a smaller share of the quotation's words are not compared word by word. */
const minSharedWords = 0.4;

/** The places compared word by word: those that share the most words with the quotation. */
const maxPlaces = 5;

/**
 * Finds the place in consecutive verses that is most similar to the quotation. Case and punctuation
 * do not matter. Returns null if the verses have few words of the quotation.
 */
export function findWords(verses: readonly string[], quotation: string): WordMatch | null {
  const bible = verses.flatMap(wordsOf);
  const quoted = wordsOf(quotation, 0);
  if (sharedWords(bible, quoted) < minSharedWords) return null;
  const hasOmission = quoted.some(({ text }) => text === omission);
  const longest = hasOmission ? bible.length : Math.ceil(quoted.length * 1.3) + 3;
  // Unless the quotation marks an omission, each window of the verses is compared in two lengths.
  // The long window fits a quotation that leaves out words. The short window fits a quotation that
  // adds words: in the long window, a later word of the verses could equal an added word.
  const lengths = hasOmission ? [longest] : [quoted.length, longest];
  // The first words of a quotation may be wrong, so a window begins at each place of any of the
  // first four words.
  const beginnings = new Set(quoted.slice(0, 4).map(({ folded }) => folded));
  const places = [...bible.keys()]
    .filter((start) => beginnings.has(bible[start]?.folded ?? ''))
    .map((start) => ({ start, shared: sharedWords(bible.slice(start, start + longest), quoted) }))
    .filter(({ shared }) => shared >= minSharedWords)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, maxPlaces);
  let best: Alignment | null = null;
  for (const { start } of places)
    for (const length of lengths) {
      const alignment = align(bible.slice(start, start + length), quoted, start);
      if (alignment && (!best || alignment.similarity > best.similarity)) best = alignment;
    }
  return best && describe(best, bible);
}

/** Finds words also in scripts that have no spaces between words. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text. Dots that mark an omission are one word. */
const wordsOf = (text: string, verse: number): Word[] =>
  [...segmenter.segment(text.replaceAll(/\.{3,}/g, omission))]
    .filter(({ isWordLike, segment }) => isWordLike || segment === omission)
    .map(({ segment }) => ({
      text: segment,
      folded: segment.normalize('NFC').toLowerCase().replaceAll('’', "'"),
      verse,
    }));

/** Returns the share of the quotation's distinct words that the verses contain, from 0 to 1. */
function sharedWords(bible: readonly Word[], quoted: readonly Word[]): number {
  const known = new Set(bible.map(({ folded }) => folded));
  const words = new Set(quoted.map(({ folded }) => folded));
  words.delete(omission);
  return words.size === 0 ? 0 : [...words].filter((word) => known.has(word)).length / words.size;
}

type Alignment = NonNullable<ReturnType<typeof align>>;

/**
 * Compares the words of a window with the quotation. `start` is the index of its first word among
 * all words. Words of the window before and after the quotation are ignored. Returns null if no
 * word is common.
 */
function align(bible: readonly Word[], quoted: readonly Word[], start: number) {
  const changes = diffArrays(
    bible.map(({ folded }) => folded),
    quoted.map(({ folded }) => folded),
  );
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
    /** The indices of the first and the last common word among all words. */
    from,
    to,
    /** How many words of the quotation are before the first common word, and after the last one. */
    leading,
    trailing,
  };
}

/** Collects differences. Missing words and added words at one place form one difference. */
function createDifferences() {
  const list: Difference[] = [];
  let [missing, added, isOmission]: [readonly Word[], readonly Word[], boolean] = [[], [], false];
  let count = 0;
  return {
    list,
    /** The number of words that differ. */
    count: () => count,
    missing: (words: readonly Word[]) => void (missing = words),
    /** `marksOmission` is true if the quotation marks here that it leaves out words. */
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
  // If the quotation begins with wrong words, the same number of words of the verse counts as what
  // the verse has in their place, so these words move from `before` to the first difference. The
  // same applies to wrong words at the end, and to `after`.
  if (leading > 0) differences[0] = { ...differences[0], bible: joinWords(before.splice(-leading)) } as Difference;
  if (trailing > 0)
    differences.push({ ...differences.pop(), bible: joinWords(after.splice(0, trailing)) } as Difference);
  return { similarity, commonWords, differences, first, last, before: joinWords(before), after: joinWords(after) };
}

const joinWords = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');
