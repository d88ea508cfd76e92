import {
  fromStandard,
  type Place,
  placeOf,
  standardVerses,
  type VerseParts,
  verseId,
  verseOrdinal,
} from '@lectern/canon';
import type { Corpus, Translation, WordTag } from '@lectern/corpus';
import { verseWords } from '@lectern/words';
import type { OriginalsReader, OriginalVerse, OriginalWord } from '../reader';
import { alignTags } from './align';
import { createParts } from './word-parts';

/** A verse of a translation: its id, its place, and the King James verses with the same content. */
export interface TranslationVerse {
  readonly id: string;
  readonly parts: VerseParts;
  readonly standard: readonly number[];
}

export function translationVerse({ identifier, numbering }: Translation, place: Place): TranslationVerse {
  const parts = { ...place, translation: identifier };
  return { id: verseId(parts), parts, standard: standardVerses(numbering, place).map(verseOrdinal) };
}

export const hasVerse = ({ books }: Translation, { book, chapter, verse }: Place): boolean =>
  books.find(({ code }) => code === book)?.chapters[chapter - 1]?.includes(verse) ?? false;

/** A range of a verse's text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A tag of a translation, with the original words that the tag renders. */
export interface AlignedTag extends WordTag {
  /** The original word of each Strong's number of the tag. Null if no original word was found for the number. */
  readonly originals: readonly (OriginalWord | null)[];
}

/** A verse, the words of its original verses, and its tags with the original words that they render. */
export interface AlignedVerse {
  readonly parts: VerseParts;
  readonly text: string;
  readonly tags: readonly AlignedTag[];
  readonly originals: readonly OriginalWord[];
  /** The words of the translation's text, in order. */
  words(): readonly Span[];
}

export const overlap = (a: Span, b: Span): boolean => a.start < b.start + b.length && b.start < a.start + a.length;

/** Returns the original words that the tags render, in the order of the original. */
export function originalsOf({ originals }: AlignedVerse, tags: readonly AlignedTag[]): OriginalWord[] {
  const own = new Set(tags.flatMap((tag) => tag.originals));
  return originals.filter((word) => own.has(word));
}

/** Returns the words of the translation that the tags cover, in the order of the text. */
export const wordsOf = (verse: AlignedVerse, tags: readonly AlignedTag[]): Span[] =>
  tags.length === 0 ? [] : verse.words().filter((word) => tags.some((tag) => overlap(tag, word)));

/** Returns the words of the translation that render one original word, in the order of the text. */
export const wordsThatRender = (verse: AlignedVerse, { number }: OriginalWord): Span[] =>
  wordsOf(
    verse,
    verse.tags.filter(({ originals }) => originals.some((each) => each?.number === number)),
  );

/** Creates the functions that align verses of translations with the original texts. */
export function createVerseAligner(reader: OriginalsReader, corpus: Corpus) {
  const partsOf = createParts(reader);
  return {
    /** Reads and aligns verses of a translation. The verses must exist. Runs one statement for each table. */
    align(translation: Translation, places: readonly Place[]): AlignedVerse[] {
      const { identifier } = translation;
      const texts = corpus.verses(identifier, places);
      const tags = corpus.words(identifier, places);
      const verses = places.map((place) => translationVerse(translation, place));
      return verses.map(({ parts: place, standard }, index): AlignedVerse => {
        const own = reader.versesOf(place, standard, null).flatMap((verse) => reader.words(verse));
        const parts = partsOf(own);
        const ownTags = tags[index] ?? [];
        // If the translation is the original text itself, each tag belongs to the word that it marks.
        const isOwn = own[0]?.verse.text.id === identifier && own.length === ownTags.length;
        const links = alignTags(
          ownTags.map(({ strongs }) => strongs),
          parts,
        );
        const text = texts[index]?.text ?? '';
        let tokens: readonly Span[] | undefined;
        return {
          parts: place,
          text,
          originals: own,
          tags: ownTags.map((tag, position) => ({
            ...tag,
            originals: isOwn
              ? [own[position] ?? null]
              : (links[position] ?? []).map((part) => own[parts[part ?? -1]?.word ?? -1] ?? null),
          })),
          words: () => (tokens ??= isOwn ? ownTags : verseWords(text, translation.language)),
        };
      });
    },

    /** Returns the Strong's numbers that translations may give to these words. */
    numbersOf: (words: readonly OriginalWord[]): ReadonlySet<string> =>
      new Set(partsOf(words).flatMap(({ numbers }) => [...numbers])),

    /** Returns the places of a translation that render a verse of the original, in canonical order. */
    placesOf(translation: Translation, { number, text, book, chapter, verse }: OriginalVerse): Place[] {
      if (translation.identifier === text.id) return [{ book, chapter, verse }];
      const slots = reader
        .standardVersesOf(number)
        .flatMap((ordinal) => fromStandard(translation.numbering, placeOf(ordinal)) ?? []);
      const places = new Map(slots.map((place) => [verseOrdinal(place), place])).values();
      return [...places].filter((place) => hasVerse(translation, place));
    },
  };
}

export type VerseAligner = ReturnType<typeof createVerseAligner>;
