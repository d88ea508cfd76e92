export { bookByCode, books, isBookCode, type Book, type BookCode, type TestamentCode } from './books';
export { bookName } from './book-names';
export { findBook } from './find-book';
export { findReferences, type FoundReference, type FoundReferences } from './find-references';
export { foldName } from './fold-name';
export { formatReference } from './format-reference';
export {
  bookId, isTranslationIdentifier, ordinalParts, parseVerseId, translationId, verseId, verseOrdinal,
  type Place, type VerseId, type VerseParts,
} from './ids';
export { fromStandard, renumber, standardVerses, toStandard, type Numbering } from './numbering';
export { parseReference } from './parse-reference';
export {
  referenceFailureMessage, referenceLimits,
  type EditionShape, type Reference, type ReferenceFailure, type ReferencePoint, type ReferenceSpan, type ReferenceStatus,
  type ResolvedReference, type TextTooLong, type TooLong, type TooMany, type Unintelligible,
} from './reference';
export { readPassage, resolveReference } from './resolve-reference';
export { warmReferenceParser } from './shared-parser';
