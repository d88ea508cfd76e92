import { type BookCode, fromStandard, type Place, standardVerses, verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';

/**
 * The English translation whose text also goes into the vector of each verse, because the models
 * know English best.
 */
export const secondTranslation = 'eng-web';

/**
 * The digest of the texts from which the vectors and the words of a translation are made.
 * `digestOf` returns the digest of a translation's text.
 */
export const textsDigest = (digestOf: (identifier: string) => string | null | undefined, translation: string): string =>
  [translation, secondTranslation].map((identifier) => digestOf(identifier) ?? '').join('+');

/** A verse with the texts from which its vector and its words are computed. */
export interface VerseText extends Place {
  ordinal: number;
  text: string;
  /**
   * The same verse in the second translation. Empty if the second translation lacks the verse, or
   * is itself the first.
   */
  second: string;
}

/**
 * Yields every verse for which a translation has text, in canonical order. If the translations
 * number verses differently, `second` has the same content, not the same number.
 */
export function* eachVerseText(
  corpus: Pick<Corpus, 'translation' | 'range'>,
  translation: string,
): IterableIterator<VerseText> {
  const first = corpus.translation(translation);
  if (!first) throw new Error(`the corpus has no translation ${translation}`);
  const second = translation === secondTranslation ? null : corpus.translation(secondTranslation);
  // Reads one book at a time, to save memory. No numbering moves a verse from one book to another.
  for (const { code } of first.books) {
    const texts = new Map(
      second ? versesOfBook(corpus, secondTranslation, code).map((verse) => [verse.ordinal, verse.text]) : [],
    );
    for (const verse of versesOfBook(corpus, translation, code))
      yield { ...verse, second: second ? secondText(texts, verse, { from: first, to: second }) : '' };
  }
}

function versesOfBook(
  corpus: Pick<Corpus, 'range'>,
  identifier: string,
  book: BookCode,
): (Place & { ordinal: number; text: string })[] {
  const [first, last] = [
    verseOrdinal({ book, chapter: 0, verse: 0 }),
    verseOrdinal({ book, chapter: 999, verse: 999 }),
  ];
  return corpus.range(identifier, first, last).map(({ chapter, verse, text }) => ({
    book,
    chapter,
    verse,
    text,
    ordinal: verseOrdinal({ book, chapter, verse }),
  }));
}

/**
 * Returns the text that the translation `to` has for a verse of the translation `from`. If the
 * verse of `from` contains several standard verses, returns the texts of all of them.
 */
function secondText(
  texts: ReadonlyMap<number, string>,
  place: Place,
  { from, to }: { from: Translation; to: Translation },
): string {
  const ordinals = standardVerses(from.numbering, place).map((standard) =>
    verseOrdinal(fromStandard(to.numbering, standard)),
  );
  return [...new Set(ordinals)]
    .map((ordinal) => texts.get(ordinal) ?? '')
    .filter((text) => text !== '')
    .join(' ');
}
