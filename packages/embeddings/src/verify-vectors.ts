import type { Corpus } from '@lectern/corpus';
import type { Embedder } from './embedder';
import { readVectors } from './vectors';
import { eachVerseText } from './verse-texts';
import { hashInputs, hashLength, textsForVectors, verseVector } from './verses';

export interface CompareOptions {
  corpus: Pick<Corpus, 'translation' | 'range'>;
  translation: string;
  embedder: Pick<Embedder, 'passageId' | 'dimensions' | 'embedPassages'>;
  file: string;
  /** The number of verses to recompute. */
  sample: number;
  signal?: AbortSignal;
}

export interface VectorComparison {
  verses: number;
  sampled: number;
  /** The number of verses that the file lacks, or whose texts have changed since. */
  outdated: number;
  /**
   * The minimum cosine, over the sample, between a vector of the file and the recomputed vector.
   */
  minCosine: number;
}

/**
 * The minimum cosine of a valid vector. With a lower cosine, another model or other texts made the
 * vector.
 */
export const requiredCosine = 0.995;

/**
 * The sample consists of runs of this many consecutive verses, because a verse's vector also
 * depends on its two neighbors. Ten consecutive verses need 12 texts per translation, and ten
 * separate verses would need 30.
 */
const runLength = 10;

/**
 * Computes a sample of the vectors of a file again, and compares the results with the file. The
 * sample's runs are evenly spread over the verses whose texts are unchanged, and not random.
 */
export async function verifyVectors({
  corpus,
  translation,
  embedder,
  file,
  sample,
  signal,
}: CompareOptions): Promise<VectorComparison> {
  const vectors = await readVectors(file, { embedder: embedder.passageId, translation });
  const verses = Array.from(eachVerseText(corpus, translation));
  const rows = new Map(Array.from(vectors.ordinals, (ordinal, row) => [ordinal, row]));
  const current = verses.flatMap(({ ordinal }, position) => {
    const row = rows.get(ordinal);
    if (row === undefined) return [];
    return hashInputs(verses, position).equals(vectors.hashes.subarray(row * hashLength, (row + 1) * hashLength))
      ? [{ position, row }]
      : [];
  });
  const sampled = sampleRuns(current, sample);
  const texts = textsForVectors(
    verses,
    sampled.map(({ position }) => position),
  );
  const passages = await embedder.embedPassages(texts, signal ? { signal } : {});
  const byText = new Map(texts.map((text, at) => [text, passages[at] ?? new Float32Array(embedder.dimensions)]));
  const cosines = sampled.map(({ position, row }) => {
    const recomputed = verseVector(
      verses,
      position,
      (text) => byText.get(text) ?? new Float32Array(embedder.dimensions),
    );
    return cosine(recomputed, vectors.rows.subarray(row * vectors.dimensions, (row + 1) * vectors.dimensions));
  });
  return {
    verses: verses.length,
    sampled: sampled.length,
    outdated: verses.length - current.length,
    minCosine: Math.min(1, ...cosines),
  };
}

/** Returns `size` items in evenly spread runs of `runLength`, or all items if there are fewer. */
function sampleRuns<Item>(items: readonly Item[], size: number): Item[] {
  if (size >= items.length) return [...items];
  const runs = Math.ceil(size / runLength);
  return Array.from({ length: runs }, (_, run) => {
    const first = Math.floor((run * items.length) / runs);
    return items.slice(first, first + Math.min(runLength, size - run * runLength));
  }).flat();
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  return product / Math.sqrt(squaresOfA * squaresOfB);
}
