import type { BuildVectorsOptions } from '../src/build-vectors';
import { dot, readVectors } from '../src/vectors';
import { eachVerseText, hashInputs, hashLength, textsForVectors, verseVector } from '../src/verse-texts';

/** The length of a run of verses. Ten neighbors need 12 texts of each translation, ten single verses 30. */
const runLength = 10;

/**
 * Computes `sample` vectors of a file again, evenly spread over the verses whose texts have not changed. Resolves
 * with the number of verses in the translation, the number of sampled verses, the number of verses that the file
 * lacks or whose texts have changed, and the lowest cosine of a stored and a computed vector.
 */
export async function verifyVectors({
  corpus,
  translation,
  embedder,
  file,
  sample,
}: Pick<BuildVectorsOptions, 'corpus' | 'translation' | 'embedder' | 'file'> & { sample: number }) {
  const { dimensions, ordinals, hashes, rows } = await readVectors(file, { embedder: embedder.passageId, translation });
  const verses = Array.from(eachVerseText(corpus, translation));
  const rowOf = new Map(Array.from(ordinals, (ordinal, row) => [ordinal, row]));
  const current = verses.flatMap(({ ordinal }, position) => {
    const row = rowOf.get(ordinal);
    if (row === undefined) return [];
    const isUnchanged = hashInputs(verses, position).equals(hashes.subarray(row * hashLength, (row + 1) * hashLength));
    return isUnchanged ? [{ position, row }] : [];
  });
  const sampled = sampleRuns(current, sample);
  const positions = sampled.map(({ position }) => position);
  const texts = textsForVectors(verses, positions);
  const passages = await embedder.embedPassages(texts);
  const byText = new Map(texts.map((text, at) => [text, passages[at]]));
  const vectorOfText = (text: string) => byText.get(text) ?? new Float32Array(dimensions);
  const cosines = sampled.map(({ position, row }) =>
    cosine(verseVector(verses, position, vectorOfText), rows.subarray(row * dimensions, (row + 1) * dimensions)),
  );
  return {
    verses: verses.length,
    sampled: sampled.length,
    outdated: verses.length - current.length,
    minCosine: Math.min(1, ...cosines),
  };
}

/** Returns `size` items, as evenly spread runs of `runLength`. Returns all items if there are fewer. */
function sampleRuns<Item>(items: readonly Item[], size: number): Item[] {
  if (size >= items.length) return [...items];
  const runs = Math.ceil(size / runLength);
  return Array.from({ length: runs }, (_, run) => {
    const first = Math.floor((run * items.length) / runs);
    return items.slice(first, first + Math.min(runLength, size - run * runLength));
  }).flat();
}

const cosine = (a: Float64Array, b: Int8Array): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
