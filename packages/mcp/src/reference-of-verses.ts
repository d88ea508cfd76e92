export interface NumberedVerse {
  readonly bookId: string;
  readonly chapter: number;
  readonly verse: number;
  /** The reference in the translation's language, such as `Juan 3:16`. */
  readonly reference: string;
}

/** The service rejects longer references. */
const maxReferenceLength = 200;

/**
 * Returns a reference to the verses, such as `Psalms 119:61-176`, which the service can parse. The
 * verses are in the order of the text. A reference that would be too long names only the first
 * ranges of verses.
 */
export function referenceOfVerses(verses: readonly NumberedVerse[]): string {
  let reference = '';
  for (const range of rangesOf(verses)) {
    const longer = reference === '' ? range : `${reference}; ${range}`;
    if (longer.length > maxReferenceLength) break;
    reference = longer;
  }
  return reference;
}

function rangesOf(verses: readonly NumberedVerse[]): string[] {
  const ranges: { first: NumberedVerse; last: NumberedVerse }[] = [];
  for (const verse of verses) {
    const range = ranges.at(-1);
    if (range && follows(range.last, verse)) range.last = verse;
    else ranges.push({ first: verse, last: verse });
  }
  return ranges.map(({ first, last }) => (first === last ? first.reference : `${first.reference}-${last.verse}`));
}

const follows = (last: NumberedVerse, verse: NumberedVerse): boolean =>
  last.bookId === verse.bookId && last.chapter === verse.chapter && last.verse + 1 === verse.verse;
