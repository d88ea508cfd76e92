import { existsSync, readFileSync, statSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { importError } from '../translation';

/** The slots of one testament, in the order of the module's versification. */
export interface VerseSlots {
  count: number;
  /** Returns the raw bytes of a slot. The buffer is empty for an empty slot. */
  read(index: number): Buffer;
  /**
   * Returns where the text of a slot is stored, or '' for an empty slot. Slots may share one text.
   */
  location(index: number): string;
}

/**
 * Opens the files of a testament (`testamentFiles`), which has `expectedCount` slots. Returns null
 * if it has no files or no text. Throws an ImportError if some files are missing or an index is cut
 * off; `read` throws it for damaged text.
 */
export function openTestamentSlots(files: readonly string[], driver: Driver, expectedCount: number): VerseSlots | null {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === files.length) return null;
  if (missing.length > 0) throw importError(`the module's file is missing: ${missing.join(', ')}`);
  const [first = '', second = '', third = ''] = files;
  if (driver.startsWith('Raw')) return rawSlots(first, second, driver);
  // osis2mod, which makes modules, writes a verse index but no blocks for a testament without text.
  if (statSync(first).size === 0 && statSync(third).size === 0) return null;
  return compressedSlots(first, second, third, recordWidth(second, driver, expectedCount));
}

/**
 * Returns the bytes of a record of a verse index: 12 if the driver's name ends in 4, otherwise 10.
 * Some modules name such a driver but have records of 10 bytes, which the size of the file shows.
 */
function recordWidth(indexFile: string, driver: Driver, expectedCount: number): 10 | 12 {
  return driver.endsWith('4') && statSync(indexFile).size !== expectedCount * 10 ? 12 : 10;
}

/**
 * Opens the slots of a driver without compression. The index file `.vss` has one record per slot:
 * the offset (u32) and the size (u16, or u32 if the driver's name ends in 4) of its text in the
 * text file.
 */
function rawSlots(indexFile: string, textFile: string, driver: Driver): VerseSlots {
  const width = driver.endsWith('4') ? 8 : 6;
  const index = readRecords(indexFile, width);
  const text = readFileSync(textFile);
  const record = (at: number) => ({
    offset: index.readUInt32LE(at * width),
    length: width === 8 ? index.readUInt32LE(at * width + 4) : index.readUInt16LE(at * width + 4),
  });
  return {
    count: index.length / width,
    location: (at) => (record(at).length === 0 ? '' : `${record(at).offset}`),
    read(at) {
      const { offset, length } = record(at);
      if (length === 0) return Buffer.alloc(0);
      if (offset + length > text.length)
        throw importError(
          `${textFile} is cut off: slot ${at} ends at byte ${offset + length}, the file at ${text.length}`,
        );
      return text.subarray(offset, offset + length);
    },
  };
}

/**
 * Opens the slots of a driver with compression. A testament has three files, where `?` is the
 * letter of the block type, such as b for books:
 * - `.?zz`, the text, in blocks that zlib has compressed.
 * - `.?zs`, an index with a record of 12 bytes per block: offset, size and uncompressed size.
 * - `.?zv`, an index with a record per slot: block, offset in the block and size. A record has 10
 *   bytes with a size of 2 bytes, or 12 bytes with a size of 4 bytes (`recordWidth`).
 */
function compressedSlots(blockFile: string, verseFile: string, textFile: string, width: 10 | 12): VerseSlots {
  const blocks = readRecords(blockFile, 12);
  const index = readRecords(verseFile, width);
  const packed = readFileSync(textFile);
  const record = (at: number) => ({
    block: index.readUInt32LE(at * width),
    offset: index.readUInt32LE(at * width + 4),
    length: width === 12 ? index.readUInt32LE(at * width + 8) : index.readUInt16LE(at * width + 8),
  });
  // Slots are read in order, so caching one unpacked block is enough.
  let current = -1;
  let text: Buffer = Buffer.alloc(0);
  const unpack = (block: number): Buffer => {
    if (block === current) return text;
    if (block * 12 >= blocks.length)
      throw importError(`${verseFile} is damaged: it names block ${block}, ${blockFile} has ${blocks.length / 12}`);
    const offset = blocks.readUInt32LE(block * 12);
    const length = blocks.readUInt32LE(block * 12 + 4);
    if (offset + length > packed.length)
      throw importError(
        `${textFile} is cut off: block ${block} ends at byte ${offset + length}, the file at ${packed.length}`,
      );
    text = inflate(
      packed.subarray(offset, offset + length),
      blocks.readUInt32LE(block * 12 + 8),
      `${textFile}: block ${block}`,
    );
    current = block;
    return text;
  };
  return {
    count: index.length / width,
    location: (at) => (record(at).length === 0 ? '' : `${record(at).block}:${record(at).offset}`),
    read(at) {
      const { block, offset, length } = record(at);
      if (length === 0) return Buffer.alloc(0);
      const unpacked = unpack(block);
      if (offset + length > unpacked.length)
        throw importError(`${verseFile} is damaged: slot ${at} ends after its block`);
      return unpacked.subarray(offset, offset + length);
    },
  };
}

/** Unpacks a zlib block, which must have exactly `length` bytes. */
function inflate(bytes: Buffer, length: number, where: string): Buffer {
  let text: Buffer;
  try {
    text = inflateSync(bytes, { maxOutputLength: Math.max(length, 1) });
  } catch (error) {
    throw importError(`${where} is damaged (${error instanceof Error ? error.message : String(error)})`);
  }
  if (text.length !== length)
    throw importError(`${where} is damaged: it unpacks to ${text.length} bytes, not ${length}`);
  return text;
}

/** Reads an index whose size must be a multiple of its record width. */
function readRecords(file: string, width: number): Buffer {
  const bytes = readFileSync(file);
  if (bytes.length === 0 || bytes.length % width !== 0)
    throw importError(`${file} is cut off: ${bytes.length} bytes are no multiple of ${width}`);
  return bytes;
}

/** SWORD's storage formats that can be read. */
export type Driver = (typeof textDrivers)[number] | (typeof commentaryDrivers)[number];
export const textDrivers = ['zText', 'zText4', 'RawText', 'RawText4'] as const;
/**
 * The storage formats of commentaries. They are the same formats as those of texts, with other
 * names.
 */
export const commentaryDrivers = ['zCom', 'zCom4', 'RawCom', 'RawCom4'] as const;

/**
 * Returns the names of a testament's files: block index (not of raw drivers), verse index and text.
 */
export function testamentFiles(driver: Driver, blockType: string, testament: 'ot' | 'nt'): string[] {
  if (driver.startsWith('Raw')) return [`${testament}.vss`, testament];
  const letter = { BOOK: 'b', CHAPTER: 'c', VERSE: 'v' }[blockType.toUpperCase()];
  if (!letter) throw importError(`BlockType ${blockType} is not supported; these are: BOOK, CHAPTER, VERSE`);
  return [`${testament}.${letter}zs`, `${testament}.${letter}zv`, `${testament}.${letter}zz`];
}
