import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
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
const openingLength = magicLength + 4;
const checksumLength = 32;

/** A file is read in pieces of so many bytes: in memory is what somebody keeps of it, and never the whole file besides. */
const pieceLength = 131_072;

/** The memory that a section is read into; null for one that is only to be whole. */
export type MemoryFor = (length: number, section: number) => Uint8Array | null;

const ownMemory: MemoryFor = (length) => new Uint8Array(length);

export interface Sealed<Header> {
  header: Header;
  sections: (Uint8Array | null)[];
  /** Where in the file each section begins. */
  starts: number[];
}

/**
 * A file is: magic, length of the header, the header as JSON with the lengths of the sections, the sections, and a sha256 over
 * all before. Refuses whatever is not exactly what was written.
 */
export async function readSealed<Header extends object>(
  file: string,
  kind: FileKind,
  memoryFor: MemoryFor = ownMemory,
): Promise<Sealed<Header>> {
  try {
    const handle = await open(file);
    try {
      return await readOpen(handle, { file, kind, memoryFor });
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw unusable(file, code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`);
  }
}

async function readOpen<Header extends object>(
  handle: FileHandle,
  { file, kind, memoryFor }: { file: string; kind: FileKind; memoryFor: MemoryFor },
): Promise<Sealed<Header>> {
  const sum = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceLength);
  const { size } = await handle.stat();
  let at = 0;
  const read = async (length: number, keep: (bytes: Buffer, from: number) => void): Promise<void> => {
    for (let from = 0; from < length; ) {
      const { bytesRead } = await handle.read(piece, 0, Math.min(pieceLength, length - from), at);
      if (bytesRead === 0) throw unusable(file, `is damaged (it ends after ${at} bytes)`);
      keep(piece.subarray(0, bytesRead), from);
      from += bytesRead;
      at += bytesRead;
    }
  };
  const readInto = async (memory: Uint8Array | null, length: number): Promise<void> =>
    read(length, (bytes, from) => {
      sum.update(bytes);
      memory?.set(bytes, from);
    });

  const opening = Buffer.alloc(Math.min(openingLength, size));
  await readInto(opening, opening.length);
  if (opening.toString('latin1', 0, magicLength) !== kind.magic) throw unusable(file, `is no ${kind.name} of Lectern`);
  if (opening.length < openingLength || opening.readUInt32LE(magicLength) > size)
    throw unusable(file, `is damaged (${size} bytes)`);
  const json = Buffer.alloc(opening.readUInt32LE(magicLength));
  await readInto(json, json.length);
  const header = parseHeader<Header>(file, json);
  if (header.formatVersion !== kind.formatVersion)
    throw unusable(
      file,
      `has format ${String(header.formatVersion)} and this version of Lectern reads ${kind.formatVersion}`,
    );
  const whole = header.lengths.reduce((total, length) => total + length, at) + checksumLength;
  if (size !== whole) throw unusable(file, `is damaged (${size} bytes of ${whole})`);

  const sections: (Uint8Array | null)[] = [];
  const starts: number[] = [];
  for (const [section, length] of header.lengths.entries()) {
    const memory = memoryFor(length, section);
    starts.push(at);
    await readInto(memory, length);
    sections.push(memory);
  }
  const checksum = Buffer.alloc(checksumLength);
  await read(checksumLength, (bytes, from) => checksum.set(bytes, from));
  if (!sum.digest().equals(checksum)) throw unusable(file, 'is damaged (its checksum differs)');
  return { header, sections, starts };
}

function parseHeader<Header>(file: string, json: Buffer): Header & { formatVersion: unknown; lengths: number[] } {
  try {
    return JSON.parse(json.toString('utf8')) as Header & { formatVersion: unknown; lengths: number[] };
  } catch {
    throw unusable(file, 'is damaged (its header cannot be read)');
  }
}

/** Written beside and moved into place: a reader sees the old file or the new one whole. */
export async function writeSealed(
  file: string,
  { magic, formatVersion }: FileKind,
  header: object,
  sections: readonly Uint8Array[],
): Promise<void> {
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

/** A section's memory as numbers. Files are little-endian, as every machine that runs this is. */
export const numbersOf = <Numbers extends ArrayBufferView>(
  memory: Uint8Array,
  kind: new (bytes: ArrayBufferLike) => Numbers,
): Numbers => new kind(memory.buffer);

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
