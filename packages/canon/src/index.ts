export { type Book, type BookCode, bookByCode, bookName, books, isBookCode, type TestamentCode } from './books';
export { findBook, maxBookListLength, parseBookList } from './find-book';
export { type FoundReference, type FoundReferences, findReferences } from './find-references';
export { formatReference } from './format';
export {
  bookId,
  firstIndexFrom,
  indexOfSorted,
  isTranslationIdentifier,
  ordinalParts,
  type Place,
  parseVerseId,
  translationId,
  type VerseId,
  type VerseParts,
  verseId,
  verseOrdinal,
} from './ids';
export { fromStandard, type Numbering, renumber, standardVerses, toStandard } from './numbering';
export { parseReference } from './parse';
export { warmReferenceParser } from './parser';
export { readPassage, resolveReference } from './resolve';
export { foldName } from './text';
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
} from './types';
