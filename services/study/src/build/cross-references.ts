import type { CommentaryNote, StandardVerses, TopicalBible, VerseSpan } from '@lectern/reference-works';
import { maxPerVerse } from '../tables';

/** A cross reference of one verse: a range of verses, and the sources (published works) that connect them with it. */
interface CollectedReference extends VerseSpan {
  /** The numbers of the sources that have the cross reference, ascending. */
  readonly sources: readonly number[];
  readonly strength: number;
}

/**
 * If an entry of a topic has at most so many verses, each refers to all others. If a reference has at most so many,
 * they refer back. Longer lists, such as a whole chapter, are no useful cross references for each verse.
 */
const maxVersesOfEntry = 8;

/** The topic of Nave's Topical Bible that lists verses of the New Testament with the verses that they quote. */
const quotationsTopic = 'QUOTATIONS AND ALLUSIONS';
const firstOfNewTestament = 40_000_000;

/** Rank n (from 0) adds the strength 1 / (n + constant). A reference without a rank is weak evidence, a citation. */
const strengthConstant = 5;
const strengthOfSource = 0.015;

/** A verse to which another verse refers. */
interface Target {
  readonly bits: SourceBits;
  readonly strength: number;
}

/** A set of sources: bit n stands for the source with the number n. There are fewer than 31 sources. */
type SourceBits = number;

/** Stores all sources of each pair of verses. Consecutive verses with the same sources become one cross reference. */
export function createCrossReferenceCollector(verses: StandardVerses) {
  const { indexOf } = verses;
  /** For each verse, the verses to which it refers, as indexes into `verses.ordinals`. */
  const targetsOf: Map<number, Target>[] = verses.ordinals.map(() => new Map());

  const addOneWay = (from: number, to: number, source: number, strength = strengthOfSource): void => {
    const targets = targetsOf[from];
    const { bits = 0, strength: before = 0 } = targets?.get(to) ?? {};
    if (!targets || to === from) return;
    const isNew = (bits & (1 << source)) === 0;
    targets.set(to, { bits: bits | (1 << source), strength: before + (isNew ? strength : 0) });
  };

  /** Adds a reference of a verse. If the reference has few verses, they also refer back to the verse. */
  const add = (verse: number, { first, last }: VerseSpan, source: number): void => {
    const from = indexOf(verse);
    // Skips verses that the King James Version lacks, such as Romans 14:24-26 of the World English Bible.
    if (from < 0 || indexOf(first) < 0) return;
    const isShort = indexOf(last) - indexOf(first) < maxVersesOfEntry;
    for (let to = indexOf(first); to <= indexOf(last); to += 1) {
      addOneWay(from, to, source);
      if (isShort) addOneWay(to, from, source);
    }
  };

  /** Makes each verse of the New Testament refer to the verses of the Old Testament after it. */
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

    /** Adds references of a verse that a source ranks, the best first. The verses do not refer back. */
    addRanked(verse: number, targets: readonly VerseSpan[], source: number): void {
      const from = indexOf(verse);
      if (from < 0) return;
      for (const [rank, { first, last }] of targets.entries())
        for (let to = indexOf(first); to >= 0 && to <= indexOf(last); to += 1)
          addOneWay(from, to, source, 1 / (rank + strengthConstant));
    },

    /** Adds the entries of topics. The verses of a short entry refer to each other, unless they are one range. */
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

    /** Lets the verses of a note refer to the verses that it cites. Skips notes on whole chapters and books. */
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
     * Returns at most `maxPerVerse` for each verse (43003016 is JHN 3:16), the strongest first, equal ones in order.
     */
    collect(): Map<number, CollectedReference[]> {
      const collected = new Map<number, CollectedReference[]>();
      for (const [verse, ordinal] of verses.ordinals.entries()) {
        const references = joinTargets(targetsOf[verse] ?? new Map(), verses.ordinals);
        references.sort((a, b) => b.strength - a.strength || a.first - b.first);
        if (references.length > 0) collected.set(ordinal, references.slice(0, maxPerVerse));
      }
      return collected;
    },
  };
}

export type CrossReferenceCollector = ReturnType<typeof createCrossReferenceCollector>;

/** Joins consecutive verses of one book if they have the same sources. */
function joinTargets(targets: ReadonlyMap<number, Target>, ordinals: readonly number[]): CollectedReference[] {
  const ranges: (Target & { first: number; last: number; lastIndex: number })[] = [];
  for (const [index, { bits, strength }] of [...targets].sort(([a], [b]) => a - b)) {
    const ordinal = ordinals[index] ?? 0;
    const last = ranges.at(-1);
    const isNext = last?.lastIndex === index - 1 && bookOf(last.last) === bookOf(ordinal) && last.bits === bits;
    if (isNext) Object.assign(last, { last: ordinal, lastIndex: index, strength: Math.max(last.strength, strength) });
    else ranges.push({ first: ordinal, last: ordinal, lastIndex: index, bits, strength });
  }
  return ranges.map(({ first, last, bits, strength }) => ({ first, last, sources: sourcesOf(bits), strength }));
}

const bookOf = (ordinal: number): number => Math.floor(ordinal / 1_000_000);

const sourcesOf = (bits: SourceBits): number[] =>
  Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => bits & (1 << bit));
