export {
  allBooks,
  type Book,
  type BookCode,
  bookByCode,
  bookName,
  books,
  deuterocanonicalBooks,
  isBookCode,
  isDeuterocanonical,
  type TestamentCode,
} from './books';
export { countVerses } from './count-verses';
export { findBook, maxBookListLength, parseBookList } from './find-book';
export { type FoundReference, findReferences } from './find-references';
export { formatReference } from './format-reference';
export {
  bookId,
  firstIndexFrom,
  indexOfSorted,
  isTranslationIdentifier,
  ordinalParts,
  type Place,
  parsePlace,
  parseVerseId,
  parseVerseWordId,
  translationId,
  type VerseParts,
  verseId,
  verseOrdinal,
  verseWordId,
} from './ids';
export { findMisquotation, type Misquotation } from './misquotations';
export { findNamedPassages, type NamedPassageMatch } from './named-passages/find';
export {
  type NamedPassage,
  type NamedPassageKind,
  namedPassageById,
  namedPassages,
  namedPassagesAt,
  type PassageSpan,
  spanOrdinals,
} from './named-passages/table';
export { foldName } from './normalize-text';
export {
  chapterEnds,
  fromStandard,
  type Numbering,
  numberings,
  renumber,
  type StandardVerse,
  standardVerses,
  toStandard,
} from './numbering';
export { parseReference } from './parse-reference';
export { warmReferenceParser } from './reference-parser';
export { clampSpans, hasDeuterocanon, readPassage, readReference, resolveReference } from './resolve-reference';
export { numberWords } from './rewrite-text';
export type { Reference, ReferenceFailure, ReferencePoint, ReferenceSpan, TranslationShape } from './types';
export { referenceFailureMessage } from './types';
