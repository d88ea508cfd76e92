export { firstIndexFrom, indexOfSorted } from './binary-search';
export { type Book, type BookCode, bookByCode, books, isBookCode, type TestamentCode } from './book-codes';
export { bookName } from './book-names-by-language';
export { findBook, maxBookListLength, parseBookList } from './find-book';
export { type FoundReference, type FoundReferences, findReferences } from './find-references';
export { formatReference } from './format-reference';
export { foldName } from './normalize-text';
export { parseReference } from './parse-reference';
export {
  type Reference,
  type ReferenceFailure,
  type ReferencePoint,
  type ReferenceSpan,
  type ReferenceStatus,
  type ResolvedReference,
  referenceFailureMessage,
  referenceLimits,
  type TextTooLong,
  type TooLong,
  type TooMany,
  type TranslationShape,
  type Unintelligible,
} from './reference-types-and-failures';
export { readPassage, resolveReference } from './resolve-reference';
export { warmReferenceParser } from './shared-passage-parser';
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
} from './verse-ids-and-ordinals';
export { fromStandard, type Numbering, renumber, standardVerses, toStandard } from './verse-numbering';
