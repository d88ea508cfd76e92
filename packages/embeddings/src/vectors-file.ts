import {
  type BinaryFileKind,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from '@lectern/data-files';
import { embeddingRecipe, hashLength } from './verse-vectors';

const kind: BinaryFileKind = { magic: 'LECTVEC\n', formatVersion: 1, name: 'vectors file' };

export interface VectorsHeader {
  /** The id of the model. */
  embedder: string;
  dimensions: number;
  /** The edition's identifier. */
  translation: string;
  /** Of the corpus whose verses these are. */
  corpusDigest: string;
  /** A component is its byte times this. */
  scale: number;
  count: number;
}

/** Vectors of an edition's verses in canonical order, as a file holds them. */
export interface VerseVectors extends VectorsHeader {
  ordinals: Int32Array;
  /** `hashLength` bytes a verse: of the texts that its vector was made from. */
  hashes: Uint8Array;
  /** One row of `dimensions` signed bytes a verse. */
  rows: Int8Array;
}

/** What a file has to be of; what is not given is not looked at. */
export interface Expected {
  embedder?: string;
  translation?: string;
  corpusDigest?: string;
}

/** What a file holds, but for the rows, which stay where they are. */
export interface VectorsIndex extends VectorsHeader {
  ordinals: Int32Array;
  /** Where the rows begin in the file. */
  rowsAt: number;
}

/** A file that is missing, damaged or of something else is refused with one line that names the command which makes it anew. */
export async function readVectors(file: string, expected: Expected = {}): Promise<VerseVectors> {
  const {
    header,
    sections: [ordinals, hashes, rows],
  } = await readBinaryFile<StoredHeader>(file, kind);
  const checked = checkedHeader(file, header, expected);
  if (!ordinals || !hashes || !rows) throw unusableFileError(file, 'is damaged (its sections do not fit)');
  return { ...checked, ordinals: viewAsNumbers(ordinals, Int32Array), hashes, rows: viewAsNumbers(rows, Int8Array) };
}

/** Reads a file to its end, and refuses it like `readVectors`, but keeps of it only which verses it is of. */
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
  const { embedder, dimensions, translation, corpusDigest, scale, count, recipe, lengths } = header;
  if (lengths.join() !== [count * 4, count * hashLength, count * dimensions].join())
    throw unusableFileError(file, 'is damaged (its sections do not fit)');
  checkOrigin(file, header, expected);
  if (expected.embedder !== undefined && embedder !== expected.embedder)
    throw unusableFileError(
      file,
      `was made by the model ${embedder}, and questions are embedded by ${expected.embedder}`,
    );
  if (recipe !== embeddingRecipe) throw unusableFileError(file, 'was made by another version of Lectern');
  return { embedder, dimensions, translation, corpusDigest, scale, count };
}

export function checkOrigin(
  file: string,
  header: { translation: string; corpusDigest: string },
  { translation, corpusDigest }: Expected,
): void {
  if (translation !== undefined && header.translation !== translation)
    throw unusableFileError(file, `is of the edition ${header.translation}, not of ${translation}`);
  if (corpusDigest !== undefined && header.corpusDigest !== corpusDigest)
    throw unusableFileError(file, 'was made from another corpus');
}

export const writeVectors = (file: string, { ordinals, hashes, rows, ...header }: VerseVectors): Promise<void> =>
  writeBinaryFile(file, kind, { recipe: embeddingRecipe, ...header }, [
    viewAsBytes(ordinals),
    hashes,
    viewAsBytes(rows),
  ]);
