import { bytesOf, numbersOf, readSealed, unusable, writeSealed, type FileKind } from './sealed-file';
import { embeddingRecipe, hashLength } from './verse-vectors';

const kind: FileKind = { magic: 'LECTVEC\n', formatVersion: 1, name: 'vectors file' };

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

/** A file that is missing, damaged or of something else is refused with one line that names the command which makes it anew. */
export async function readVectors(file: string, expected: Expected = {}): Promise<VerseVectors> {
  const { header, sections: [ordinals, hashes, rows] } = await readSealed<VectorsHeader & { recipe: unknown }>(file, kind);
  const { embedder, dimensions, translation, corpusDigest, scale, count, recipe } = header;
  if (!ordinals || !hashes || !rows || ordinals.length !== count * 4 || hashes.length !== count * hashLength || rows.length !== count * dimensions) {
    throw unusable(file, 'is damaged (its sections do not fit)');
  }
  checkOrigin(file, header, expected);
  if (expected.embedder !== undefined && embedder !== expected.embedder) throw unusable(file, `was made by the model ${embedder}, and questions are embedded by ${expected.embedder}`);
  if (recipe !== embeddingRecipe) throw unusable(file, 'was made by another version of Lectern');
  // The scan reads the rows from a thread of its own: shared, they are in memory once.
  const shared = new Int8Array(new SharedArrayBuffer(rows.length));
  shared.set(rows);
  return { embedder, dimensions, translation, corpusDigest, scale, count, ordinals: numbersOf(ordinals, Int32Array), hashes: Uint8Array.from(hashes), rows: shared };
}

export function checkOrigin(file: string, header: { translation: string; corpusDigest: string }, { translation, corpusDigest }: Expected): void {
  if (translation !== undefined && header.translation !== translation) throw unusable(file, `is of the edition ${header.translation}, not of ${translation}`);
  if (corpusDigest !== undefined && header.corpusDigest !== corpusDigest) throw unusable(file, 'was made from another corpus');
}

export const writeVectors = (file: string, { ordinals, hashes, rows, ...header }: VerseVectors): Promise<void> =>
  writeSealed(file, kind, { recipe: embeddingRecipe, ...header }, [bytesOf(ordinals), hashes, bytesOf(rows)]);
