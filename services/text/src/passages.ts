import {
  chapterEnds,
  clampSpans,
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
  type ResolvedReference,
  readPassage,
  referenceFailureMessage,
  renumber,
  resolveReference,
  type TranslationShape,
  toStandard,
  verseOrdinal,
} from '@lectern/canon';
import { parseLinkTarget, type Translation } from '@lectern/corpus';
import { errors, type PublicError } from '@lectern/errors';
import type { Note } from '@lectern/verse-layout';
import type { TextStore } from './store';

/** A passage of a translation. Its text is loaded only when a field needs it. */
export interface Passage {
  readonly translation: Translation;
  /** The normalized reference of the passage, in the translation's language. */
  readonly reference: string;
  readonly places: readonly Place[];
}

const maxReferences = 200;

export function createPassageReader(store: TextStore) {
  return {
    /** Parses a reference or the name of a passage. Throws `invalidReference` or `badUserInput`. */
    parsePassage(translation: Translation, text: string): Passage {
      const result = readPlaces(text, translation, store.shape(translation));
      return { translation, reference: result.reference, places: result.verses };
    },

    /** Returns the passage of verses in the standard numbering, without those that the translation lacks. */
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

    /** Returns the links that the source marks in a note, and the references in the rest of its text. */
    *referencesOf(translation: Translation, { text, links = [] }: Note): Generator<void, readonly FoundReference[]> {
      const shape = store.shape(translation);
      const linked = links.flatMap(({ start, length, target }): FoundReference[] => {
        const span = parseLinkTarget(target);
        if (!span) return [];
        const { reference, status, count } = clampSpans([span], shape);
        return [{ reference, bookId: span.start.book, status, verseCount: count, start, length }];
      });
      // A reference always has a number, so a text without digits has no reference.
      const found = /\d/.test(text) ? yield* findReferences(text, shape) : null;
      const isApart = (a: FoundReference, b: FoundReference): boolean =>
        a.start + a.length <= b.start || b.start + b.length <= a.start;
      // In a note longer than `referenceLimits.textLength`, only the links are returned.
      const inText = found?.kind === 'found' ? found.references : [];
      const others = inText.filter((each) => linked.every((link) => isApart(each, link)));
      return [...linked, ...others].sort((a, b) => a.start - b.start).slice(0, maxReferences);
    },
  };
}

/** Reads a reference or the name of a passage in a numbering. Throws `invalidReference` or `badUserInput`. */
export function readPlaces(
  text: string,
  of: Pick<Translation, 'language' | 'numbering'>,
  shape: TranslationShape,
): ResolvedReference {
  const read = readPassage(text, shape);
  const named = read.kind === 'unintelligible' ? namedReference(of, text) : null;
  const result = named ? resolveReference(named, shape) : read;
  if (result.kind !== 'resolved') throw referenceError(result);
  return result;
}

/** Returns the main passage that has this name, in the numbering. Null if no passage has it. */
function namedReference(
  { language, numbering }: Pick<Translation, 'language' | 'numbering'>,
  text: string,
): Reference | null {
  const [match] = findNamedPassages(text, { language, limit: 1 });
  if (!match?.isFull) return null;
  const spans = match.passage.passages[0].map(({ start, end }) => ({
    start: pointIn(numbering, start, false),
    end: pointIn(numbering, end, true),
  }));
  return { kind: 'reference', spans };
}

/** A whole chapter stays one if the translation's chapter starts (or ends) with the same verse. */
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
