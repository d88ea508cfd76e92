import { createHash } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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
import { embeddingRecipe, hashLength } from './verses';

const kind: BinaryFileKind = { magic: 'LECTVEC\n', formatVersion: 1, name: 'vectors file' };

/** Returns the path of a translation's vectors in the data folder. */
export const vectorsFile = (dataDir: string, translation: string): string => join(dataDir, `${translation}.vec`);

/**
 * Returns the path of the vectors that ship with Lectern, made by the built-in model. Returns null
 * if no vectors of this translation ship with Lectern.
 */
export function shippedVectors(translation: string): string | null {
  const file = join(__dirname, '..', 'vectors', `${translation}.vec`);
  return existsSync(file) ? file : null;
}

export interface VectorsHeader {
  /**
   * Identifies the model and the settings that made the vectors (`Embedder.passageId`). Vectors
   * with different values must not be compared.
   */
  embedder: string;
  dimensions: number;
  /** The translation's identifier. */
  translation: string;
  /** The digest of the texts from which the vectors were made (`textsDigest`). */
  textsDigest: string;
  /** The scale of the bytes in rows: a component of a vector is its byte times this scale. */
  scale: number;
  count: number;
}

/** The vectors of a translation's verses in canonical order, as the file contains them. */
export interface VerseVectors extends VectorsHeader {
  ordinals: Int32Array;
  /** `hashLength` bytes per verse: the hash of the texts from which its vector was made. */
  hashes: Uint8Array;
  /** One row of `dimensions` signed bytes per verse. */
  rows: Int8Array;
}

/** The origin that a file must have. A member that is left out is not checked. */
export interface Expected {
  embedder?: string;
  translation?: string;
  textsDigest?: string;
}

/** The content of a vectors file without hashes and rows. The rows stay in the file. */
export interface VectorsIndex extends VectorsHeader {
  ordinals: Int32Array;
  /** The position of the first row in the file, in bytes. */
  rowsAt: number;
}

/**
 * Reads a vectors file. Throws a ChecksummedFileError if the file is missing, damaged, or not the
 * expected file.
 */
export async function readVectors(file: string, expected: Expected = {}): Promise<VerseVectors> {
  const {
    header,
    sections: [ordinals, hashes, rows],
  } = await readBinaryFile<StoredHeader>(file, kind);
  const checked = checkedHeader(file, header, expected);
  if (!ordinals || !hashes || !rows) throw unusableFileError(file, 'is damaged (its sections do not fit)');
  return { ...checked, ordinals: viewAsNumbers(ordinals, Int32Array), hashes, rows: viewAsNumbers(rows, Int8Array) };
}

/** Verifies a whole file like `readVectors`, but loads only the ordinals of its verses. */
export async function readVectorsIndex(file: string, expected: Expected = {}): Promise<VectorsIndex> {
  const {
    header,
    sections: [ordinals],
    starts: [, , rowsAt],
  } = await readBinaryFile<StoredHeader>(file, kind, (length, section) =>
    section === 0 ? new Uint8Array(length) : null,
  );
  const checked = checkedHeader(file, header, expected);
  if (!ordinals || rowsAt === undefined) throw unusableFileError(file, 'is damaged (its sections do not fit)');
  return { ...checked, ordinals: viewAsNumbers(ordinals, Int32Array), rowsAt };
}

type StoredHeader = VectorsHeader & { recipe: unknown; lengths: readonly number[] };

function checkedHeader(file: string, header: StoredHeader, expected: Expected): VectorsHeader {
  const { embedder, dimensions, translation, textsDigest, scale, count, recipe, lengths } = header;
  if (lengths.join() !== [count * 4, count * hashLength, count * dimensions].join())
    throw unusableFileError(file, 'is damaged (its sections do not fit)');
  checkOrigin(file, header, expected);
  checkEmbedder(file, embedder, expected);
  if (recipe !== embeddingRecipe) throw unusableFileError(file, 'was made by another version of Lectern');
  return { embedder, dimensions, translation, textsDigest, scale, count };
}

/** Throws a ChecksummedFileError if another embedder than the expected one made the file. */
export function checkEmbedder(file: string, embedder: string, expected: Pick<Expected, 'embedder'>): void {
  if (expected.embedder !== undefined && embedder !== expected.embedder)
    throw unusableFileError(
      file,
      `was made by the model ${embedder}, and queries are embedded by ${expected.embedder}`,
    );
}

function checkOrigin(
  file: string,
  header: { translation: string; textsDigest: string },
  { translation, textsDigest }: Expected,
): void {
  if (translation !== undefined && header.translation !== translation)
    throw unusableFileError(file, `is of the translation ${header.translation}, not of ${translation}`);
  if (textsDigest !== undefined && header.textsDigest !== textsDigest)
    throw unusableFileError(file, 'was made from other texts');
}

export const writeVectors = (file: string, { ordinals, hashes, rows, ...header }: VerseVectors): Promise<void> =>
  writeBinaryFile(file, kind, { recipe: embeddingRecipe, ...header }, [
    viewAsBytes(ordinals),
    hashes,
    viewAsBytes(rows),
  ]);

const format = 'lectern-passages-1';
const headerLength = 256;
const keyLength = 32;

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Opens a checkpoint file, which keeps the vectors of single texts if a build is interrupted.
 * Records are only appended. If the last record is incomplete, for example after a power cut, it is
 * removed. A file of another model is overwritten.
 */
