import { type BookCode, fromStandard, type Place, standardVerses, verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';

/** The edition whose text helps to place a verse of any other: its English is what the models know best. */
export const secondTranslation = 'eng-web';

/** A verse and what its vector and its words are read from. */
export interface VerseText extends Place {
  ordinal: number;
  text: string;
  /** The same verse in the second edition, or '' where it has none or is itself the edition. */
  second: string;
}

/** Every verse of an edition with text, in canonical order. Where the editions number differently, `second` is the same text, not the same number. */
export function* eachVerseText(
  corpus: Pick<Corpus, 'translation' | 'range'>,
  translation: string,
): IterableIterator<VerseText> {
  const edition = corpus.translation(translation);
  if (!edition) throw new Error(`the corpus has no edition ${translation}`);
  const other = translation === secondTranslation ? null : corpus.translation(secondTranslation);
  // Book by book, for no numbering moves text from one to another: a whole edition at once would stay in memory for long.
  for (const { code } of edition.books) {
    const texts = new Map(
      other ? versesOfBook(corpus, secondTranslation, code).map((verse) => [verse.ordinal, verse.text]) : [],
    );
    for (const verse of versesOfBook(corpus, translation, code))
      yield { ...verse, second: other ? secondText(texts, edition, other, verse) : '' };
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

/** A slot that holds several standard verses has the text of them all. */
function secondText(
  texts: ReadonlyMap<number, string>,
  edition: Translation,
  other: Translation,
  place: Place,
): string {
  const ordinals = standardVerses(edition.numbering, place).map((standard) =>
    verseOrdinal(fromStandard(other.numbering, standard)),
  );
  return [...new Set(ordinals)]
    .map((ordinal) => texts.get(ordinal) ?? '')
    .filter((text) => text !== '')
    .join(' ');
}
