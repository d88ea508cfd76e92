import { type ClampedSpan, clampSpan, countBetween, versesBetween } from './clamp-span';
import { formatReference } from './format-reference';
import { type Place, verseOrdinal } from './global-ids-and-verse-ordinals';
import { parseReference } from './parse-reference';
import { referenceLimits, type TooLong, type TooMany, type Unintelligible } from './reference-failures-and-limits';
import {
  type Reference,
  type ReferenceSpan,
  type ReferenceStatus,
  type ResolvedReference,
  type TranslationShape,
} from './reference-types';

/**
 * Finds the verses of a reference that exist in a translation. Returns `too-many` if these are more
 * than `referenceLimits.verses`. Ranges are clamped to existing verses and counted before their
 * verses are listed, so a giant range costs little.
 */
export function resolveReference({ spans }: Reference, shape: TranslationShape): ResolvedReference | TooMany {
  const clamped = clampSpans(spans, shape);
  if (clamped.count > referenceLimits.verses) return { kind: 'too-many', count: clamped.count };
  const byOrdinal = new Map<number, Place>();
  for (const { first, last } of clamped.existing) {
    for (const place of versesBetween(first, last, shape)) {
      const ordinal = verseOrdinal(place);
      if (!byOrdinal.has(ordinal)) byOrdinal.set(ordinal, place);
    }
  }
  return { kind: 'resolved', verses: [...byOrdinal.values()], reference: clamped.reference, status: clamped.status };
}

/** Parses a reference in the translation's language and resolves it. */
export function readPassage(
  text: string,
  shape: TranslationShape,
): ResolvedReference | TooLong | Unintelligible | TooMany {
  const reference = parseReference(text, shape.language);
  return reference.kind === 'reference' ? resolveReference(reference, shape) : reference;
}

/** The parts of a reference's spans that exist in a translation. */
export interface ClampedSpans {
  /**
   * The existing parts of the spans. A part that lies inside an earlier part, or inside earlier
   * parts that overlap, is left out.
   */
  existing: readonly ClampedSpan[];
  /** The number of distinct verses in `existing`. */
  count: number;
  /**
   * The normalized reference in the translation's language: the part that exists or, if nothing
   * exists, all of it.
   */
  reference: string;
  status: ReferenceStatus;
}

/**
 * Clamps spans to the verses that exist, formats them and counts their verses, without listing the
 * verses.
 */
export function clampSpans(spans: readonly ReferenceSpan[], shape: TranslationShape): ClampedSpans {
  const all = spans.map((span) => clampSpan(span, shape));
  const existing = all.filter((span) => span !== null);
  const { distinct, stretches } = withoutRepeats(existing);
  const status =
    existing.length === 0 ? 'OUT_OF_RANGE' : all.some((span) => span === null || span.isPartial) ? 'PARTIAL' : 'OK';
  const formatted = existing.length === 0 ? spans : distinct.map(({ span }) => span);
  return {
    existing: distinct,
    count: stretches.reduce((sum, { first, last }) => sum + countBetween(first, last, shape), 0),
    reference: formatReference(formatted, shape),
    status,
  };
}

/** Consecutive verses, from `first` to `last`. */
interface Stretch {
  first: Place;
  last: Place;
}

/**
 * Returns `distinct`, the spans without those that lie inside an earlier span or inside earlier
 * spans that overlap, and `stretches`, the verses of all spans as ranges that do not overlap.
 */
function withoutRepeats(spans: readonly ClampedSpan[]): { distinct: ClampedSpan[]; stretches: Stretch[] } {
  const distinct: ClampedSpan[] = [];
  let stretches: Stretch[] = [];
  for (const span of spans) {
    const from = verseOrdinal(span.first);
    const to = verseOrdinal(span.last);
    if (stretches.some(({ first, last }) => verseOrdinal(first) <= from && to <= verseOrdinal(last))) continue;
    distinct.push(span);
    const merged: Stretch = { first: span.first, last: span.last };
    const others = stretches.filter((stretch) => {
      const isApart = verseOrdinal(stretch.last) < from || to < verseOrdinal(stretch.first);
      if (!isApart && verseOrdinal(stretch.first) < verseOrdinal(merged.first)) merged.first = stretch.first;
      if (!isApart && verseOrdinal(stretch.last) > verseOrdinal(merged.last)) merged.last = stretch.last;
      return isApart;
    });
    stretches = [...others, merged];
  }
  return { distinct, stretches };
}
