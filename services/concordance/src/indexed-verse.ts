import type { Place } from '@lectern/canon';
import { ordinalParts } from '@lectern/canon';
import type { WordTag } from '@lectern/corpus';
import type { ConcordanceTranslation } from './concordance-translation-metadata';
import type { IndexedWord } from './verse-words-and-tags-encoding';
import { decodeTags, decodeWords } from './verse-words-and-tags-encoding';

export interface VerseRow {
  ordinal: number;
  text: string;
  words: Buffer;
  tags: Buffer | null;
}

/** A verse whose words and tags are decoded at first use. */
export interface IndexedVerse extends Place {
  readonly translation: ConcordanceTranslation;
  readonly text: string;
  words(): readonly IndexedWord[];
  /**
   * Returns the spans of the text that are tagged with Strong's numbers (of the Hebrew or Greek
   * words that they translate), sorted by start. Empty if the verse has none.
   */
  tags(): readonly WordTag[];
}

export function indexedVerse(
  translation: ConcordanceTranslation,
  { ordinal, text, words, tags }: VerseRow,
): IndexedVerse {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`${ordinal} is not the ordinal of a verse`);
  let decodedWords: readonly IndexedWord[] | undefined;
  let decodedTags: readonly WordTag[] | undefined;
  return {
    ...place,
    translation,
    text,
    words: () => (decodedWords ??= decodeWords(words)),
    tags: () => (decodedTags ??= tags === null ? [] : decodeTags(tags)),
  };
}
