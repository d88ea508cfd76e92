import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { readConf } from '@lectern/corpus';

export interface DictionaryEntry {
  readonly key: string;
  /** As the module holds it, markup and all. */
  readonly text: string;
}

type Driver = 'zld' | 'rawld' | 'rawld4';
const extensions: Readonly<Record<Driver, readonly string[]>> = {
  zld: ['.idx', '.dat', '.zdx', '.zdt'],
  rawld: ['.idx', '.dat'],
  rawld4: ['.idx', '.dat'],
};
const isDriver = (name: string): name is Driver => name in extensions;

/** Reads a dictionary of SWORD's, packed (zLD) or plain (RawLD, RawLD4). Throws for a module of another kind, and for one that is not whole. */
export function readDictionary(confFile: string): DictionaryEntry[] {
  const { driver, files } = openDictionary(confFile);
  const file = (extension: string): Buffer => files.get(extension) ?? Buffer.alloc(0);
  const records = readRecords(file('.idx'), file('.dat'), driver === 'rawld' ? 2 : 4);
  return driver === 'zld'
    ? unpackEntries(records, file('.zdx'), file('.zdt'))
    : records.map(({ key, rest }) => ({ key, text: decode(rest) }));
}

/** sha256 over the data files. */
export function digestDictionary(confFile: string): string {
  const hash = createHash('sha256');
  for (const bytes of openDictionary(confFile).files.values()) hash.update(`${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

function openDictionary(confFile: string): { driver: Driver; files: ReadonlyMap<string, Buffer> } {
  const conf = readConf(confFile);
  const name = conf?.get('ModDrv') ?? '';
  const driver = name.toLowerCase();
  if (!isDriver(driver)) throw new Error(`its driver is ${name || 'not named'}, not zLD, RawLD or RawLD4`);
  const root = resolve(confFile, '..', '..');
  const path = resolve(root, conf?.get('DataPath') ?? '');
  if (relative(root, path).startsWith('..')) throw new Error(`its DataPath leads out of ${root}`);
  return { driver, files: new Map(extensions[driver].map((extension) => [extension, readFileSync(path + extension)])) };
}

interface DataRecord {
  key: string;
  rest: Buffer;
}

/** The index holds an offset of four bytes and a size of two or four for each record; a record is its key, the end of a line, and what belongs to it. */
function readRecords(index: Buffer, data: Buffer, sizeBytes: 2 | 4): DataRecord[] {
  const step = 4 + sizeBytes;
  return Array.from({ length: Math.floor(index.length / step) }, (_, at) => {
    const offset = index.readUInt32LE(at * step);
    const record = slice(data, offset, index.readUIntLE(at * step + 4, sizeBytes));
    const lineEnd = record.indexOf(0x0a);
    if (lineEnd === -1) throw new Error(`its record ${at} has no key`);
    return { key: record.toString('latin1', 0, lineEnd).trim(), rest: record.subarray(lineEnd + 1) };
  });
}

/** Of a packed dictionary a record names a block and an entry in it; a block is zlib's, and opens with the offset and the size of each entry. */
function unpackEntries(records: readonly DataRecord[], blockIndex: Buffer, blocks: Buffer): DictionaryEntry[] {
  const unpacked = new Map<number, Buffer>();
  const block = (number: number): Buffer => {
    const known = unpacked.get(number);
    if (known) return known;
    const fresh = inflateSync(
      slice(blocks, blockIndex.readUInt32LE(number * 8), blockIndex.readUInt32LE(number * 8 + 4)),
    );
    unpacked.set(number, fresh);
    return fresh;
  };
  return records.map(({ key, rest }) => {
    const bytes = block(rest.readUInt32LE(0));
    const header = 4 + rest.readUInt32LE(4) * 8;
    return { key, text: decode(slice(bytes, bytes.readUInt32LE(header), bytes.readUInt32LE(header + 4))) };
  });
}

function slice(bytes: Buffer, offset: number, size: number): Buffer {
  if (offset + size > bytes.length) throw new Error('it is cut off');
  return bytes.subarray(offset, offset + size);
}

/** The Hebrew module does not name its encoding and is UTF-8 all the same; what is not is Latin-1, as SWORD has it. Entries end with a NUL. */
function decode(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  const text = end === -1 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return new TextDecoder('windows-1252').decode(text);
  }
}
