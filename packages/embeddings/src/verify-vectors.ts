import type { Corpus } from '@lectern/corpus';
import type { Embedder } from './embedder';
import { readVectors } from './vectors-file';
import { eachVerseText } from './verse-texts';
import { hashLength, inputsHash, neighbours, verseVector } from './verse-vectors';

export interface VerifyOptions {
  corpus: Pick<Corpus, 'translation' | 'range'>;
  translation: string;
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedPassages'>;
  file: string;
  /** Verses computed anew. */
  sample: number;
  signal?: AbortSignal;
}

export interface Verified {
  verses: number;
  sampled: number;
  /** Verses of the edition that the file lacks, or made from other texts. */
  otherTexts: number;
  /** Between a vector of the file and the same computed now: the worst of the sample. */
  leastCosine: number;
}

/** Below this a vector is not the one that its texts give. */
export const trueCosine = 0.995;

/** Computes vectors of a file anew, evenly spread over the edition so that every run takes the same, and compares. */
export async function verifyVectors({
  corpus,
  translation,
  embedder,
  file,
  sample,
  signal,
}: VerifyOptions): Promise<Verified> {
  const vectors = await readVectors(file, { embedder: embedder.id, translation });
  const verses = Array.from(eachVerseText(corpus, translation));
  const rows = new Map(Array.from(vectors.ordinals, (ordinal, row) => [ordinal, row]));
  const same = verses.flatMap(({ ordinal }, position) => {
    const row = rows.get(ordinal);
    if (row === undefined) return [];
    return inputsHash(verses, position).equals(vectors.hashes.subarray(row * hashLength, (row + 1) * hashLength))
      ? [{ position, row }]
      : [];
  });
  const sampled = Array.from(
    { length: Math.min(sample, same.length) },
    (_, at) => same[Math.floor((at * same.length) / sample)],
  ).filter((each) => each !== undefined);
  const texts = new Set(
    sampled.flatMap(({ position }) =>
      [position, ...neighbours(verses, position)].flatMap((at) => [verses[at]?.text ?? '', verses[at]?.second ?? '']),
    ),
  );
  texts.delete('');
  const ordered = Array.from(texts).sort((a, b) => a.length - b.length);
  const passages = await embedder.embedPassages(ordered, signal ? { signal } : {});
  const byText = new Map(ordered.map((text, at) => [text, passages[at] ?? new Float32Array(embedder.dimensions)]));
  const cosines = sampled.map(({ position, row }) => {
    const now = verseVector(verses, position, (text) => byText.get(text) ?? new Float32Array(embedder.dimensions));
    return cosine(now, vectors.rows.subarray(row * vectors.dimensions, (row + 1) * vectors.dimensions));
  });
  return {
    verses: verses.length,
    sampled: sampled.length,
    otherTexts: verses.length - same.length,
    leastCosine: Math.min(1, ...cosines),
  };
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
