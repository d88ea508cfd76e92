export type { Book, BookCode, TestamentCode } from './books';
export { allBooks, bookByCode, bookName, books, deuterocanonicalBooks, isBookCode, isDeuterocanonical } from './books';
export { countVerses } from './count-verses';
export { createBookNames, findBook, maxBookListLength, parseBookList } from './find-book';
export { type FoundReference, findReferences, listReferences } from './find-references';
export type { Place, VerseParts } from './ids';
export {
  bookId,
  firstIndexFrom,
  formatPlace,
  indexOfSorted,
  isTranslationIdentifier,
  ordinalParts,
  parsePlace,
  parseVerseId,
  parseVerseWordId,
  placeOf,
  translationId,
  verseId,
  verseOrdinal,
  verseWordId,
} from './ids';
export type { NamedPassage, NamedPassageKind, NamedPassageMatch, PassageSpan } from './named-passages';
export {
  findNamedPassages,
  namedPassageById,
  namedPassages,
  namedPassagesAt,
  spanOrdinals,
} from './named-passages';
export { foldName } from './normalize-text';
export {
  chapterEnds,
  fromStandard,
  type Numbering,
  numberings,
  renumber,
  slotsOf,
  standardVerses,
  toStandard,
} from './numbering';
export {
  isNumbering,
  markedNumbering,
  otherNumbering,
  placeInEsther,
  resolveInNumbering,
  withoutNumberingMark,
} from './other-numbering';
export { alignVerses, type ParallelAbsence, type ParallelCell, type ParallelText, parallelShape } from './parallel';
export { mayNameChapter, parseReference } from './parse-reference';
export { warmReferenceParser } from './reference-parser';
export {
  clampSpans,
  formatReference,
  readPassage,
  readReference,
  resolveReference,
} from './resolve-reference';
export { numberWords } from './rewrite-text';
export { findSaying, type Saying } from './sayings';
export { numberingShape, translationShape } from './shape';
export type {
  Reference,
  ReferenceFailure,
  ReferencePoint,
  ReferenceSpan,
  ResolvedReference,
  TranslationShape,
} from './types';
export { referenceFailureMessage } from './types';
