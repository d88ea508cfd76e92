import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parsePlace, verseOrdinal } from '@lectern/canon';
import { xz } from '@napi-rs/lzma';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { type ModuleParts, writeModule } from '../../test-support/write-module';
import type { TranslationMetadata } from '../translation';
import { importModule } from './translation';

const folder = temporaryFolder();
let count = 0;

const metadata: TranslationMetadata = {
  identifier: 'tst-small',
  name: 'Small',
  abbrev: null,
  language: 'fra',
  languageName: 'French',
  direction: 'LTR',
  note: 'Public Domain',
  licence: { code: 'PD', holder: null, url: null },
  numbering: 'standard',
};
const entries = {
  'GEN 0:0': '<milestone n="Genèse &amp; co" type="x-usfm-h"/>',
  'GEN 1:0': '<chapter n="1" osisID="Gen.1"/>',
  'GEN 1:1': 'Au <w lemma="strong:H07225">commencement</w>',
  'GEN 1:2': '',
  'MAL 4:6': 'fin',
  'MAT 1:1': 'Généalogie',
  'REV 22:21': 'Amen<div eID="x" type="book"/><div sID="y" type="glossary"/>Abba',
};
const write = (parts: Partial<ModuleParts> = {}): { conf: string; data: string } => {
  count += 1;
  const name = `Small${count}`;
  const conf = writeModule(folder, { name, entries, ...parts });
  return { conf, data: join(dirname(conf), '..', 'modules', 'texts', name) };
};
const texts = (conf: string): Record<number, string> =>
  Object.fromEntries(importModule(conf, metadata).verses.map(({ ordinal, text }) => [ordinal, text]));
const expected = { 1001001: 'Au commencement', 39004006: 'fin', 40001001: 'Généalogie', 66022021: 'Amen' };

test.each(['zText', 'zText4', 'RawText', 'RawText4'] as const)(
  'importModule reads a SWORD module with the driver %s, without the glossary after the last book',
  (driver) => {
    expect(texts(write({ driver }).conf)).toEqual(expected);
  },
);

test('importModule skips and counts the apocrypha of a SWORD module, or keeps them after Revelation with the option', () => {
  const { conf } = write({
    versification: 'NRSVA',
    entries: { ...entries, 'TOB 1:1': 'Tobie', '4MA 18:24': 'fin', '3JN 1:15': 'salut', 'REV 12:18': 'sable' },
  });
  expect(texts(conf)).toEqual({ ...expected, 64001015: 'salut', 66012018: 'sable' });
  expect(importModule(conf, metadata).remarks).toEqual(['books beyond the 66 left out: 2 with 2 verses (TOB 4MA)']);
  const { verses, remarks } = importModule(conf, metadata, true);
  expect(verses.slice(-3).map(({ ordinal, text }) => [ordinal, text])).toEqual([
    [66_022_021, 'Amen'],
    [67_001_001, 'Tobie'],
    [81_018_024, 'fin'],
  ]);
  expect(remarks).toEqual([]);
});

const bzip2: Readonly<Record<string, string>> = {
  'Au commencementfin': 'QlpoOTFBWSZTWZlt3NIAAACVgEAAIAALI4YAIAAxANNNA1HqNH6mkE+igyRrxMF3JFOFCQmW3c0g',
  GénéalogieAmen: 'QlpoOTFBWSZTWSoi0M4AAACFFCCAIqeAIAgAIAAxA0DQIRpp4RRYTSJDyHmi7kinChIFRFoZwA==',
};
const packed = {
  XZ: (text: Buffer) => Buffer.concat([xz.compressSync(text), Buffer.alloc(1024)]),
  BZIP2: (text: Buffer) => Buffer.from(bzip2[text.toString()] ?? '', 'base64'),
};
const twoWords = { 'GEN 1:1': 'Au commencement', 'MAL 4:6': 'fin', 'MAT 1:1': 'Généalogie', 'REV 22:21': 'Amen' };

