import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import type { Embedder } from './embedder';
import { openPassageStore, type PassageStore } from './passage-store';
import { readVectors, readVectorsIndex, type VerseVectors, writeVectors } from './vectors-file';
import { eachVerseText, type VerseText } from './verse-texts';
import { hashLength, inputsHash, neighbours, verseVector } from './verse-vectors';

export interface BuildVectorsOptions {
  corpus: Pick<Corpus, 'translation' | 'range' | 'manifest'>;
  /** The edition's identifier. */
  translation: string;
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedPassages'>;
  /** Where the vectors go. What is there already is used as far as it is still true. */
  file: string;
  /** Another file whose vectors may be used, such as the one that ships with Lectern. */
  shipped?: string | null;
  /** Told how it goes, a line at a time. */
  log: (line: string) => void;
  /** Stops it. What was computed is kept, and the next call goes on from there. */
  signal?: AbortSignal;
  now?: () => number;
}

export interface BuiltVectors {
  /** Verses of the edition. */
  verses: number;
  /** Of these, how many were computed because no file had them. */
  computed: number;
}

/** Texts between two checkpoints. */
const chunkLength = 256;

const linesApartMs = 5_000;

/** Makes the vectors file of one edition, or brings it up to date: only verses are computed whose texts are not those of a vector at hand. */
export async function buildVectors(options: BuildVectorsOptions): Promise<BuiltVectors> {
  const { corpus, translation, embedder, file, log, signal } = options;
  signal?.throwIfAborted();
  const expected = { embedder: embedder.id, translation };
  const upToDate = await nullWhenUnusable(
    readVectorsIndex(file, { ...expected, corpusDigest: corpus.manifest.digest }),
  );
  if (upToDate) return { verses: upToDate.count, computed: 0 };

  const verses = Array.from(eachVerseText(corpus, translation));
  const hashes = verses.map((_, position) => inputsHash(verses, position));
  const present = await nullWhenUnusable(readVectors(file, expected));
  const shipped = options.shipped ? await nullWhenUnusable(readVectors(options.shipped, expected)) : null;
  const base = [present, shipped]
    .map((vectors) => found(vectors, hashes))
    .reduce((best, each) => (each.count > best.count ? each : best));
  const missing = hashes.flatMap((hash, position) => (base.rows.has(hash.toString('hex')) ? [] : [position]));
  mkdirSync(dirname(file), { recursive: true });

  const made = new Map<number, Float64Array>();
  if (missing.length > 0) {
    log(`${translation}: ${grouped(missing.length)} of ${grouped(verses.length)} verses need a vector`);
    const store = openPassageStore(`${file}.passages`, { embedder: embedder.id, dimensions: embedder.dimensions });
    try {
      await embedAll(textsOf(verses, missing), store, options);
      for (const position of missing) made.set(position, verseVector(verses, position, store.vector));
    } catch (error) {
      store.close();
      throw error;
    }
    await writeVectors(file, assembled({ verses, hashes, base, made, options }));
    store.remove();
  } else {
    await writeVectors(file, assembled({ verses, hashes, base, made, options }));
  }
  log(
    `${translation}: ${grouped(verses.length)} vectors in ${file}${missing.length < verses.length ? `, ${grouped(verses.length - missing.length)} of them as they were` : ''}`,
  );
  return { verses: verses.length, computed: missing.length };
}

/** Null for a file that is missing, damaged or of something else: it is about to be made anew. */
async function nullWhenUnusable<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading;
  } catch (error) {
    if (isChecksummedFileError(error)) return null;
    throw error;
  }
}

interface Base {
  scale: number | null;
  rows: ReadonlyMap<string, Int8Array>;
  /** How many of the wanted verses it has. */
  count: number;
}

function found(vectors: VerseVectors | null, hashes: readonly Buffer[]): Base {
  const rows = new Map<string, Int8Array>();
  if (!vectors) return { scale: null, rows, count: 0 };
  for (let verse = 0; verse < vectors.count; verse += 1) {
    const hash = Buffer.from(vectors.hashes.subarray(verse * hashLength, (verse + 1) * hashLength)).toString('hex');
    rows.set(hash, vectors.rows.subarray(verse * vectors.dimensions, (verse + 1) * vectors.dimensions));
  }
  return { scale: vectors.scale, rows, count: hashes.filter((hash) => rows.has(hash.toString('hex'))).length };
}

/** Short before long: texts of like length are embedded together. */
function textsOf(verses: readonly VerseText[], positions: readonly number[]): string[] {
  const texts = new Set<string>();
  for (const position of positions) {
    for (const at of [position, ...neighbours(verses, position)]) {
      for (const text of [verses[at]?.text ?? '', verses[at]?.second ?? '']) if (text !== '') texts.add(text);
    }
  }
  return Array.from(texts).sort((a, b) => a.length - b.length);
}

async function embedAll(
  texts: readonly string[],
  store: PassageStore,
  { translation, embedder, log, signal, now = Date.now }: BuildVectorsOptions,
): Promise<void> {
  const todo = texts.filter((text) => !store.has(text));
  if (todo.length < texts.length)
    log(`${translation}: goes on after ${grouped(texts.length - todo.length)} of ${grouped(texts.length)} passages`);
  // Time goes with the letters, not with the verses: long ones come last.
  const letters = todo.reduce((sum, text) => sum + text.length, 0);
  const began = now();
  let [done, lettersDone, said] = [0, 0, began];
  while (done < todo.length) {
    signal?.throwIfAborted();
    const chunk = todo.slice(done, done + chunkLength);
    store.put(chunk, await embedder.embedPassages(chunk, signal ? { signal } : {}));
    done += chunk.length;
    lettersDone += chunk.reduce((sum, text) => sum + text.length, 0);
    if (now() - said < linesApartMs && done < todo.length) continue;
    said = now();
    const seconds = Math.max((said - began) / 1000, 0.001);
    const left = seconds * (letters / lettersDone - 1);
    log(
      `${translation}: ${grouped(done)} of ${grouped(todo.length)} passages, ${Math.round(done / seconds)} a second, ${timeLeft(left)} left`,
    );
  }
}

function assembled({
  verses,
  hashes,
  base,
  made,
  options,
}: {
  verses: readonly VerseText[];
  hashes: readonly Buffer[];
  base: Base;
  made: ReadonlyMap<number, Float64Array>;
  options: BuildVectorsOptions;
}): VerseVectors {
  const {
    corpus,
    translation,
    embedder: { id, dimensions },
  } = options;
  const kept = base.count > 0 ? base.scale : null;
  // Vectors at hand keep their scale; a new component that it does not reach is cut, which turns a vector by next to nothing.
  const scale =
    kept ??
    Math.max(
      ...Array.from(made.values(), (vector) => vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)),
    ) / 127;
  const rows = new Int8Array(verses.length * dimensions);
  for (const [position, hash] of hashes.entries()) {
    const vector = made.get(position);
    const row = vector
      ? vector.map((value) => Math.max(-127, Math.min(127, Math.round(value / scale))))
      : base.rows.get(hash.toString('hex'));
    rows.set(row ?? [], position * dimensions);
  }
  return {
    embedder: id,
    dimensions,
    translation,
    corpusDigest: corpus.manifest.digest,
    scale,
    count: verses.length,
    ordinals: Int32Array.from(verses, ({ ordinal }) => ordinal),
    hashes: Buffer.concat(hashes),
    rows,
  };
}

const grouped = (count: number): string => count.toLocaleString('en');

const timeLeft = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
