import type { CommentaryNote, StandardVerses, TopicalBible, VerseSpan } from '@lectern/reference-works';
import { maxPerVerse } from '../tables';

/** Consecutive verses that sources name as a cross reference of a verse. */
interface CollectedReference extends VerseSpan {
  /** The numbers of the sources that name the reference, ascending. */
  readonly sources: readonly number[];
}

/**
 * Only entries of a topic with so few verses make them cross references of each other, and only so
 * few verses of a reference refer back: a chapter is no cross reference of each of its verses.
 */
const maxVersesOfEntry = 8;

/** The topic of Nave's that lists verses of the New Testament, each with those that it quotes. */
const quotationsTopic = 'QUOTATIONS AND ALLUSIONS';
const firstOfNewTestament = 40_000_000;

/** Bit 1 is source 1. There are fewer than 31 sources. */
type SourceBits = number;

/**
 * Collects cross references by verse. Two sources may name the same pair of verses: the pair then
 * has both sources. Consecutive related verses with the same sources become one reference.
 */
export function createCrossReferenceCollector(verses: StandardVerses) {
  const indexes = new Map(verses.ordinals.map((ordinal, index) => [ordinal, index]));
  const indexOf = (ordinal: number): number => indexes.get(ordinal) ?? -1;
  /** By the index of a verse: the indexes of related verses, with the sources of each pair. */
  const targetsOf: Map<number, SourceBits>[] = verses.ordinals.map(() => new Map());

  const addOneWay = (from: number, to: number, source: number): void => {
    const targets = targetsOf[from];
    if (targets && to !== from) targets.set(to, (targets.get(to) ?? 0) | (1 << source));
  };

  /** Adds a reference of a verse, and back from the verses of a short reference to that verse. */
  const add = (verse: number, { first, last }: VerseSpan, source: number): void => {
    const from = indexOf(verse);
    // The World English Bible has three verses that the standard numbering lacks: Romans 14:24-26.
    if (from < 0 || indexOf(first) < 0) return;
    const isShort = indexOf(last) - indexOf(first) < maxVersesOfEntry;
    for (let to = indexOf(first); to <= indexOf(last); to += 1) {
      addOneWay(from, to, source);
      if (isShort) addOneWay(to, from, source);
    }
  };

  /** Pairs the verses of the New Testament with the verses of the Old that follow them. */
  const addQuotations = (spans: readonly VerseSpan[], source: number): void => {
    let quoting: VerseSpan[] = [];
    let isQuoting = false;
    for (const span of spans) {
      const isNew = span.first >= firstOfNewTestament;
      if (isNew) quoting = isQuoting ? [...quoting, span] : [span];
      else for (const verse of quoting.flatMap(verses.within)) add(verse, span, source);
      isQuoting = isNew;
    }
  };

  return {
    add,

    /** Verses of one short entry refer to each other, unless they are one range without gaps. */
    addTopics({ topics }: Pick<TopicalBible, 'topics'>, source: number): void {
      for (const { name, references } of topics.flatMap(({ name, sections }) =>
        sections.flatMap(({ entries }) => entries.map(({ references }) => ({ name, references }))),
      )) {
        if (name === quotationsTopic) addQuotations(references, source);
        if (references.some((span) => verses.count(span) > maxVersesOfEntry)) continue;
        const ordinals = new Set(references.flatMap(verses.within));
        if (ordinals.size > maxVersesOfEntry) continue;
        const spans = verses.join(ordinals);
        for (const span of spans)
          for (const verse of verses.within(span))
            for (const other of spans) if (other !== span) add(verse, other, source);
      }
    },

    /** A note's verses refer to those that it cites. Skips notes on whole chapters and books. */
    addNotes(notes: readonly CommentaryNote[], source: number): void {
      for (const { scope, span, references } of notes) {
        if (scope !== 'verses') continue;
        for (const target of references.flatMap(({ spans }) => spans)) {
          const isOwn = target.first >= span.first && target.last <= span.last;
          if (!isOwn) for (const verse of verses.within(span)) add(verse, target, source);
        }
      }
    },

    /** By ordinal: the first `maxPerVerse`, those of the most sources first, then in order. */
    collect(): Map<number, CollectedReference[]> {
      const collected = new Map<number, CollectedReference[]>();
      for (const [verse, ordinal] of verses.ordinals.entries()) {
        const references = joinTargets(targetsOf[verse] ?? new Map(), verses.ordinals);
        references.sort((a, b) => b.sources.length - a.sources.length || a.first - b.first);
        if (references.length > 0) collected.set(ordinal, references.slice(0, maxPerVerse));
      }
      return collected;
    },
  };
}

export type CrossReferenceCollector = ReturnType<typeof createCrossReferenceCollector>;

/** Joins neighbouring verses of one book that have the same sources. */
function joinTargets(targets: ReadonlyMap<number, SourceBits>, ordinals: readonly number[]): CollectedReference[] {
  const ranges: { first: number; last: number; lastIndex: number; bits: SourceBits }[] = [];
  for (const [index, bits] of [...targets].sort(([a], [b]) => a - b)) {
    const ordinal = ordinals[index] ?? 0;
    const last = ranges.at(-1);
    const isNext = last?.lastIndex === index - 1 && bookOf(last.last) === bookOf(ordinal) && last.bits === bits;
    if (isNext) Object.assign(last, { last: ordinal, lastIndex: index });
    else ranges.push({ first: ordinal, last: ordinal, lastIndex: index, bits });
  }
  return ranges.map(({ first, last, bits }) => ({ first, last, sources: sourcesOf(bits) }));
}

const bookOf = (ordinal: number): number => Math.floor(ordinal / 1_000_000);

const sourcesOf = (bits: SourceBits): number[] =>
  Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => bits & (1 << bit));
