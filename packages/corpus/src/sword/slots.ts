import { existsSync, readFileSync, statSync } from 'node:fs';
import { importError } from '../translation';
import { unpack as unpackBlock } from './unpack';

/** The storage formats of Bible texts that Lectern can read. Those of commentaries differ only in name. */
export const textDrivers = ['zText', 'zText4', 'RawText', 'RawText4'] as const;
export const commentaryDrivers = ['zCom', 'zCom4', 'RawCom', 'RawCom4'] as const;
export type Driver = (typeof textDrivers)[number] | (typeof commentaryDrivers)[number];

/** The slots of one testament, in the order of the module's versification. */
export interface VerseSlots {
  count: number;
  /** Returns the raw bytes of a slot. They are empty for an empty slot. */
  read(index: number): Buffer;
  /** Returns an identifier of a slot's text, or '' for an empty slot. Slots with equal identifiers share one text. */
  location(index: number): string;
}

/** Returns the files of a testament: the block index (not for raw formats), the verse index, and the text. */
export function testamentFiles(driver: Driver, blockType: string, testament: 'ot' | 'nt'): string[] {
  if (driver.startsWith('Raw')) return [`${testament}.vss`, testament];
  const letter = { BOOK: 'b', CHAPTER: 'c', VERSE: 'v' }[blockType.toUpperCase()];
  if (!letter) throw importError(`BlockType ${blockType} is not supported; these are: BOOK, CHAPTER, VERSE`);
  return [`${testament}.${letter}zs`, `${testament}.${letter}zv`, `${testament}.${letter}zz`];
}

/** Opens a testament. Null if the module has no text for it. Throws an ImportError if a file is missing or damaged. */
export function openTestamentSlots(
  files: readonly string[],
  driver: Driver,
  compression: string,
  expectedCount: number,
): VerseSlots | null {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === files.length) return null;
  if (missing.length > 0) throw importError(`the module's file is missing: ${missing.join(', ')}`);
  const [first = '', second = '', third = ''] = files;
  const isWide = driver.endsWith('4');
  if (driver.startsWith('Raw')) return rawSlots(first, second, isWide ? 4 : 2);
  // For a testament without text, osis2mod, which makes modules, writes a verse index but no blocks.
  if (statSync(first).size === 0 && statSync(third).size === 0) return null;
  // Some modules name a driver with wide records, but have short records. The size of the file shows this.
  const hasWideRecords = isWide && statSync(second).size !== expectedCount * 10;
  return compressedSlots([first, second, third], compression, hasWideRecords ? 4 : 2);
}

/** Opens slots of a raw format. For each slot, the file `.vss` has an offset (u32) in the text file and a size. */
function rawSlots(indexFile: string, textFile: string, sizeBytes: 2 | 4): VerseSlots {
  const width = 4 + sizeBytes;
  const index = readRecords(indexFile, width);
  const text = readFileSync(textFile);
  const offsetOf = (at: number): number => index.readUInt32LE(at * width);
  const lengthOf = (at: number): number => index.readUIntLE(at * width + 4, sizeBytes);
  return {
    count: index.length / width,
    location: (at) => (lengthOf(at) === 0 ? '' : `${offsetOf(at)}`),
    read(at) {
      const end = offsetOf(at) + lengthOf(at);
      if (lengthOf(at) > 0 && end > text.length)
        throw importError(`${textFile} is cut off: slot ${at} ends at byte ${end}, the file at ${text.length}`);
      return text.subarray(end - lengthOf(at), end);
    },
  };
}

/**
 * Opens compressed slots. Of three files, `?` is the letter of the block type, such as b for books. `.?zz` has text
 * blocks, `.?zs` 12 bytes per block (offset, size, uncompressed size), `.?zv` a record per slot: block (u32), offset in
 * it (u32), size.
 */
function compressedSlots(
  [blockFile, verseFile, textFile]: readonly [string, string, string],
  compression: string,
  sizeBytes: 2 | 4,
): VerseSlots {
  const width = 8 + sizeBytes;
  const blocks = readRecords(blockFile, 12);
  const index = readRecords(verseFile, width);
  const packed = readFileSync(textFile);
  const record = (at: number) => ({
    block: index.readUInt32LE(at * width),
    offset: index.readUInt32LE(at * width + 4),
    length: index.readUIntLE(at * width + 8, sizeBytes),
  });
  // One unpacked block is cached. This is enough, because slots are read in order.
  let current: { block: number; text: Buffer } = { block: -1, text: Buffer.alloc(0) };
  const unpack = (block: number): Buffer => {
    if (block === current.block) return current.text;
    if (block * 12 >= blocks.length)
      throw importError(`${verseFile} is damaged: it names block ${block}, ${blockFile} has ${blocks.length / 12}`);
    const offset = blocks.readUInt32LE(block * 12);
    const end = offset + blocks.readUInt32LE(block * 12 + 4);
    if (end > packed.length)
      throw importError(`${textFile} is cut off: block ${block} ends at byte ${end}, the file at ${packed.length}`);
    const length = blocks.readUInt32LE(block * 12 + 8);
    const bytes = packed.subarray(offset, end);
    current = { block, text: unpackBlock(bytes, length, compression, `${textFile}: block ${block}`) };
    return current.text;
  };
  return {
    count: index.length / width,
    location: (at) => (record(at).length === 0 ? '' : `${record(at).block}:${record(at).offset}`),
    read(at) {
      const { block, offset, length } = record(at);
      if (length === 0) return Buffer.alloc(0);
      const text = unpack(block);
      if (offset + length > text.length) throw importError(`${verseFile} is damaged: slot ${at} ends after its block`);
      return text.subarray(offset, offset + length);
    },
  };
}

function readRecords(file: string, width: number): Buffer {
  const bytes = readFileSync(file);
  if (bytes.length === 0 || bytes.length % width !== 0)
    throw importError(`${file} is cut off: ${bytes.length} bytes are no multiple of ${width}`);
  return bytes;
}
