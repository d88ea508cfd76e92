import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainWriteError, unusableFileError } from './errors';

/**
 * A kind of checksummed binary file. Such files hold large arrays of numbers, which SQLite would copy at each read. A
 * file has 8 bytes that identify the kind, the length of the header in 4 bytes (little-endian), the header as JSON
 * with the lengths of the sections, the sections, and a SHA-256 digest of everything before it.
 */
export interface BinaryFileKind {
  /** Eight ASCII characters at the start of the file. */
  magic: string;
  /** The version of the format. Increase it when the header or the sections change. */
  formatVersion: number;
  /** The name of the kind in error messages such as `is not a <name> of Lectern`. */
  name: string;
}

interface StoredHeader {
  formatVersion: unknown;
  /** The length of each section, in bytes. */
  lengths: number[];
}

const magicLength = 8;
const openingLength = magicLength + 4;
const checksumLength = 32;

/** A file is read in chunks of this many bytes, so that sections that are not kept take no memory. */
const chunkLength = 131_072;

/**
 * Reads a file. Only the first `loaded` sections are kept in memory: the others are verified, and empty in the result.
 * Rejects with a ChecksummedFileError if the file is missing, damaged or of another kind.
 */
export async function readBinaryFile<Header extends object>(file: string, kind: BinaryFileKind, loaded = Infinity) {
  try {
    const handle = await open(file);
    try {
      return await readOpenFile<Header>(file, handle, kind, loaded);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw unusableFileError(file, code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`);
  }
}

async function readOpenFile<Header extends object>(
  file: string,
  handle: FileHandle,
  kind: BinaryFileKind,
  loaded: number,
) {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkLength);
  let position = 0;

  /** Reads and hashes the next bytes. Returns them in memory of their own, or an empty buffer if not `isKept`. */
  async function read(length: number, isKept = true): Promise<Buffer> {
    const memory = Buffer.alloc(isKept ? length : 0);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(chunkLength, length - done), position);
      if (bytesRead === 0) throw unusableFileError(file, `is damaged (it ends after ${position} bytes)`);
      const bytes = chunk.subarray(0, bytesRead);
      hash.update(bytes);
      if (isKept) memory.set(bytes, done);
      done += bytesRead;
      position += bytesRead;
    }
    return memory;
  }

  const { size } = await handle.stat();
  const opening = Buffer.concat([await read(Math.min(openingLength, size))], openingLength);
  if (opening.toString('latin1', 0, magicLength) !== kind.magic)
    throw unusableFileError(file, `is not a ${kind.name} of Lectern`);
  const headerLength = opening.readUInt32LE(magicLength);
  if (openingLength + headerLength > size) throw unusableFileError(file, `is damaged (${size} bytes)`);
  const header = parseHeader<Header>(file, await read(headerLength));
  if (header.formatVersion !== kind.formatVersion)
    throw unusableFileError(
      file,
      `has format ${String(header.formatVersion)} and this version of Lectern reads ${kind.formatVersion}`,
    );
  const expectedSize = header.lengths.reduce((total, length) => total + length, position) + checksumLength;
  if (size !== expectedSize) throw unusableFileError(file, `is damaged (${size} bytes of ${expectedSize})`);

  const sections: Buffer[] = [];
  /** Each section's position in the file, in bytes. */
  const starts: number[] = [];
  for (const [section, length] of header.lengths.entries()) {
    starts.push(position);
    sections.push(await read(length, section < loaded));
  }
  const checksum = hash.copy().digest();
  if (!checksum.equals(await read(checksumLength))) throw unusableFileError(file, 'is damaged (its checksum differs)');
  return { header, sections, starts };
}

function parseHeader<Header>(file: string, json: Buffer): Header & StoredHeader {
  try {
    return JSON.parse(json.toString('utf8')) as Header & StoredHeader;
  } catch {
    throw unusableFileError(file, 'is damaged (its header cannot be read)');
  }
}

/** Writes a file, which others never see in part. Rejects with a ChecksummedFileError if the disk is full. */
export async function writeBinaryFile(
  file: string,
  { magic, formatVersion }: BinaryFileKind,
  header: object,
  sections: readonly Uint8Array[],
): Promise<void> {
  const json = Buffer.from(JSON.stringify({ formatVersion, ...header, lengths: sections.map(({ length }) => length) }));
  const opening = Buffer.alloc(openingLength);
  opening.write(magic, 'latin1');
  opening.writeUInt32LE(json.length, magicLength);
  const parts = [opening, json, ...sections];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  parts.push(hash.digest());
  const partFile = `${file}.part`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(partFile, parts, { flush: true });
    await rename(partFile, file);
  } catch (error) {
    await rm(partFile, { force: true });
    const length = parts.reduce((total, part) => total + part.length, 0);
    throw explainWriteError(file, error, length);
  }
}

/** Returns the memory of a section as an array of little-endian numbers. The memory must be a whole ArrayBuffer. */
export const viewAsNumbers = <Numbers extends ArrayBufferView>(
  memory: Uint8Array,
  arrayType: new (bytes: ArrayBufferLike) => Numbers,
): Numbers => new arrayType(memory.buffer);

export const viewAsBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
