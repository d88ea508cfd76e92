import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BinaryFileKind } from '@lectern/data-files';
import {
  explainWriteError,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from '@lectern/data-files';
import { embeddingRecipe, hashLength } from './verse-texts';

const kind: BinaryFileKind = { magic: 'LECTVEC\n', formatVersion: 1, name: 'vectors file' };

export const vectorsFile = (dataDir: string, translation: string): string => join(dataDir, `${translation}.vec`);

/** Returns the path of a translation's vectors that ship with Lectern. Null if there are none. */
export function shippedVectors(translation: string): string | null {
  const file = join(__dirname, '..', 'vectors', `${translation}.vec`);
  return existsSync(file) ? file : null;
}

export interface VectorsHeader {
  /** The `Embedder.passageId` that made the vectors. Vectors with different values must not be compared. */
  embedder: string;
  dimensions: number;
  translation: string;
  /** The digest of the texts from which the vectors were made. The function `textsDigest` computes it. */
  textsDigest: string;
  /** A component of a vector is its byte in `rows` times this scale. */
  scale: number;
  count: number;
}

/** The content of a vectors file: the vectors of a translation's verses, in canonical order. */
export interface VerseVectors extends VectorsHeader {
  ordinals: Int32Array;
  /** The hash of the texts from which each verse's vector was made. It has `hashLength` bytes. */
  hashes: Uint8Array;
  /** The vector of each verse, as `dimensions` signed bytes. */
  rows: Int8Array;
}

/** What the header of a file must have. Absent properties are not compared. */
export type Expected = Partial<Pick<VectorsHeader, 'embedder' | 'translation' | 'textsDigest'>>;

const none = new Uint8Array();

async function readSections(file: string, expected: Expected, loaded: number) {
  const { header, sections, starts } = await readBinaryFile<VectorsHeader & { recipe: unknown }>(file, kind, loaded);
  const { embedder, dimensions, translation, textsDigest, scale, count, recipe, lengths } = header;
  if (lengths.join() !== [count * 4, count * hashLength, count * dimensions].join())
    throw unusableFileError(file, 'is damaged (its sections do not fit)');
  if (translation !== (expected.translation ?? translation))
    throw unusableFileError(file, `is of the translation ${translation}, not of ${expected.translation}`);
  if (textsDigest !== (expected.textsDigest ?? textsDigest)) throw unusableFileError(file, 'was made from other texts');
  checkEmbedder(file, embedder, expected);
  if (recipe !== embeddingRecipe) throw unusableFileError(file, 'was made by another version of Lectern');
  const [ordinals = none, hashes = none, rows = none] = sections;
  return {
    header: { embedder, dimensions, translation, textsDigest, scale, count },
    ordinals: viewAsNumbers(ordinals, Int32Array),
    hashes,
    rows: viewAsNumbers(rows, Int8Array),
    /** The position of the first row in the file, in bytes. */
    rowsAt: starts[2] ?? 0,
  };
}

/** Reads a vectors file. Throws a ChecksummedFileError if it is missing, damaged or not the expected one. */
export async function readVectors(file: string, expected: Expected = {}): Promise<VerseVectors> {
  const { header, ordinals, hashes, rows } = await readSections(file, expected, 3);
  return { ...header, ordinals, hashes, rows };
}

/** Verifies the whole file like `readVectors`, but keeps only the ordinals of its verses in memory. */
export const readVectorsIndex = (file: string, expected: Expected = {}) => readSections(file, expected, 1);

export function checkEmbedder(file: string, embedder: string, expected: Pick<Expected, 'embedder'>): void {
  if (embedder !== (expected.embedder ?? embedder))
    throw unusableFileError(
      file,
      `was made by the model ${embedder}, and queries are embedded by ${expected.embedder}`,
    );
}

export const writeVectors = (file: string, { ordinals, hashes, rows, ...header }: VerseVectors): Promise<void> =>
  writeBinaryFile(file, kind, { recipe: embeddingRecipe, ...header }, [
    viewAsBytes(ordinals),
    hashes,
    viewAsBytes(rows),
  ]);

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Keeps the vectors of single texts if a build is interrupted. The first line names the model: a file of another one is
 * overwritten. Others have a hash and a vector in base64. Incomplete lines, as after a power cut, are ignored.
 */
export async function openVectorsCheckpoint(file: string, model: { embedder: string; dimensions: number }) {
  const header = JSON.stringify(model);
  const vectors = new Map<string, Float32Array>();
  let isOfThisModel = false;
  const write = (lines: string, flag: 'a' | 'w'): void => {
    try {
      writeFileSync(file, lines, { flag });
    } catch (error) {
      throw explainWriteError(file, error);
    }
  };
  if (existsSync(file))
    for await (const line of (await open(file)).readLines()) {
      isOfThisModel ||= line === header;
      const [key = '', base64 = ''] = line.split(' ');
      const { buffer, length } = Uint8Array.from(Buffer.from(base64, 'base64'));
      if (isOfThisModel && length === model.dimensions * 4) vectors.set(key, new Float32Array(buffer));
    }
  if (!isOfThisModel) write(header, 'w');

  return {
    has: (text: string): boolean => vectors.has(keyOf(text)),
    /** Returns the vector of a text. Throws if the file does not have it. */
    vector(text: string): Float32Array {
      const vector = vectors.get(keyOf(text));
      if (!vector) throw new Error('a text was not embedded before its verse was made');
      return vector;
    },
    append(texts: readonly string[], textVectors: readonly Float32Array[]): void {
      const lines = textVectors.map((vector, at) => {
        const key = keyOf(texts[at] ?? '');
        vectors.set(key, vector);
        return `\n${key} ${Buffer.from(viewAsBytes(vector)).toString('base64')}`;
      });
      write(lines.join(''), 'a');
    },
  };
}

export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Returns the vector of length 1 that has the direction of `numbers`. */
export function unitVector(numbers: Int8Array | Float32Array): Float32Array {
  const length = Math.sqrt(dot(numbers, numbers));
  return Float32Array.from(numbers, (value) => value / length);
}

type Vector = Float32Array | Float64Array;

function scaleOf(vectors: Iterable<Vector>): number {
  let max = 0;
  for (const vector of vectors) for (const value of vector) max = Math.max(max, Math.abs(value));
  return max / 127;
}

/** Returns components in units of `scale`, as signed bytes. Larger ones become the largest byte. */
const quantize = (vector: ArrayLike<number>, scale: number): Int8Array =>
  Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value / scale))));

