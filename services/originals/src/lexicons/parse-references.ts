import { isBookCode, toStandard } from '@lectern/canon';
import { codeOfOsisBook } from '@lectern/corpus';
import { createVersesAndParser, type VerseSpan } from '@lectern/reference-works';

/**
 * Creates the parser of references such as `Ps.51.3` and `Gen.4.4-Gen.4.10`, in the standard or the
 * Hebrew numbering. Both functions return null if the verses do not exist, and for books outside the
 * 66.
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