export function openVectorsCheckpoint(
  file: string,
  { embedder, dimensions }: { embedder: string; dimensions: number },
) {
  const header = Buffer.from(`${JSON.stringify({ format, embedder, dimensions }).padEnd(headerLength - 1)}\n`);
  const recordLength = keyLength + dimensions * 4;
  const vectors = new Map<string, Float32Array>();

  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const isOfThisModel = bytes.length >= headerLength && bytes.subarray(0, headerLength).equals(header);
  const completeRecords = isOfThisModel ? Math.floor((bytes.length - headerLength) / recordLength) : 0;
  for (let record = 0; record < completeRecords; record += 1) {
    const at = headerLength + record * recordLength;
    vectors.set(
      bytes.toString('hex', at, at + keyLength),
      Float32Array.from({ length: dimensions }, (_, dimension) => bytes.readFloatLE(at + keyLength + dimension * 4)),
    );
  }
  const handle = openSync(file, isOfThisModel ? 'r+' : 'w');
  const write = (data: Buffer, position: number): void => {
    try {
      // The loop is needed, because writeSync writes only a part of the data if the disk has no
      // room for the rest.
      for (let written = 0; written < data.length; )
        written += writeSync(handle, data, written, data.length - written, position + written);
    } catch (error) {
      throw explainWriteError(file, error);
    }
  };
  let end = headerLength + completeRecords * recordLength;
  if (isOfThisModel) ftruncateSync(handle, end);
  else write(header, 0);

  return {
    has: (text: string): boolean => vectors.has(keyOf(text)),
    /** Returns the vector of a text. Throws an error if the file has no vector of this text. */
    vector(text: string): Float32Array {
      const vector = vectors.get(keyOf(text));
      if (!vector) throw new Error('a text was not embedded before its verse was made');
      return vector;
    },
    append(texts: readonly string[], textVectors: readonly Float32Array[]): void {
      const records = Buffer.alloc(texts.length * recordLength);
      for (const [record, text] of texts.entries()) {
        const vector = textVectors[record] ?? new Float32Array(dimensions);
        records.write(keyOf(text), record * recordLength, 'hex');
        for (const [dimension, value] of vector.entries())
          records.writeFloatLE(value, record * recordLength + keyLength + dimension * 4);
        vectors.set(keyOf(text), vector);
      }
      write(records, end);
      end += records.length;
    },
    close: (): void => closeSync(handle),
    /** Closes and deletes the file, when the build is complete. */
    remove(): void {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
export type VectorsCheckpoint = ReturnType<typeof openVectorsCheckpoint>;

type Vector = Float32Array | Float64Array;

/** Returns the scale with which every component of these vectors fits a signed byte. */
function scaleOf(vectors: Iterable<Vector>): number {
  let max = 0;
  for (const vector of vectors) for (const value of vector) max = Math.max(max, Math.abs(value));
  return max / 127;
}

/** Returns the components in units of `scale`, as signed bytes. Clamps larger components. */
const quantize = (vector: Vector, scale: number): Int8Array =>
  Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value / scale))));

/** The rows of an existing file that a build reuses. */
interface ReusableRows {
  /**
   * The scale of the rows: a component of a vector is its byte times this scale. Null if there are
   * no rows.
   */
  scale: number | null;
  /** The rows by the hash of the text from which the vector was made. */
  rows: ReadonlyMap<string, Int8Array>;
}

/**
 * Returns the reusable rows of the file that has most of the wanted hashes. Rows of two files
 * cannot be mixed, because each file has its own scale.
 */
export function findReusableRows(
  files: readonly (Pick<VerseVectors, 'hashes' | 'rows' | 'dimensions' | 'scale'> | null)[],
  wanted: readonly Buffer[],
): ReusableRows {
  const wantedKeys = new Set(wanted.map((hash) => hash.toString('hex')));
  let best: ReusableRows = { scale: null, rows: new Map() };
  for (const file of files) {
    if (!file) continue;
    const rows = new Map<string, Int8Array>();
    for (let at = 0; at * hashLength < file.hashes.length; at += 1) {
      const key = Buffer.from(file.hashes.subarray(at * hashLength, (at + 1) * hashLength)).toString('hex');
      if (wantedKeys.has(key)) rows.set(key, file.rows.subarray(at * file.dimensions, (at + 1) * file.dimensions));
    }
    if (rows.size > best.rows.size) best = { scale: file.scale, rows };
  }
  return best;
}

/**
 * Joins computed vectors and reused rows, in the order of `hashes`. All rows of a file have one
 * scale. If rows are reused, the computed vectors take their scale. A component that is too large
 * for it is clamped, which hardly changes the direction of the vector.
 */
export function joinRows(
  hashes: readonly Buffer[],
  reusable: ReusableRows,
  { computed, dimensions }: { computed: ReadonlyMap<string, Vector>; dimensions: number },
): { scale: number; rows: Int8Array } {
  const scale = reusable.scale ?? scaleOf(computed.values());
  const rows = new Int8Array(hashes.length * dimensions);
  for (const [index, hash] of hashes.entries()) {
    const key = hash.toString('hex');
    const vector = computed.get(key);
    rows.set((vector ? quantize(vector, scale) : reusable.rows.get(key)) ?? [], index * dimensions);
  }
  return { scale, rows };
}
