import { isBookCode, toStandard } from '@lectern/canon';
import { codeOfOsisBook } from '@lectern/corpus';
import { createVersesAndParser, type VerseSpan } from '@lectern/reference-works';

/**
 * Creates the parsers of references such as `Ps.51.3` and `Gen.4.4-Gen.4.10`: one for the verse numbers of the King
 * James Version and one for those of the Hebrew Bible. They return null if the verses do not exist or the book is not
 * one of the 66.
 */
export function createLexiconReferences() {
  const { parser } = createVersesAndParser();
  const parseStandard = (reference: string): VerseSpan[] | null => parser.parse(reference.replace(/![a-z]\b/g, ''));
  const parseHebrew = (reference: string): VerseSpan[] | null =>
    parseStandard(reference.replace(/(\w+)\.(\d+)\.(\d+)/g, standardOf));
  return { parseStandard, parseHebrew };
}
export type LexiconReferences = ReturnType<typeof createLexiconReferences>;

function standardOf(reference: string, osis: string, chapter: string, verse: string): string {
  const book = codeOfOsisBook(osis);
  const place = isBookCode(book)
    ? toStandard('hebrew', { book, chapter: Number(chapter), verse: Number(verse) })
    : null;
  return place ? `${osis}.${place.chapter}.${place.verse}` : reference;
}
