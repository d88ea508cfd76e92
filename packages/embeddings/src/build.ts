import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import { nullIfUnusable } from '@lectern/data-files';
import type { Embedder } from './embedder';
import type { VectorsCheckpoint } from './vectors';
import {
  findReusableRows,
  joinRows,
  openVectorsCheckpoint,
  readVectors,
  readVectorsIndex,
  writeVectors,
} from './vectors';
import type { VerseText } from './verses';
import { eachVerseText, hashInputs, hashLength, textsDigest, textsForVectors, verseVector } from './verses';

export interface BuildVectorsOptions {
  corpus: Pick<Corpus, 'translation' | 'range' | 'translationDigest'>;
  /** The translation's identifier. */
  translation: string;
  embedder: Pick<Embedder, 'passageId' | 'dimensions' | 'embedPassages'>;
  /**
   * The path of the file to write. Vectors in an existing file are reused if their texts are
   * unchanged.
   */
  file: string;
  /**
   * The path of another file with reusable vectors, such as the file that ships with Lectern. Null
   * if there is none.
   */
  shipped?: string | null;
  /** The ordinals of the verses that get a vector. By default all verses get one. */
  only?: ReadonlySet<number>;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  /** Stops the build. The next call continues from the last checkpoint. */
  signal?: AbortSignal;
  now?: () => number;
}

export interface BuiltVectors {
  /** The number of verses with a vector in the file. */
  verses: number;
  /** The number of verses whose vectors were computed. The other vectors were reused. */
  computed: number;
}

/** The number of texts between two checkpoints. */
const textsPerCheckpoint = 256;

const progressIntervalMs = 5_000;

/**
 * Resolves to true if the vectors file is intact, and was made by this model and the current
 * `embeddingRecipe` from the current texts.
 */
export const areVectorsUpToDate = async (
  options: Pick<BuildVectorsOptions, 'corpus' | 'translation' | 'embedder' | 'file'>,
): Promise<boolean> => (await readIndexIfUpToDate(options)) !== null;

const readIndexIfUpToDate = ({
  corpus,
  translation,
  embedder,
  file,
}: Pick<BuildVectorsOptions, 'corpus' | 'translation' | 'embedder' | 'file'>) =>
  readVectorsIndex(file, {
    embedder: embedder.passageId,
    translation,
    textsDigest: textsDigest(corpus.translationDigest, translation),
  }).catch(nullIfUnusable);

/**
 * Builds or updates the vectors file of a translation. Reuses the vectors of one existing file,
 * `file` or `shipped`. Computes only the vectors of verses that this file lacks, or of which the
 * text or a neighbor's text has changed.
 */
export async function buildVectors(options: BuildVectorsOptions): Promise<BuiltVectors> {
  const { corpus, translation, embedder, file, log, signal } = options;
  signal?.throwIfAborted();
  const { passageId, dimensions } = embedder;
  const expected = { embedder: passageId, translation };
  const upToDate = await readIndexIfUpToDate(options);
  if (upToDate) return { verses: upToDate.count, computed: 0 };

  // The vector of a verse also depends on its neighbors. So all verses are read, even if only some
  // of them get a vector.
  const verses = options.only?.size === 0 ? [] : Array.from(eachVerseText(corpus, translation));
  const positions = verses.flatMap(({ ordinal }, position) => (options.only?.has(ordinal) === false ? [] : [position]));
  const hashes = positions.map((position) => hashInputs(verses, position));
  const present = await readVectors(file, expected).catch(nullIfUnusable);
  const shipped = options.shipped ? await readVectors(options.shipped, expected).catch(nullIfUnusable) : null;
  const reusable = findReusableRows([present, shipped], hashes);
  const missing = positions.filter((_, index) => !reusable.rows.has(hashes[index]?.toString('hex') ?? ''));
  mkdirSync(dirname(file), { recursive: true });

  if (missing.length > 0)
    log(`${translation}: ${grouped(missing.length)} of ${grouped(positions.length)} verses need a vector`);
  const checkpoint =
    missing.length === 0 ? null : openVectorsCheckpoint(`${file}.passages`, { ...expected, dimensions });
  const computed = checkpoint
    ? await computeVectors(verses, missing, checkpoint, options)
    : new Map<string, Float64Array>();
  const { scale, rows } = joinRows(hashes, reusable, { computed, dimensions });
  // The file's header has the properties in this order.
  await writeVectors(file, {
    embedder: passageId,
    dimensions,
    translation,
    textsDigest: textsDigest(corpus.translationDigest, translation),
    scale,
    count: positions.length,
    ordinals: Int32Array.from(positions, (position) => verses[position]?.ordinal ?? 0),
    hashes: Buffer.concat(hashes),
    rows,
  });
  checkpoint?.remove();
  const reusedCount = positions.length - missing.length;
  if (positions.length === 0) return { verses: 0, computed: 0 };
  log(
    `${translation}: ${grouped(positions.length)} vectors in ${file}${reusedCount > 0 ? `, ${grouped(reusedCount)} of them reused` : ''}`,
  );
  return { verses: positions.length, computed: missing.length };
}

/**
 * Computes the missing vectors. Continues from the checkpoint of an interrupted build. Resolves
 * with the vectors by the hash of their texts.
 */
async function computeVectors(
  verses: readonly VerseText[],
  missing: readonly number[],
  checkpoint: VectorsCheckpoint,
  options: BuildVectorsOptions,
): Promise<ReadonlyMap<string, Float64Array>> {
  try {
    await embedAll(textsForVectors(verses, missing), checkpoint, options);
    return new Map(
      missing.map((position) => [
        hashInputs(verses, position).toString('hex'),
        verseVector(verses, position, checkpoint.vector),
      ]),
    );
  } catch (error) {
    checkpoint.close();
    throw error;
  }
}

async function embedAll(
  texts: readonly string[],
  store: VectorsCheckpoint,
  { translation, embedder, log, signal, now = Date.now }: BuildVectorsOptions,
): Promise<void> {
  const todo = texts.filter((text) => !store.has(text));
  if (todo.length < texts.length)
    log(`${translation}: continues after ${grouped(texts.length - todo.length)} of ${grouped(texts.length)} passages`);
  // The remaining time is estimated by letters, because texts are sorted by length and long texts
  // take longer.
  const letters = todo.reduce((sum, text) => sum + text.length, 0);
  const startedAt = now();
  let [done, lettersDone, reportedAt] = [0, 0, startedAt];
  while (done < todo.length) {
    signal?.throwIfAborted();
    const chunk = todo.slice(done, done + textsPerCheckpoint);
    store.append(chunk, await embedder.embedPassages(chunk, signal ? { signal } : {}));
    done += chunk.length;
    lettersDone += chunk.reduce((sum, text) => sum + text.length, 0);
    if (now() - reportedAt < progressIntervalMs && done < todo.length) continue;
    reportedAt = now();
    const seconds = Math.max((reportedAt - startedAt) / 1000, 0.001);
    const secondsLeft = seconds * (letters / lettersDone - 1);
    log(
      `${translation}: ${grouped(done)} of ${grouped(todo.length)} passages, ${Math.round(done / seconds)} a second, ${timeLeft(secondsLeft)} left`,
    );
  }
}

const grouped = (count: number): string => count.toLocaleString('en');

const timeLeft = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

interface CompareOptions {
  corpus: Pick<Corpus, 'translation' | 'range'>;
  translation: string;
  embedder: Pick<Embedder, 'passageId' | 'dimensions' | 'embedPassages'>;
  file: string;
  /** The number of verses to recompute. */
  sample: number;
  signal?: AbortSignal;
}

interface VectorComparison {
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
