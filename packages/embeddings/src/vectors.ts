import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BinaryFileKind,
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

export function checkOrigin(
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