// Packed with LZSSCompress of libsword 1.9: copies of earlier text, and of the spaces before the text.
const lzss: Readonly<Record<string, string>> = {
  '   Au commencementfin, au commencement, fin': '/u3wQXUgY29tbe9lbmNl9/B0ZmlvbiwgYfL7LCAAAA==',
  'GénéalogieAmen, GénéalogieAmen': '/0fDqW7DqWFs/29naWVBbWVuASzt/g==',
};

test('importModule reads a SWORD module with the compression LZSS', () => {
  const { conf } = write({
    entries: {
      'GEN 1:1': '   Au commencement',
      'MAL 4:6': 'fin, au commencement, fin',
      'MAT 1:1': 'Généalogie',
      'REV 22:21': 'Amen, GénéalogieAmen',
    },
    compress: (text) => Buffer.from(lzss[text.toString()] ?? '', 'base64'),
    conf: { CompressType: 'LZSS' },
  });
  expect(texts(conf)).toEqual({
    1001001: 'Au commencement',
    39004006: 'fin, au commencement, fin',
    40001001: 'Généalogie',
    66022021: 'Amen, GénéalogieAmen',
  });
});

test.each(['XZ', 'BZIP2'] as const)('importModule reads a SWORD module with the compression %s', (compression) => {
  const { conf } = write({ entries: twoWords, compress: packed[compression], conf: { CompressType: compression } });
  expect(texts(conf)).toEqual(expected);
});

test.each([
  ['XZ', xz.compressSync(Buffer.alloc(100_000_000)), /it is longer than its index says/],
  [
    'XZ',
    Buffer.concat([xz.compressSync(Buffer.from('Au')), xz.compressSync(Buffer.alloc(100_000))]),
    /it is longer than its index says/,
  ],
  ['XZ', Buffer.from('Au commencement'), /is damaged/],
  ['BZIP2', packed.BZIP2(Buffer.from('GénéalogieAmen')).subarray(0, 40), /is damaged/],
  ['BZIP2', packed.BZIP2(Buffer.from('Au commencementfin')), /it is longer than its index says/],
  ['LZSS', Buffer.from([0xff, 0x41, 0x75, 0x20]), /it is longer than its index says/],
  ['LZSS', Buffer.from([0xfd, 0x41, 0]), /is damaged/],
  ['LZSS', Buffer.from([0xff, 0x41]), /is damaged: it unpacks to 1 bytes, not 2/],
])('importModule rejects a SWORD module with a damaged or too large %s block', (compression, block, message) => {
  const { conf } = write({
    entries: { 'GEN 1:1': 'Au' },
    compress: () => block,
    conf: { CompressType: compression },
  });
  expect(() => importModule(conf, metadata)).toThrow(message);
});

test('importModule reads the notes, headings, marks and Strong’s numbers of a ThML module', () => {
  const { conf } = write({
    conf: { SourceType: 'ThML' },
    entries: {
      'GEN 1:0': '<div class="sechead">La création</div><p>',
      'GEN 1:1':
        'Au commencement,<sync type="Strongs" value="H07225"/> Dieu<sync type="Strongs" value="H0430"/><sync type="Strongs" value="H1254"/><sync type="morph" value="X"/> <added>y</added> créa<note place="foot">Ou: <i>fit</i>, <scripRef passage="John 1:1">Jean 1:1</scripRef></note>.',
      'GEN 1:2': '<font color="red">Viens</font><scripRef>Marc 1:1</scripRef> &amp; vois<br/>ici',
    },
  });
  const [first, second] = importModule(conf, metadata).verses;
  expect(first).toMatchObject({
    text: 'Au commencement, Dieu y créa.',
    words: [
      { start: 3, length: 12, strongs: ['H7225'] },
      { start: 17, length: 4, strongs: ['H430', 'H1254'] },
    ],
    layout: {
      breaks: [{ kind: 'PARAGRAPH', start: 0, indent: 0 }],
      marks: [{ kind: 'ADDED_WORDS', start: 22, length: 1 }],
      notes: [{ kind: 'TRANSLATION', start: 28, text: 'Ou: fit, Jean 1:1' }],
      headings: [{ kind: 'SECTION', start: 0, text: 'La création' }],
    },
  });
  expect(second).toMatchObject({
    text: 'Viens & vois ici',
    layout: {
      marks: [{ kind: 'WORDS_OF_JESUS', start: 0, length: 5 }],
      notes: [{ kind: 'CROSS_REFERENCE', start: 5, text: 'Marc 1:1' }],
    },
  });
});

