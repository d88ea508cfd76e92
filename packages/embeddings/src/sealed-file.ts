import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One of our data files that cannot be used. The message is one line and names the command that mends it. */
const errorName = 'VectorsError';

export const isVectorsError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

export function unusable(file: string, what: string): Error {
  const error = new Error(`${file} ${what}: run \`npm run data\` to make it anew`);
  error.name = errorName;
  return error;
}

/** What a kind of file begins with, and the version of its layout, which grows with every change to it. */
export interface FileKind {
  /** Eight bytes. */
  magic: string;
  formatVersion: number;
  /** For messages: `no ... of Lectern`. */
  name: string;
}

const magicLength = 8;
const checksumLength = 32;

/**
 * A file is: magic, length of the header, the header as JSON with the lengths of the sections, the sections, and a sha256 over
 * all before. Reads it whole and refuses whatever is not exactly what was written.
 */
export async function readSealed<Header extends object>(file: string, { magic, formatVersion, name }: FileKind): Promise<{ header: Header; sections: Buffer[] }> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unusable(file, error.code === 'ENOENT' ? 'is missing' : `cannot be read (${error.code ?? error.message})`);
  });
  if (bytes.toString('latin1', 0, magicLength) !== magic) throw unusable(file, `is no ${name} of Lectern`);
  const { header, at } = readHeader<Header>(file, bytes);
  if (header.formatVersion !== formatVersion) throw unusable(file, `has format ${String(header.formatVersion)} and this version of Lectern reads ${formatVersion}`);
  const size = header.lengths.reduce((sum, length) => sum + length, at) + checksumLength;
  if (bytes.length !== size) throw unusable(file, `is damaged (${bytes.length} bytes of ${size})`);
  const sum = createHash('sha256').update(bytes.subarray(0, -checksumLength)).digest();
  if (!sum.equals(bytes.subarray(-checksumLength))) throw unusable(file, 'is damaged (its checksum differs)');
  let from = at;
  const sections = header.lengths.map((length) => bytes.subarray(from, (from += length)));
  return { header, sections };
}

function readHeader<Header>(file: string, bytes: Buffer): { header: Header & { formatVersion: unknown; lengths: number[] }; at: number } {
  const at = magicLength + 4;
  try {
    const length = bytes.readUInt32LE(magicLength);
    return { header: JSON.parse(bytes.toString('utf8', at, at + length)), at: at + length };
  } catch {
    throw unusable(file, 'is damaged (its header cannot be read)');
  }
}

/** Written beside and moved into place: a reader sees the old file or the new one whole. */
export async function writeSealed(file: string, { magic, formatVersion }: FileKind, header: object, sections: readonly Uint8Array[]): Promise<void> {
  const json = Buffer.from(JSON.stringify({ formatVersion, ...header, lengths: sections.map(({ length }) => length) }));
  const headerLength = Buffer.alloc(4);
  headerLength.writeUInt32LE(json.length);
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.part`;
  const handle = await open(part, 'w');
  try {
    const sum = createHash('sha256');
    for (const piece of [Buffer.from(magic, 'latin1'), headerLength, json, ...sections]) {
      sum.update(piece);
      await handle.writeFile(piece);
    }
    await handle.writeFile(sum.digest());
    await handle.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

/** Bytes of a section as numbers: copied, for a section may begin anywhere in the file. Files are little-endian, as every machine that runs this is. */
export const numbersOf = <Numbers extends ArrayBufferView>(section: Buffer, kind: new (bytes: ArrayBuffer) => Numbers): Numbers =>
  new kind(Uint8Array.from(section).buffer);

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);
