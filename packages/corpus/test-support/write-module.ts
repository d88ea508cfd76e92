import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { readVersifications } from '../src/sword/module';

export interface ModuleParts {
  name: string;
  driver?: 'zText' | 'zText4' | 'RawText' | 'RawText4' | 'zCom' | 'zCom4' | 'RawCom' | 'RawCom4';
  /** Whether a driver whose name ends in 4 has records as short as those of other drivers. */
  hasShortRecords?: boolean;
  versification?: string;
  /** Packs the text of a testament. Without it, zlib does. */
  compress?: (text: Buffer) => Buffer;
  /** By place ("GEN 1:1"). Chapter 0 is a book's introduction, verse 0 a chapter's heading. */
  entries: Readonly<Record<string, string | Buffer>>;
  /** The verses that share the stored text of another verse: { "GEN 1:2": "GEN 1:1" }. */
  linked?: Readonly<Record<string, string>>;
  /** The lines of the .conf file that replace the usual lines. Null removes a line. */
  conf?: Readonly<Record<string, string | null>>;
}

/** Writes a SWORD module with one block per testament. Returns the path of its .conf file. */
export function writeModule(root: string, parts: ModuleParts): string {
  const driver = parts.driver ?? 'zText';
  const order = readVersifications().get(parts.versification ?? 'KJV');
  if (!order) throw new Error('no such versification');
  const folder = join(root, 'modules', 'texts', parts.name);
  mkdirSync(folder, { recursive: true });
  for (const testament of ['ot', 'nt'] as const) {
    const keys = [
      '',
      '',
      ...order[testament].flatMap(({ code, verses }) => [
        `${code} 0:0`,
        ...verses.flatMap((count, at) => Array.from({ length: count + 1 }, (_, verse) => `${code} ${at + 1}:${verse}`)),
      ]),
    ];
    writeTestament(folder, testament, driver, keys, parts);
  }
  const conf: Record<string, string | null> = {
    DataPath: `./modules/texts/${parts.name}/`,
    ModDrv: driver,
    SourceType: 'OSIS',
    Encoding: 'UTF-8',
    Versification: parts.versification ?? 'KJV',
    Lang: 'en',
    Version: '1.0',
    Description: 'A small text',
    ...(driver.startsWith('z') && { CompressType: 'ZIP', BlockType: 'BOOK' }),
    ...parts.conf,
  };
  const file = join(root, 'mods.d', `${parts.name.toLowerCase()}.conf`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `[${parts.name}]\n${Object.entries(conf)
      .flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}\n`]))
      .join('')}`,
  );
  return file;
}

function writeTestament(
  folder: string,
  testament: 'ot' | 'nt',
  driver: string,
  keys: readonly string[],
  { entries, linked = {}, hasShortRecords = false, compress = deflateSync }: ModuleParts,
): void {
  const places = new Map<string, { offset: number; length: number }>();
  let text = Buffer.alloc(0);
  for (const key of keys.filter((each) => each in entries)) {
    const bytes = Buffer.from(entries[key] ?? '');
    places.set(key, { offset: text.length, length: bytes.length });
    text = Buffer.concat([text, bytes]);
  }
  const packed = driver.startsWith('z');
  const wide = driver.endsWith('4') && !hasShortRecords;
  const records = keys.map((key) => {
    const { offset: at, length } = places.get(linked[key] ?? key) ?? { offset: 0, length: 0 };
    const record = Buffer.alloc((packed ? 8 : 4) + (wide ? 4 : 2));
    record.writeUInt32LE(at, packed ? 4 : 0);
    record.writeUIntLE(length, packed ? 8 : 4, wide ? 4 : 2);
    return record;
  });
  if (!packed) {
    writeFileSync(join(folder, testament), text);
    writeFileSync(join(folder, `${testament}.vss`), Buffer.concat(records));
    return;
  }
  const block = compress(text);
  const blockRecord = Uint32Array.of(0, block.length, text.length);
  writeFileSync(join(folder, `${testament}.bzs`), blockRecord);
  writeFileSync(join(folder, `${testament}.bzv`), Buffer.concat(records));
  writeFileSync(join(folder, `${testament}.bzz`), block);
}
