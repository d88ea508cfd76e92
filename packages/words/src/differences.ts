import { diffArrays } from 'diff';

export interface ComparedWord {
  readonly text: string;
  /** The form in which words are compared: without case. */
  readonly folded: string;
  /** The offset of the word in its text, in UTF-16 units. */
  readonly start: number;
}

/** Finds words also in scripts that have no spaces between words. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Matches the soft hyphen, the zero width space and the word joiner, which people do not type. */
const invisible = /[\u00ad\u200b\u2060]/g;

/** Returns the words of a text to compare. `sign` counts as a word too. */
export function comparedWords(text: string, sign = ''): ComparedWord[] {
  const visible = text.replaceAll(invisible, '');
  const hidden = Array.from(visible.length < text.length ? text.matchAll(invisible) : [], ({ index }) => index);
  let skipped = 0;
  return [...segmenter.segment(visible)]
    .filter(({ isWordLike, segment }) => isWordLike || segment === sign)
    .map(({ segment, index }) => {
      while ((hidden[skipped] ?? Infinity) <= index + skipped) skipped += 1;
      const folded = segment.normalize('NFC').toLowerCase().replaceAll('’', "'");
      return { text: segment, folded, start: index + skipped };
    });
}

/** Returns the runs of words in both lists, or in one only, in order. Null if more than `maxEdits` words differ. */
export const diffWords = (
  from: readonly Pick<ComparedWord, 'folded'>[],
  to: readonly Pick<ComparedWord, 'folded'>[],
  maxEdits: number,
): { count: number; added: boolean; removed: boolean }[] | null =>
  diffArrays(
    from.map(({ folded }) => folded),
    to.map(({ folded }) => folded),
    { maxEditLength: maxEdits },
  ) ?? null;

export interface TextDifference {
  readonly kind: 'SAME' | 'REMOVED' | 'ADDED';
  readonly text: string;
}

/** The time of a comparison grows with the square of this number, to a few milliseconds. */
const maxDifferentWords = 500;

/**
 * Returns the differences of two texts by words, without regard to case and punctuation. The texts of SAME and REMOVED
 * together are `from`, those of ADDED are parts of `to`. Texts with too many different words differ as a whole.
 */
export function textDifferences(from: string, to: string): TextDifference[] {
  const [fromWords, toWords] = [comparedWords(from), comparedWords(to)];
  const changes = diffWords(fromWords, toWords, maxDifferentWords) ?? [
    { count: fromWords.length, added: false, removed: true },
    { count: toWords.length, added: true, removed: false },
  ];
  let [fromIndex, toIndex] = [0, 0];
  return changes.map(({ count, added, removed }): TextDifference => {
    const [words, text, index] = added ? [toWords, to, toIndex] : [fromWords, from, fromIndex];
    if (!added) fromIndex += count;
    if (!removed) toIndex += count;
    // A word has the signs that follow it. The first has those before it too.
    const part = text.slice(index === 0 ? 0 : words[index]?.start, words[index + count]?.start);
    return { kind: added ? 'ADDED' : removed ? 'REMOVED' : 'SAME', text: part };
  });
}