/**
 * Makes a row of bytes for each hash, and reuses those of the file with the most: each file has its own scale.
 * `compute` resolves with missing vectors, in order. A component too large for that scale becomes the largest byte,
 * which hardly changes the direction.
 */
export async function buildRows(
  files: readonly (Pick<VerseVectors, 'hashes' | 'rows' | 'scale'> | null)[],
  hashes: readonly Buffer[],
  dimensions: number,
  compute: (missing: readonly number[]) => Promise<readonly Vector[]>,
): Promise<{ scale: number; rows: Int8Array; computed: number }> {
  const keys = hashes.map((hash) => hash.toString('hex'));
  const wanted = new Set(keys);
  let reused = { scale: 0, rows: new Map<string, Int8Array>() };
  for (const file of files) {
    if (!file) continue;
    const rows = new Map<string, Int8Array>();
    for (let at = 0; at * hashLength < file.hashes.length; at += 1) {
      const key = Buffer.from(file.hashes.subarray(at * hashLength, (at + 1) * hashLength)).toString('hex');
      if (wanted.has(key)) rows.set(key, file.rows.subarray(at * dimensions, (at + 1) * dimensions));
    }
    if (rows.size > reused.rows.size) reused = { scale: file.scale, rows };
  }
  const missing = [...keys.keys()].filter((index) => !reused.rows.has(keys[index] ?? ''));
  const computed = await compute(missing);
  const scale = reused.rows.size > 0 ? reused.scale : scaleOf(computed);
  const rows = new Int8Array(hashes.length * dimensions);
  for (const [index, key] of keys.entries()) rows.set(reused.rows.get(key) ?? [], index * dimensions);
  for (const [at, index] of missing.entries()) rows.set(quantize(computed[at] ?? [], scale), index * dimensions);
  return { scale, rows, computed: missing.length };
}
