import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { writeModule } from '../../test-support/write-module';
import { writeDictionary } from '../../test-support/write-sword-dictionary';
import { readDictionary } from './dictionary';
import { openModule } from './module';

const folder = temporaryFolder();

const dictionaryFile = (module: string, extension: string): string =>
  join(folder, 'modules', 'lexdict', module, `dict${extension}`);

const writeSmall = (module: string, driver: 'zLD' | 'RawLD4'): string =>
  writeDictionary(folder, { module, driver, entries: [['A', 'x'.repeat(5_000_000)]] });

test('readDictionary rejects a dictionary with a block that unpacks to more than 32 MB, and names the block', () => {
  const conf = writeSmall('Bomb', 'zLD');
  const bomb = deflateSync(Buffer.alloc(40_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  writeFileSync(dictionaryFile('Bomb', '.zdt'), bomb);
  writeFileSync(dictionaryFile('Bomb', '.zdx'), Buffer.from(Uint32Array.of(0, bomb.length).buffer));
  expect(() => readDictionary(conf)).toThrow('its block 0 unpacks to more than 32000000 bytes');
});

test('readDictionary rejects a dictionary whose blocks unpack to more than 128 MB together', () => {
  const conf = writeSmall('Blocks', 'zLD');
  const block = deflateSync(Buffer.alloc(30_000_000));
  const places = Array.from({ length: 5 }, () => [0, block.length]).flat();
  writeFileSync(dictionaryFile('Blocks', '.zdt'), block);
  writeFileSync(dictionaryFile('Blocks', '.zdx'), Buffer.from(Uint32Array.from(places).buffer));
  expect(() => readDictionary(conf)).toThrow('its blocks unpack to more than 128000000 bytes');
});

test.each(['zLD', 'RawLD4'] as const)(
  'readDictionary rejects a dictionary of the driver %s whose records name the same bytes more than 128 MB together',
  (driver) => {
    const conf = writeSmall(`Same${driver}`, driver);
    const index = dictionaryFile(`Same${driver}`, '.idx');
    const record = readFileSync(index);
    writeFileSync(index, Buffer.concat(Array.from({ length: 30 }, () => record)));
    expect(() => readDictionary(conf)).toThrow('its entries have more than 128000000 bytes');
  },
);

test.each(['ZIP', 'BZIP2', 'LZSS', 'XZ'])(
  'reading a SWORD module rejects a block of the compression %s that would unpack to 4 GB, before memory is reserved',
  (compression) => {
    const name = `Huge${compression}`;
    const conf = writeModule(folder, {
      name,
      entries: { 'GEN 1:1': 'Anfang' },
      conf: { CompressType: compression },
      compress: () => Buffer.from('x'),
    });
    const index = join(folder, 'modules', 'texts', name, 'ot.bzs');
    const records = readFileSync(index);
    records.writeUInt32LE(4_000_000_000, 8);
    writeFileSync(index, records);
    expect(() => [...openModule(conf).entries()]).toThrow(
      /ot\.bzz: block 0 unpacks to 4000000000 bytes; at most 32000000 are read$/,
    );
  },
);
