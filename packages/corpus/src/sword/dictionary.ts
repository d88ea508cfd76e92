import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { dataPath, readConf } from './module';
import { maxBlockBytes } from './unpack';

interface DictionaryEntry {
  readonly key: string;
  /** The text of the entry, with its markup. */
  readonly text: string;
}

const extensions = new Map<string, readonly string[]>([
  ['zld', ['.idx', '.dat', '.zdx', '.zdt']],
  ['rawld', ['.idx', '.dat']],
  ['rawld4', ['.idx', '.dat']],
]);

/** The maximum size of all entries, in bytes. The largest dictionary that Lectern reads has 8 MB. */
const maxTotalBytes = 128_000_000;

/** Reads a SWORD dictionary: zLD, RawLD or RawLD4. Throws if it cannot be read. */
export function readDictionary(confFile: string): DictionaryEntry[] {
  const { driver, files } = openDictionary(confFile);
  const [index = empty, data = empty, blockIndex, blocks] = files;
  const records = readRecords(index, data, driver === 'rawld' ? 2 : 4);
  const entries = blockIndex && blocks ? decompressEntries(records, blockIndex, blocks) : records;
  // Many records may name the same bytes, so the size of the files does not limit the size of the texts.
  if (entries.reduce((sum, { rest }) => sum + rest.length, 0) > maxTotalBytes)
    throw new Error(`its entries have more than ${maxTotalBytes} bytes`);
  return entries.map(({ key, rest }) => ({ key, text: decode(rest) }));
}

const empty = Buffer.alloc(0);

/** Returns the SHA-256 digest of the data files, in hexadecimal. */
export function digestDictionary(confFile: string): string {
  const hash = createHash('sha256');
  for (const bytes of openDictionary(confFile).files) hash.update(`${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

function openDictionary(confFile: string): { driver: string; files: Buffer[] } {
  const conf = readConf(confFile);
  const name = conf?.get('ModDrv') ?? '';
  const driver = name.toLowerCase();
  const driverExtensions = extensions.get(driver);
  if (!conf || !driverExtensions) throw new Error(`its driver is ${name || 'missing'}, not zLD, RawLD or RawLD4`);
  const path = dataPath(confFile, conf);
  if (path === null) throw new Error(`its DataPath is outside ${resolve(confFile, '..', '..')}`);
  return { driver, files: driverExtensions.map((extension) => readFileSync(path + extension)) };
}

/** For each record, the index has an offset of 4 bytes and a size of 2 or 4. A record is key, line feed and rest. */
function readRecords(index: Buffer, data: Buffer, sizeBytes: 2 | 4) {
  const step = 4 + sizeBytes;
  return Array.from({ length: Math.floor(index.length / step) }, (_, at) => {
    const record = slice(data, index.readUInt32LE(at * step), index.readUIntLE(at * step + 4, sizeBytes));
    const lineEnd = record.indexOf(0x0a);
    if (lineEnd === -1) throw new Error(`its record ${at} has no key`);
    return { key: record.toString('latin1', 0, lineEnd).trim(), rest: record.subarray(lineEnd + 1) };
  });
}

/** Unpacks entries. A record has the number of a block, compressed with zlib, and of an entry in this block. */
function decompressEntries(
  records: ReturnType<typeof readRecords>,
  blockIndex: Buffer,
  blocks: Buffer,
): ReturnType<typeof readRecords> {
  let total = 0;
  const decompressed = Array.from({ length: Math.floor(blockIndex.length / 8) }, (_, at) => {
    const bytes = slice(blocks, blockIndex.readUInt32LE(at * 8), blockIndex.readUInt32LE(at * 8 + 4));
    const block = inflateBlock(bytes, at);
    total += block.length;
    if (total > maxTotalBytes) throw new Error(`its blocks unpack to more than ${maxTotalBytes} bytes`);
    return block;
  });
  return records.map(({ key, rest }) => {
    const block = decompressed[rest.readUInt32LE(0)] ?? empty;
    const header = 4 + rest.readUInt32LE(4) * 8;
    return { key, rest: slice(block, block.readUInt32LE(header), block.readUInt32LE(header + 4)) };
  });
}

function inflateBlock(bytes: Buffer, at: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: maxBlockBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`its block ${at} unpacks to more than ${maxBlockBytes} bytes`, { cause: error });
    throw error;
  }
}

function slice(bytes: Buffer, offset: number, size: number): Buffer {
  if (offset + size > bytes.length) throw new Error('it is cut off');
  return bytes.subarray(offset, offset + size);
}

/** Decodes up to the first NUL, as UTF-8 or else windows-1252, SWORD's default. Not all modules name their encoding. */
function decode(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  const text = end === -1 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return new TextDecoder('windows-1252').decode(text);
  }
}
