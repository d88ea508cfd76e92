import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import { nullIfUnusable } from '@lectern/data-files';
import type { Embedder } from './embedder';
import { buildRows, openVectorsCheckpoint, readVectors, readVectorsIndex, writeVectors } from './vectors';
import type { VerseText } from './verse-texts';
import { eachVerseText, hashInputs, textsDigest, textsForVectors, verseVector } from './verse-texts';

interface VectorsSource {
  corpus: Pick<Corpus, 'translation' | 'range' | 'translationDigest'>;
  translation: string;
  embedder: Pick<Embedder, 'passageId' | 'dimensions' | 'embedPassages'>;
  file: string;
}

export interface BuildVectorsOptions extends VectorsSource {
  /** The verses that get a vector, as numbers such as 43003016 for JHN 3:16. By default all verses. */
  only?: ReadonlySet<number>;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  /** Stops the build. The next call continues after the last checkpoint. */
  signal?: AbortSignal;
  now?: () => number;
}

/** The number of texts between two checkpoints. */
const textsPerCheckpoint = 256;

const progressIntervalMs = 5_000;

/** Resolves with true if the vectors file is intact, and of this model, recipe and the current texts. */
export const areVectorsUpToDate = async (source: VectorsSource): Promise<boolean> =>
  (await readIndexIfUpToDate(source)) !== null;

const readIndexIfUpToDate = ({ corpus, translation, embedder, file }: VectorsSource) =>
  readVectorsIndex(file, {
    embedder: embedder.passageId,
    translation,
    textsDigest: textsDigest(corpus.translationDigest, translation),
  }).catch(nullIfUnusable);

/** Computes vectors that the file lacks, or whose text or neighbor's text has changed. Resolves with both counts. */
export async function buildVectors(options: BuildVectorsOptions): Promise<{ verses: number; computed: number }> {
  const { corpus, translation, embedder, file, only, log, signal } = options;
  signal?.throwIfAborted();
  const { passageId, dimensions } = embedder;
  const expected = { embedder: passageId, translation };
  const upToDate = await readIndexIfUpToDate(options);
  if (upToDate) return { verses: upToDate.header.count, computed: 0 };

  // All verses are read, even if only some get a vector, because the vector of a verse also depends on its neighbors.
  const verses = only?.size === 0 ? [] : Array.from(eachVerseText(corpus, translation));
  const positions = [...verses.keys()].filter((position) => only?.has(verses[position]?.ordinal ?? 0) ?? true);
  const hashes = positions.map((position) => hashInputs(verses, position));
  const present = await readVectors(file, expected).catch(nullIfUnusable);
  mkdirSync(dirname(file), { recursive: true });
  const checkpointFile = `${file}.passages`;
  const { scale, rows, computed } = await buildRows([present], hashes, dimensions, async (missing) => {
    if (missing.length === 0) return [];
    log(`${translation}: ${grouped(missing.length)} of ${grouped(positions.length)} verses need a vector`);
    const wanted = missing.map((index) => positions[index] ?? 0);
    return computeVectors(verses, wanted, checkpointFile, options);
  });
  // The order of these properties is the order in the file's header.
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
  rmSync(checkpointFile, { force: true });
  const reused = positions.length - computed;
  if (positions.length > 0)
    log(
      `${translation}: ${grouped(positions.length)} vectors in ${file}${reused > 0 ? `, ${grouped(reused)} of them reused` : ''}`,
    );
  return { verses: positions.length, computed };
}

/** Computes the vectors of verses. Continues after the last checkpoint of an interrupted build. */
async function computeVectors(
  verses: readonly VerseText[],
  positions: readonly number[],
  checkpointFile: string,
  { translation, embedder, log, signal, now = Date.now }: BuildVectorsOptions,
): Promise<Float64Array[]> {
  const { passageId, dimensions } = embedder;
  const checkpoint = await openVectorsCheckpoint(checkpointFile, { embedder: passageId, dimensions });
  const texts = textsForVectors(verses, positions);
  const todo = texts.filter((text) => !checkpoint.has(text));
  if (todo.length < texts.length)
    log(`${translation}: continues after ${grouped(texts.length - todo.length)} of ${grouped(texts.length)} passages`);
  // The remaining time is estimated by letters, not by texts: texts are sorted by length, and long texts take longer.
  const letters = todo.reduce((sum, text) => sum + text.length, 0);
  const startedAt = now();
  let [done, lettersDone, reportedAt] = [0, 0, startedAt];
  while (done < todo.length) {
    signal?.throwIfAborted();
    const chunk = todo.slice(done, done + textsPerCheckpoint);
    checkpoint.append(chunk, await embedder.embedPassages(chunk, signal ? { signal } : {}));
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
  return positions.map((position) => verseVector(verses, position, checkpoint.vector));
}

const grouped = (count: number): string => count.toLocaleString('en');

const timeLeft = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
