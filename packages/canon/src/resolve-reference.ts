import { type ClampedSpan, clampSpan, countBetween, versesBetween } from './clamp-span';
import { formatReference } from './format-reference';
import { type Place, verseOrdinal } from './ids';
import { parseReference } from './parse-reference';
import {
  type Reference,
  type ReferenceSpan,
  type ReferenceStatus,
  type ResolvedReference,
  referenceLimits,
  type TooLong,
  type TooMany,
  type TranslationShape,
  type Unintelligible,
} from './reference';

/** The verses of a reference that a translation holds. Ranges are clamped before they are counted, and counted before they are expanded. */
export function resolveReference({ spans }: Reference, shape: TranslationShape): ResolvedReference | TooMany {
  const holding = holdSpans(spans, shape);
  if (holding.count > referenceLimits.verses) return { kind: 'too-many', count: holding.count };
  const byOrdinal = new Map<number, Place>();
  for (const { first, last } of holding.held) {
    for (const place of versesBetween(first, last, shape)) {
      const ordinal = verseOrdinal(place);
      if (!byOrdinal.has(ordinal)) byOrdinal.set(ordinal, place);
    }
  }
  return { kind: 'resolved', verses: [...byOrdinal.values()], reference: holding.reference, status: holding.status };
}

/** `parseReference` in the translation's language, then `resolveReference`. */
export function readPassage(
  text: string,
  shape: TranslationShape,
): ResolvedReference | TooLong | Unintelligible | TooMany {
  const reference = parseReference(text, shape.language);
  return reference.kind === 'reference' ? resolveReference(reference, shape) : reference;
}

export interface Holding {
  held: readonly ClampedSpan[];
  /** Distinct verses. */
  count: number;
  reference: string;
  status: ReferenceStatus;
}

/** What a translation holds of some spans, said and counted but not listed. */
export function holdSpans(spans: readonly ReferenceSpan[], shape: TranslationShape): Holding {
  const all = spans.map((span) => clampSpan(span, shape));
  const held = all.filter((span) => span !== null);
  const { news, covered } = withoutRepeats(held);
  const status =
    held.length === 0 ? 'OUT_OF_RANGE' : all.some((span) => span === null || span.clamped) ? 'PARTIAL' : 'OK';
  const said = held.length === 0 ? spans : news.map(({ span }) => span);
  return {
    held: news,
    count: covered.reduce((sum, { first, last }) => sum + countBetween(first, last, shape), 0),
    reference: formatReference(said, shape),
    status,
  };
}

interface Stretch {
  first: Place;
  last: Place;
}

/** The spans that add a verse to those before them, and the separate stretches that all of them cover. */
function withoutRepeats(spans: readonly ClampedSpan[]): { news: ClampedSpan[]; covered: Stretch[] } {
  const news: ClampedSpan[] = [];
  let covered: Stretch[] = [];
  for (const span of spans) {
    const from = verseOrdinal(span.first);
    const to = verseOrdinal(span.last);
    if (covered.some(({ first, last }) => verseOrdinal(first) <= from && to <= verseOrdinal(last))) continue;
    news.push(span);
    const grown: Stretch = { first: span.first, last: span.last };
    const apart = covered.filter((stretch) => {
      const isApart = verseOrdinal(stretch.last) < from || to < verseOrdinal(stretch.first);
      if (!isApart && verseOrdinal(stretch.first) < verseOrdinal(grown.first)) grown.first = stretch.first;
      if (!isApart && verseOrdinal(stretch.last) > verseOrdinal(grown.last)) grown.last = stretch.last;
      return isApart;
    });
    covered = [...apart, grown];
  }
  return { news, covered };
}
