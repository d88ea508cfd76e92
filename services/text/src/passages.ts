import {
  chapterEnds,
  type FoundReference,
  findNamedPassages,
  findReferences,
  formatReference,
  type Numbering,
  type PassageSpan,
  type Place,
  type Reference,
  type ReferenceFailure,
  type ReferencePoint,
  readPassage,
  referenceFailureMessage,
  renumber,
  resolveReference,
  toStandard,
  verseOrdinal,
} from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import { errors, type PublicError } from '@lectern/errors';
import type { TextStore } from './store';

/** A passage of a translation. The texts of its verses are loaded when a field needs them. */
export interface Passage {
  readonly translation: Translation;
  /** In canonical form, in the translation's language. */
  readonly reference: string;
  readonly places: readonly Place[];
}

/** Resolves references such as `John 3:16` in a translation. */
export function createPassageReader(store: TextStore) {
  return {
    /** A reference or the name of a passage. Throws `invalidReference` or `badUserInput`. */
    parsePassage(translation: Translation, text: string): Passage {
      const shape = store.shape(translation);
      const read = readPassage(text, shape);
      const named = read.kind === 'unintelligible' ? namedReference(translation, text) : null;
      const result = named ? resolveReference(named, shape) : read;
      if (result.kind !== 'resolved') throw referenceError(result);
      return { translation, reference: result.reference, places: result.verses };
    },

    /** Leaves out verses that the translation lacks. */
    passageOf(translation: Translation, standardPlaces: readonly Place[]): Passage {
      const places = standardPlaces
        .flatMap((place) => store.renumber(place, 'standard', translation) ?? [])
        .filter((place) => store.hasVerse(translation, place));
      const [first, last] = [places[0], places.at(-1)];
      const spans = first && last ? [{ start: first, end: last }] : [];
      return { translation, reference: formatReference(spans, store.shape(translation)), places };
    },

    /** Throws `badUserInput` if the text is too long. Yields between short steps. */
    *findReferences(translation: Translation, text: string): Generator<void, readonly FoundReference[]> {
      const result = yield* findReferences(text, store.shape(translation));
      if (result.kind === 'text-too-long') throw referenceError(result);
      return result.references;
    },
  };
}

/** The main passage of a name in the translation's numbering. Null for other text. */
function namedReference(translation: Translation, text: string): Reference | null {
  const [match] = findNamedPassages(text, { language: translation.language, limit: 1 });
  if (!match?.isFull) return null;
  const spans = match.passage.passages[0].map(({ start, end }) => ({
    start: pointIn(translation.numbering, start, false),
    end: pointIn(translation.numbering, end, true),
  }));
  return { kind: 'reference', spans };
}

/** The start or end of a passage. It stays that of a whole chapter if the chapter is the same. */
function pointIn(numbering: Numbering, { book, chapter, verse }: PassageSpan['start'], isEnd: boolean): ReferencePoint {
  const edge = (of: Numbering, at: number): Place => ({
    book,
    chapter: at,
    verse: isEnd ? (chapterEnds(of, book)[at - 1] ?? 1) : 1,
  });
  const standard = verse === null ? edge('standard', chapter) : { book, chapter, verse };
  const own = renumber(standard, 'standard', numbering) ?? standard;
  const atEdge = verse === null ? toStandard(numbering, edge(numbering, own.chapter)) : null;
  const isWhole = atEdge !== null && verseOrdinal(atEdge) === verseOrdinal(standard);
  return isWhole ? { ...own, verse: null } : own;
}

export type PassageReader = ReturnType<typeof createPassageReader>;

function referenceError(failure: ReferenceFailure): PublicError {
  const message = referenceFailureMessage(failure);
  return failure.kind === 'unintelligible' ? errors.invalidReference(message) : errors.badUserInput(message);
}
