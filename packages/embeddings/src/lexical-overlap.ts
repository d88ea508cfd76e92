import { createStemReader } from './stem-reader';

// The constants of BM25, and a factor that lets a single use of a word in a short verse reach 1.
const saturation = 1.2;
const lengthShare = 0.75;
const fullWeight = 1.4;

/** Most pieces between blanks come again and again while an edition is read: each is taken apart and stemmed once. */
const mostRemembered = 100_000;

/** The stems of one text of an edition and what they are worth, as a file holds them. About 3 MB for an edition. */
export interface StemIndex {
  /** ISO 639-3. */
  language: string;
  /** Verses that have this text. */
  withText: number;
  stems: readonly string[];
  /** Where each stem's verses begin in the lists below, and after the last where they end. */
  starts: Uint32Array;
  verses: Uint32Array;
  /** What the stem is worth in each of these verses, 0..1. */
  weights: Float32Array;
}

/** Numbers for some of the verses; the others have 0. */
export interface VerseValues {
  /** In no order, each once. */
  positions: Uint32Array;
  values: Float32Array;
}

/**
 * How much of a question stands literally in a verse: 0 none of its words, 1 all of them. Of several texts of a verse (the
 * edition's own and the English one) the one that covers more counts. Words are compared by stem; function words don't count.
 * @param count of verses
 */
export function createLexicalOverlap(indexes: readonly StemIndex[], count: number) {
  const texts = indexes.map(createText);
  // Used again for every question, and left all zeros: an edition's worth of new memory each time would keep the collector busy.
  const [one, best] = [new Float32Array(count), new Float32Array(count)];
  const [ofOne, touched] = [new Uint32Array(count), new Uint32Array(count)];
  return {
    /** How many verses it knows. */
    count,
    /** By the verse's position; null when no verse holds a word of the question. */
    score(question: string): VerseValues | null {
      let touchedCount = 0;
      for (const cover of texts) {
        const found = cover(question, { covered: one, positions: ofOne });
        for (let at = 0; at < found; at += 1) {
          const verse = ofOne[at] ?? 0;
          const [covered, before] = [one[verse] ?? 0, best[verse] ?? 0];
          if (before === 0 && covered > 0) touched[touchedCount++] = verse;
          best[verse] = Math.max(before, covered);
          one[verse] = 0;
        }
      }
      if (touchedCount === 0) return null;
      const positions = touched.slice(0, touchedCount);
      const values = new Float32Array(touchedCount);
      for (const [at, verse] of positions.entries()) {
        values[at] = best[verse] ?? 0;
        best[verse] = 0;
      }
      return { positions, values };
    },
  };
}
export type LexicalOverlap = ReturnType<typeof createLexicalOverlap>;

/**
 * Reads the texts of all verses.
 * @param languages of the texts, ISO 639-3
 * @param verses the texts of each verse, one for each language; '' where it has none
 */
export function indexStems(
  languages: readonly string[],
  verses: Iterable<readonly string[]>,
): { indexes: StemIndex[]; count: number } {
  const drafts = languages.map(createDraft);
  let count = 0;
  for (const texts of verses) {
    for (const [at, draft] of drafts.entries()) draft.add(count, texts[at] ?? '');
    count += 1;
  }
  return { indexes: drafts.map((draft) => draft.finish()), count };
}

/** Where a stem stands, while the text is read. */
interface Occurrences {
  verses: number[];
  counts: number[];
}

function createDraft(language: string) {
  const found = new Map<string, Occurrences>();
  const lengths: number[] = [];
  let withText = 0;
  const wordsOf = createStemReader(
    language,
    (stem): Occurrences => {
      const known = found.get(stem) ?? { verses: [], counts: [] };
      found.set(stem, known);
      return known;
    },
    { remember: mostRemembered },
  );

  return {
    add(verse: number, text: string): void {
      lengths[verse] = wordsOf(text, ({ verses, counts }) => {
        const last = verses.length - 1;
        if (verses[last] === verse) counts[last] = (counts[last] ?? 0) + 1;
        else {
          verses.push(verse);
          counts.push(1);
        }
      });
      if (text !== '') withText += 1;
    },
    finish(): StemIndex {
      const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(withText, 1);
      const weight = (verse: number, times: number): number =>
        Math.min(
          1,
          ((saturation + 1) * times) /
            (times + saturation * (1 - lengthShare + (lengthShare * (lengths[verse] ?? 0)) / meanLength)) /
            fullWeight,
        );
      const starts = new Uint32Array(found.size + 1);
      const all = Array.from(found.values());
      for (const [at, { verses }] of all.entries()) starts[at + 1] = (starts[at] ?? 0) + verses.length;
      const [verses, weights] = [new Uint32Array(starts.at(-1) ?? 0), new Float32Array(starts.at(-1) ?? 0)];
      for (const [at, occurrences] of all.entries()) {
        verses.set(occurrences.verses, starts[at]);
        weights.set(
          occurrences.counts.map((times, index) => weight(occurrences.verses[index] ?? 0, times)),
          starts[at],
        );
      }
      return { language, withText, stems: Array.from(found.keys()), starts, verses, weights };
    },
  };
}

function createText({ language, withText, stems, starts, verses, weights }: StemIndex) {
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const wordsOf = createStemReader(language, (stem) => stem, { remember: 0 });
  const look = (stem: string): { from: number; to: number; rarity: number } => {
    const number = numbers.get(stem);
    const [from = 0, to = 0] = number === undefined ? [] : [starts[number], starts[number + 1]];
    const frequency = to - from;
    return { from, to, rarity: Math.log(1 + (withText - frequency + 0.5) / (frequency + 0.5)) };
  };
  /** Adds to each verse what it covers, and writes down which verses it added to. -> how many */
  return (question: string, { covered, positions }: { covered: Float32Array; positions: Uint32Array }): number => {
    const asked = new Set<string>();
    wordsOf(question, (stem) => asked.add(stem));
    const found = Array.from(asked, look);
    const whole = found.reduce((sum, { rarity }) => sum + rarity, 0);
    let count = 0;
    for (const { from, to, rarity } of found) {
      for (let at = from; at < to; at += 1) {
        const verse = verses[at] ?? 0;
        if (covered[verse] === 0) positions[count++] = verse;
        covered[verse] = (covered[verse] ?? 0) + (rarity / whole) * (weights[at] ?? 0);
      }
    }
    return count;
  };
}
