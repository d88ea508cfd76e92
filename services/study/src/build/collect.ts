import type { CommentaryNote, StandardVerses, TopicalBible, VerseSpan } from '@lectern/reference-works';
import { maxPerVerse } from '../tables';

/** Consecutive verses that sources name as a cross reference of a verse. */
export interface CollectedReference extends VerseSpan {
  /** The numbers of the sources that name the reference, ascending. */
  readonly sources: readonly number[];
}

/** Only entries of a topic with so few verses make them cross references of each other. */
const maxVersesOfEntry = 8;

// The collector stores each pair of a verse and a related verse (the target) as one number, because
// numbers sort fast and take little memory:
// (index of the verse * verseBase + index of the target) * sourceBase + number of the source.
// The bases are greater than the number of sources and of verses.
const sourceBase = 64;
const verseBase = 40_000;

/**
 * Collects cross references by verse. Two sources may name the same pair of verses: the pair then
 * has both sources. Consecutive related verses with the same sources become one reference.
 */
export function createCrossReferenceCollector(verses: StandardVerses) {
  const indexes = new Map(verses.ordinals.map((ordinal, index) => [ordinal, index]));
  const indexOf = (ordinal: number): number => indexes.get(ordinal) ?? -1;
  let pairs: number[] = [];

  const add = (verse: number, { first, last }: VerseSpan, source: number): void => {
    const from = indexOf(verse);
    // The World English Bible has three verses that the standard numbering lacks: Romans 14:24-26.
    if (from === -1) return;
    for (let to = indexOf(first); to <= indexOf(last); to += 1)
      if (to !== from) pairs.push((from * verseBase + to) * sourceBase + source);
  };

  return {
    add,

    /**
     * Makes the verses of each short entry of a topic cross references of each other. Verses of
     * one range without gaps are not cross references of each other.
     */
    addTopics({ topics }: Pick<TopicalBible, 'topics'>, source: number): void {
      for (const { references } of topics.flatMap(({ sections }) => sections.flatMap(({ entries }) => entries))) {
        if (references.some((span) => verses.count(span) > maxVersesOfEntry)) continue;
        const ordinals = new Set(references.flatMap(verses.within));
        if (ordinals.size > maxVersesOfEntry) continue;
        const spans = verses.join(ordinals);
        for (const span of spans)
          for (const verse of verses.within(span))
            for (const other of spans) if (other !== span) add(verse, other, source);
      }
    },

    /**
     * Makes the verses that a note cites cross references of each verse that it explains, if they
     * are not among these. Skips notes on whole chapters and books.
     */
    addNotes(notes: readonly CommentaryNote[], source: number): void {
      for (const { scope, span, references } of notes) {
        if (scope !== 'verses') continue;
        for (const target of references.flatMap(({ spans }) => spans)) {
          const isOwn = target.first >= span.first && target.last <= span.last;
          if (!isOwn) for (const verse of verses.within(span)) add(verse, target, source);
        }
      }
    },

    /**
     * Returns the first `maxPerVerse` cross references by the ordinal of the verse: those with the
     * most sources first, then in canonical order.
     */
    collect(): Map<number, CollectedReference[]> {
      const sorted = Float64Array.from(pairs).sort();
      pairs = [];
      const collected = new Map<number, CollectedReference[]>();
      for (const [verse, targets] of groupPairs(sorted)) {
        const ranges = joinTargets(targets, verses.ordinals);
        ranges.sort((a, b) => b.sources.length - a.sources.length || a.first - b.first);
        const ordinal = verses.ordinals[verse];
        if (ordinal !== undefined) collected.set(ordinal, ranges.slice(0, maxPerVerse));
      }
      return collected;
    },
  };
}

export type CrossReferenceCollector = ReturnType<typeof createCrossReferenceCollector>;

interface Target {
  /** The index of the related verse among all verses. */
  readonly index: number;
  readonly sources: number[];
}

/** Yields the index of each verse with its related verses (the targets), in canonical order. */
function* groupPairs(sorted: Float64Array): Generator<[verse: number, targets: Target[]]> {
  let current = -1;
  let targets: Target[] = [];
  for (const pair of sorted) {
    const source = pair % sourceBase;
    const both = (pair - source) / sourceBase;
    const index = both % verseBase;
    const verse = (both - index) / verseBase;
    if (verse !== current && targets.length > 0) {
      yield [current, targets];
      targets = [];
    }
    current = verse;
    const last = targets.at(-1);
    if (last?.index !== index) targets.push({ index, sources: [source] });
    else if (last.sources.at(-1) !== source) last.sources.push(source);
  }
  if (targets.length > 0) yield [current, targets];
}

/** Joins neighbouring verses of one book that have the same sources. */
function joinTargets(targets: readonly Target[], ordinals: readonly number[]): CollectedReference[] {
  const ranges: { first: number; last: number; lastIndex: number; sources: readonly number[] }[] = [];
  for (const { index, sources } of targets) {
    const ordinal = ordinals[index] ?? 0;
    const last = ranges.at(-1);
    const isNext =
      last?.lastIndex === index - 1 &&
      Math.floor(last.last / 1_000_000) === Math.floor(ordinal / 1_000_000) &&
      last.sources.join() === sources.join();
    if (isNext && last) Object.assign(last, { last: ordinal, lastIndex: index });
    else ranges.push({ first: ordinal, last: ordinal, lastIndex: index, sources });
  }
  return ranges.map(({ first, last, sources }) => ({ first, last, sources }));
}