test('importModule reads the notes, headings, marks and Strong’s numbers of a GBF module', () => {
  const { conf } = write({
    conf: { SourceType: 'GBF' },
    entries: {
      'GEN 1:1':
        '<TS>La création<Ts>Au commencement<WH07225><WTH8804>, Dieu <FI>y<Fi> créa<RF>Ou: fit<Rf> <CT>tout<CG>.<CM>',
      'GEN 1:2': '<FR>Viens<Fr> et<RX Mark 1:1>Marc 1:1<Rx> vois<CL>ici<RB>.',
    },
  });
  const [first, second] = importModule(conf, metadata).verses;
  expect(first).toMatchObject({
    text: 'Au commencement, Dieu y créa <tout>.',
    words: [{ start: 3, length: 12, strongs: ['H7225'] }],
    layout: {
      marks: [{ kind: 'ADDED_WORDS', start: 22, length: 1 }],
      notes: [{ kind: 'TRANSLATION', start: 28, text: 'Ou: fit' }],
      headings: [{ kind: 'SECTION', start: 0, text: 'La création' }],
    },
  });
  expect(second).toMatchObject({
    text: 'Viens et vois ici.',
    layout: {
      breaks: [
        { kind: 'PARAGRAPH', start: 0, indent: 0 },
        { kind: 'LINE', start: 14, indent: 0 },
      ],
      marks: [{ kind: 'WORDS_OF_JESUS', start: 0, length: 5 }],
      notes: [{ kind: 'CROSS_REFERENCE', start: 8, text: 'Marc 1:1' }],
    },
  });
});

test.each([
  ['Vulg', 'PSA 50:21'],
  ['Synodal', 'PSA 50:21'],
  ['LXX', 'PSA 50:21'],
  ['MT', 'PSA 51:21'],
  ['Leningrad', 'MAL 3:24'],
  ['Segond', 'PSA 51:21'],
  ['Luther', 'REV 12:18'],
  ['Catholic2', 'MAL 3:24'],
])(
  'in a SWORD module with the versification %s, importModule finds the last verse, %s, at the right position',
  (versification, last) => {
    const entries = { [last]: 'fin', 'HAG 1:1': 'Aggée' };
    const { conf } = write({ versification, entries });
    const ordinal = (text: string): number => {
      const place = parsePlace(text);
      return place ? verseOrdinal(place) : 0;
    };
    expect(texts(conf)).toEqual({ [ordinal(last)]: 'fin', [ordinal('HAG 1:1')]: 'Aggée' });
  },
);

