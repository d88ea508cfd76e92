export { firstIndexFrom, indexOfSorted } from './binary-search';
export { bookName } from './book-names-by-language';
export { type Book, type BookCode, bookByCode, books, isBookCode, type TestamentCode } from './books-by-usfm-code';
export { fromStandard, type Numbering, renumber, standardVerses, toStandard } from './convert-verse-numbering';
export { findBook, maxBookListLength, parseBookList } from './find-book';
export { type FoundReference, type FoundReferences, findReferences } from './find-references';
export { formatReference } from './format-reference';
export {
  bookId,
  isTranslationIdentifier,
  ordinalParts,
  type Place,
  parseVerseId,
  translationId,
  type VerseId,
  type VerseParts,
  verseId,
  verseOrdinal,
} from './global-ids-and-verse-ordinals';
export { foldName } from './normalize-text-with-original-positions';
export { parseReference } from './parse-reference';
export {
  type ReferenceFailure,
  referenceFailureMessage,
  referenceLimits,
  type TextTooLong,
  type TooLong,
  type TooMany,
  type Unintelligible,
} from './reference-failures-and-limits';
export {
  type Reference,
  type ReferencePoint,
  type ReferenceSpan,
  type ReferenceStatus,
  type ResolvedReference,
  type TranslationShape,
} from './reference-types';
export { readPassage, resolveReference } from './resolve-reference';
export { warmReferenceParser } from './shared-passage-parser';
