import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

interface DictionaryParts {
  module: string;
  driver: 'zLD' | 'RawLD' | 'RawLD4';
  entries: readonly (readonly [key: string, text: string])[];
  conf?: string;
}

/** Returns the path of the .conf file. A compressed dictionary (zLD) has two entries per block. */
export function writeDictionary(root: string, { module, driver, entries, conf = '' }: DictionaryParts): string {
  const folder = join(root, 'modules', 'lexdict', module);
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, 'mods.d'), { recursive: true });
  const blocks: Buffer[] = [];
  const records = entries.map(([key, text], at) => {
    if (driver !== 'zLD') return Buffer.from(`${key}\r\n${text}`);
    if (at % 2 === 0) blocks.push(deflateSync(block(entries.slice(at, at + 2).map(([, each]) => each))));
    return Buffer.concat([Buffer.from(`${key}\r\n`), uint32s(Math.floor(at / 2), at % 2)]);
  });
  writePieces(join(folder, 'dict'), '.idx', '.dat', records, driver === 'RawLD' ? 2 : 4);
  if (driver === 'zLD') writePieces(join(folder, 'dict'), '.zdx', '.zdt', blocks, 4);
  const file = join(root, 'mods.d', `${module.toLowerCase()}.conf`);
  writeFileSync(
    file,
    `[${module}]\nDataPath=./modules/lexdict/${module}/dict\nModDrv=${driver}\nCompressType=ZIP\nEncoding=UTF-8\n${conf}`,
  );
  return file;
}

const uint32s = (...numbers: number[]): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);

/** Makes a block: the number of entries, the offset and size of each entry, and the entries. */
function block(texts: readonly string[]): Buffer {
  const pieces = texts.map((text) => Buffer.from(`${text}\0`));
  let offset = 4 + 8 * pieces.length;
  const places = pieces.flatMap((piece) => {
    offset += piece.length;
    return [offset - piece.length, piece.length];
  });
  return Buffer.concat([uint32s(pieces.length, ...places), ...pieces]);
}

function writePieces(path: string, index: string, data: string, pieces: readonly Buffer[], sizeBytes: 2 | 4): void {
  let offset = 0;
  const places = pieces.map((piece) => {
    const place = Buffer.alloc(4 + sizeBytes);
    place.writeUInt32LE(offset, 0);
    place.writeUIntLE(piece.length, 4, sizeBytes);
    offset += piece.length;
    return place;
  });
  writeFileSync(path + index, Buffer.concat(places));
  writeFileSync(path + data, Buffer.concat(pieces));
}