test('importModule reads book names, Strong’s tags and the version from a SWORD module', () => {
  const draft = importModule(write().conf, metadata);
  expect([...draft.bookNames]).toEqual([['GEN', 'Genèse & co']]);
  expect(draft.verses[0]?.words).toEqual([{ start: 3, length: 12, strongs: ['H7225'] }]);
  expect(draft.source).toMatchObject({
    format: 'SWORD',
    version: '1.0',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('importModule stores a combined verse such as 3-4 at its first number, and counts the numbers that stay empty in a remark', () => {
  const { conf } = write({ linked: { 'GEN 1:2': 'GEN 1:1' } });
  expect(texts(conf)).toEqual(expected);
  expect(importModule(conf, metadata).remarks).toEqual([
    'numbers that stay empty, because their text is stored at the number before: 1',
  ]);
});

test('importModule reads a SWORD module of plain text in Latin-1', () => {
  const { conf } = write({
    entries: { 'GEN 1:1': Buffer.from('Commencé  ici\n', 'latin1') },
    conf: { SourceType: null, Encoding: null },
  });
  expect(texts(conf)).toEqual({ 1001001: 'Commencé ici' });
});

test('importModule writes the divine name in capitals (LORD) if most of the module has Lord, and otherwise keeps the spelling', () => {
  const name = '<divineName>Lord</divineName>';
  expect(texts(write({ entries: { 'GEN 2:4': `the ${name}’s` } }).conf)).toEqual({ 1002004: 'the LORD’s' });
  const capitals = '<divineName>LORD</divineName>';
  expect(texts(write({ entries: { 'GEN 2:4': capitals, 'GEN 2:5': capitals, 'GEN 2:6': name } }).conf)).toEqual({
    1002004: 'LORD',
    1002005: 'LORD',
    1002006: 'Lord',
  });
});

test.each<[string, Partial<ModuleParts>, RegExp]>([
  [
    'an unsupported driver',
    { conf: { ModDrv: 'RawLD' } },
    /ModDrv=RawLD is not supported; these are: zText, zText4, RawText, RawText4/,
  ],
  [
    'an unsupported versification',
    { conf: { Versification: 'Ethiopic' } },
    /versification Ethiopic is not supported; these are: KJV, Calvin, Catholic, /,
  ],
  [
    'an unsupported markup',
    { conf: { SourceType: 'TEI' } },
    /SourceType=TEI is not supported; OSIS, ThML, GBF and plain text are/,
  ],
  [
    'an unsupported compression',
    { conf: { CompressType: 'LZMA' } },
    /CompressType=LZMA is not supported; these are: ZIP, BZIP2, XZ, LZSS/,
  ],
  ['an unsupported encoding', { conf: { Encoding: 'SCSU' } }, /Encoding=SCSU is not supported/],
  [
    'a cipher key',
    { conf: { CipherKey: '' } },
    /is locked \(CipherKey in its configuration\).*; ask its publisher for an unlocked module/,
  ],
  ['a data path outside its folder', { conf: { DataPath: '../../elsewhere' } }, /DataPath=.* leads out of/],
  [
    'slots of another versification',
    { conf: { Versification: 'NRSVA' } },
    /ot has 24115 slots where versification NRSVA has \d+/,
  ],
  ['invalid UTF-8', { entries: { 'GEN 1:1': Buffer.from([0x41, 0xff]) } }, /GEN 1:1 is not written in utf-8/],
])('importModule rejects a SWORD module with %s, and says what is wrong', (_, parts, message) => {
  expect(() => importModule(write(parts).conf, metadata)).toThrow(message);
});

const damage: [string, string, (file: string) => void, RegExp][] = [
  ['a missing file', 'nt.bzz', (file) => rmSync(file), /file is missing: .*nt\.bzz/],
  [
    'a truncated index',
    'ot.bzv',
    (file) => truncateSync(file, 1003),
    /ot\.bzv is cut off: 1003 bytes are no multiple of 10/,
  ],
  [
    'an index truncated between records',
    'ot.bzv',
    (file) => truncateSync(file, 1000),
    /ot has 100 slots where versification KJV has 24115/,
  ],
  ['an empty index', 'ot.bzs', (file) => truncateSync(file, 0), /ot\.bzs is cut off/],
  [
    'a truncated text file',
    'ot.bzz',
    (file) => truncateSync(file, 20),
    /ot\.bzz is cut off: block 0 ends at byte \d+, the file at 20/,
  ],
  [
    'a damaged block',
    'ot.bzz',
    (file) =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, index) => (index > 10 && index < 40 ? byte ^ 0xff : byte)),
      ),
    /ot\.bzz: block 0 is damaged/,
  ],
];
test.each(damage)(
  'importModule rejects a SWORD module with %s, and says what is damaged',
  (_, name, damageFile, message) => {
    const { conf, data } = write();
    damageFile(join(data, name));
    expect(() => importModule(conf, metadata)).toThrow(message);
  },
);

test('importModule rejects a SWORD module without data files, and names the missing files', () => {
  const { conf, data } = write();
  rmSync(data, { recursive: true });
  expect(() => importModule(conf, metadata)).toThrow(/data files are missing: .*nt\.bzs, .*nt\.bzv, .*nt\.bzz/);
});

test('importModule rejects a SWORD module with a truncated text file, and names the file', () => {
  const { conf, data } = write({ driver: 'RawText' });
  truncateSync(join(data, 'nt'), 3);
  expect(() => importModule(conf, metadata)).toThrow(/nt is cut off: slot \d+ ends at byte \d+, the file at 3/);
});
