import {
  chapterEnds,
  clampSpans,
  type FoundReference,
  findNamedPassages,
  findReferences,
  formatReference,
  isNumbering,
  markedNumbering,
  type Numbering,
  numberings,
  otherNumbering,
  type PassageSpan,
  type Place,
  type Reference,
  type ReferenceFailure,
  type ReferencePoint,
  type ReferenceSpan,
  type ResolvedReference,
  readPassage,
  readReference,
  referenceFailureMessage,
  renumber,
  resolveInNumbering,
  resolveReference,
  type TranslationShape,
  toStandard,
  verseOrdinal,
  withoutNumberingMark,
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
  readonly numbering: Numbering;
  /** The reference as it was written. Absent if its places do not depend on a numbering. */
  readonly spans?: readonly ReferenceSpan[];
}

/** A reference in a text, and the translation and numbering in which it was read. */
export interface FoundIn extends FoundReference {
  readonly translation: Translation;
  readonly numbering: Numbering;
}

const maxReferences = 200;

export function createPassageReader(store: TextStore) {
  return {
    /** Numbering: the text's, else `numbering`, else the translation's. Throws `invalidReference` or `badUserInput`. */
    parsePassage(translation: Translation, written: string, numbering: string | null = null): Passage {
      const shape = store.shape(translation);
      const asked = numberingOf(translation, numbering);
      const { text, numbering: marked } = withoutNumberingMark(written);
      const read = readReference(text, shape);
      if (read.kind === 'reference') return passageIn(translation, read.spans, marked ?? asked);
      const named = read.kind === 'unintelligible' ? namedReference(translation, written) : null;
      const result = named ? resolveReference(named, shape) : read;
      if (result.kind !== 'resolved') throw referenceError(result);
      const { reference, verses: places } = result;
      return { translation, reference, places, numbering: translation.numbering };
    },

    /** Returns what the reference means in another numbering. Null if it names the same verses in all numberings. */
    otherPassage({ translation, numbering, reference, places, spans = [] }: Passage): Passage | null {
      const other = otherNumbering(spans, numbering, translation.numbering);
      const found = other && resolveIn(store, translation, spans, other);
      if (!other || found?.kind !== 'resolved' || found.verses.length === 0) return null;
      // A passage without verses has the reference as it was written, which may be right in the other numbering.
      if (places.length > 0 && found.reference === reference) return null;
      return { translation, reference: found.reference, places: found.verses, numbering: other, spans };
    },

    /** Returns the passage of verses in the standard numbering, without those that the translation lacks. */
    passageOf(translation: Translation, standardPlaces: readonly Place[]): Passage {
      const places = standardPlaces
        .flatMap((place) => store.renumber(place, 'standard', translation) ?? [])
        .filter((place) => store.hasVerse(translation, place));
      const [first, last] = [places[0], places.at(-1)];
      const spans = first && last ? [{ start: first, end: last }] : [];
      const reference = formatReference(spans, store.shape(translation));
      return { translation, reference, places, numbering: translation.numbering };
    },

    /** Throws `badUserInput` if the text is too long. Yields between short steps. */
    *findReferences(translation: Translation, text: string, numbering: string | null): Generator<void, FoundIn[]> {
      const asked = numberingOf(translation, numbering);
      const result = yield* findReferences(text, store.shape(translation));
      if (result.kind === 'text-too-long') throw referenceError(result);
      const references: FoundIn[] = [];
      for (const found of result.references) {
        const end = found.start + found.length;
        const upToNumber = /^.\D{0,16}\d?/s.exec(text.slice(end - 1))?.[0] ?? '';
        const read = { ...found, translation, numbering: markedNumbering(upToNumber) ?? asked };
        references.push(read.numbering === translation.numbering ? read : renumbered(read));
        yield;
      }
      return references;
    },

    /** Returns what a found reference means in another numbering. Null if it names the same verses in all. */
    *otherReference(found: FoundIn): Generator<void, FoundIn | null> {
      yield;
      const other = otherNumbering(found.spans, found.numbering, found.translation.numbering);
      const read = other && renumbered({ ...found, numbering: other });
      if (!read || read.verseCount === 0) return null;
      return found.verseCount === 0 || read.reference !== found.reference ? read : null;
    },

    /** Returns the links that the source marks in a note, and the references in the rest of its text. */
    *referencesOf(translation: Translation, { text, links = [] }: Note): Generator<void, FoundIn[]> {
      const shape = store.shape(translation);
      const linked = links.flatMap(({ start, length, target }): FoundReference[] => {
        const span = parseLinkTarget(target);
        if (!span) return [];
        const { reference, status, count } = clampSpans([span], shape);
        return [{ reference, bookId: span.start.book, status, verseCount: count, start, length, spans: [span] }];
      });
      // A reference always has a number, so a text without digits has no reference.
      const found = /\d/.test(text) ? yield* findReferences(text, shape) : null;
      const isApart = (a: FoundReference, b: FoundReference): boolean =>
        a.start + a.length <= b.start || b.start + b.length <= a.start;
      // In a note longer than `referenceLimits.textLength`, only the links are returned.
      const inText = found?.kind === 'found' ? found.references : [];
      const others = inText.filter((each) => linked.every((link) => isApart(each, link)));
      const sorted = [...linked, ...others].sort((a, b) => a.start - b.start).slice(0, maxReferences);
      return sorted.map((found) => ({ ...found, translation, numbering: translation.numbering }));
    },
  };

  function passageIn(translation: Translation, spans: readonly ReferenceSpan[], numbering: Numbering): Passage {
    const result = resolveIn(store, translation, spans, numbering);
    if (result.kind !== 'resolved') throw referenceError(result);
    return { translation, reference: result.reference, places: result.verses, numbering, spans };
  }

  /** Returns a found reference with the verses that its spans mean in its numbering. */
  function renumbered(found: FoundIn): FoundIn {
    const read = resolveIn(store, found.translation, found.spans, found.numbering);
    if (read.kind !== 'resolved') return { ...found, verseCount: read.count };
    return { ...found, reference: read.reference, status: read.status, verseCount: read.verses.length };
  }
}

function resolveIn(store: TextStore, translation: Translation, spans: readonly ReferenceSpan[], numbering: Numbering) {
  const shape = store.shape(translation);
  return numbering === translation.numbering
    ? resolveReference({ kind: 'reference', spans }, shape)
    : resolveInNumbering(spans, numbering, translation.numbering, shape);
}

/** Throws `badUserInput` if no numbering has this name. Null stands for the translation's. */
export function numberingOf(translation: Translation, name: string | null): Numbering {
  if (name === null) return translation.numbering;
  if (isNumbering(name)) return name;
  throw errors.badUserInput(`numbering has no value '${name.slice(0, 50)}'; send one of ${numberings.join(', ')}`);
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
