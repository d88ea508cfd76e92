import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ordinalParts } from '@lectern/canon';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { importXml } from '../import';
import { toStoredTranslation } from '../text-file';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
let count = 0;
const write = (content: string | Buffer, name = `tst-${(count += 1)}.xml`): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const given = { identifier: 'tst-file', language: 'deu', note: 'Public Domain' };
const read = (content: string | Buffer): Promise<DraftTranslation> => importXml(write(content), given, 'digest');
const withoutLayout = ({ verses }: DraftTranslation) =>
  verses.map(({ ordinal, text, words }) => ({ ordinal, text, words }));
const texts = async (content: string | Buffer): Promise<Record<number, string>> =>
  Object.fromEntries((await read(content)).verses.map(({ ordinal, text }) => [ordinal, text]));

const usfx = (body: string): string =>
  `<?xml version="1.0"?><usfx><languageCode>deu</languageCode><book id="GEN"><id id="GEN">x</id><h>1. Mose</h><toc level="1">y</toc><p sfm="mt">Das erste Buch</p>${body}</book></usfx>`;
const osis = (body: string): string =>
  `<osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace"><osisText osisIDWork="Bible.de.Klein" xml:lang="de"><header><work osisWork="Klein"><title>Kleine Bibel</title><identifier type="OSIS">Bible.de.Klein</identifier><rights>Gemeinfrei</rights></work><work osisWork="other"><title>Andere</title></work></header>${body}</osisText></osis>`;
const zefania = (body: string): string =>
  `<XMLBIBLE biblename="Kleine Bibel"><INFORMATION><title>Kleine Bibel</title><identifier>KB</identifier><language>GER</language><rights>Gemeinfrei</rights></INFORMATION>${body}</XMLBIBLE>`;

test('importXml moves headings, notes and cross references of a USFX file from the verse texts to the layout', async () => {
  const draft = await read(
    usfx(`<c id="1"/><s>Die Schöpfung</s><p><v id="1" bcv="GEN.1.1"/>Am <w s="H7225">Anfang</w><f caller="+">oder: <it>Im</it></f><w s="H1254">schuf</w> Gott.<ve/></p>
    <q level="1"><v id="2"/>Und die <nd>Lord</nd><x><ref tgt="JHN.1.1">Joh 1,1</ref></x>, <add>war</add> wüst</q><r>(Ps 1)</r><q level="2">und leer<ve/></q><v id="3"/>Licht<c id="2"/><d>Ein Lied</d><p sfm="s1">Titel</p><v id="1"/>Also`),
  );
  expect(withoutLayout(draft)).toEqual([
    {
      ordinal: 1_001_001,
      text: 'Am Anfang schuf Gott.',
      words: [
        { start: 3, length: 6, strongs: ['H7225'] },
        { start: 10, length: 5, strongs: ['H1254'] },
      ],
    },
    { ordinal: 1_001_002, text: 'Und die LORD, war wüst und leer', words: [] },
    { ordinal: 1_001_003, text: 'Licht', words: [] },
    { ordinal: 1_002_001, text: 'Also', words: [] },
  ]);
  expect([...draft.bookNames]).toEqual([['GEN', '1. Mose']]);
  expect(draft.source).toMatchObject({ format: 'USFX', version: null });
  expect(draft.verses.map(({ layout }) => layout)).toEqual([
    {
      breaks: [{ kind: 'PARAGRAPH', indent: 0, start: 0 }],
      marks: [],
      notes: [{ kind: 'TRANSLATION', start: 9, text: 'oder: Im' }],
      headings: [{ kind: 'SECTION', start: 0, text: 'Die Schöpfung' }],
    },
    {
      breaks: [
        { kind: 'LINE', indent: 0, start: 0 },
        { kind: 'LINE', indent: 1, start: 23 },
      ],
      marks: [
        { kind: 'DIVINE_NAME', start: 8, length: 4 },
        { kind: 'ADDED_WORDS', start: 14, length: 3 },
      ],
      notes: [
        {
          kind: 'CROSS_REFERENCE',
          start: 12,
          text: 'Joh 1,1',
          links: [{ start: 0, length: 7, target: 'JHN.1.1' }],
        },
      ],
      headings: [{ kind: 'SECTION', start: 23, text: '(Ps 1)' }],
    },
    { breaks: [], marks: [], notes: [], headings: [] },
    {
      breaks: [],
      marks: [],
      notes: [],
      headings: [
        { kind: 'PSALM_TITLE', start: 0, text: 'Ein Lied' },
        { kind: 'SECTION', start: 0, text: 'Titel' },
      ],
    },
  ]);
});

test('importXml marks the words of Jesus in two verses if one USFX element spans these verses', async () => {
  const draft = await read(usfx('<c id="1"/><p><v id="1"/>Er sprach: <wj>Komm<ve/><v id="2"/>und sieh</wj>.<ve/></p>'));
  expect(draft.verses.map(({ layout }) => layout.marks)).toEqual([
    [{ kind: 'WORDS_OF_JESUS', start: 11, length: 4 }],
    [{ kind: 'WORDS_OF_JESUS', start: 0, length: 8 }],
  ]);
});

test('importXml joins the parts 3a and 3b to one verse, with lines, marks and notes at their offsets in the joined text', async () => {
  const draft = await read(
    usfx('<c id="1"/><q><v id="3a"/>vorn<f>eins</f></q><q level="2"><v id="3b"/><add>hinten</add><f>zwei</f><ve/></q>'),
  );
  expect(draft.verses).toMatchObject([
    {
      text: 'vorn hinten',
      layout: {
        breaks: [
          { kind: 'LINE', indent: 0, start: 0 },
          { kind: 'LINE', indent: 1, start: 5 },
        ],
        marks: [{ kind: 'ADDED_WORDS', start: 5, length: 6 }],
        notes: [
          { start: 4, text: 'eins' },
          { start: 11, text: 'zwei' },
        ],
      },
    },
  ]);
});

test('importXml stores a combined verse 3-4 at its first number, and returns a remark about each number that stays empty', async () => {
  const draft = await read(
    usfx(
      '<c id="1"/><v id="1-2"/>beides<ve/><v id="3a"/>vorn <v id="3b"/><w s="H1">hinten</w><v id="4"/>einmal<v id="4"/>zweimal<v id="x"/>nichts',
    ),
  );
  expect(draft.verses.map(({ ordinal, text, words }) => [ordinal, text, words.map(({ start }) => start)])).toEqual([
    [1_001_001, 'beides', []],
    [1_001_003, 'vorn hinten', [5]],
    [1_001_004, 'einmal', []],
  ]);
  expect(draft.remarks).toEqual([
    'numbers that stay empty, because their text is stored at the number before: 1',
    'numbers that occur twice, of which the first text is kept: 1',
    'the file has no title: the translation is named tst-file (--name changes that)',
    'the licence is not stated (--licence): only OFFLINE_TRANSLATIONS=free,tst-file makes offline packages',
  ]);
});

test('importXml reads both forms of verses in an OSIS file: elements around the text, and pairs of start and end milestones', async () => {
  const containers = await texts(
    osis(
      '<div type="book" osisID="Gen"><title short="1. Mose">Das erste Buch</title><chapter osisID="Gen.1"><title>Anfang</title><verse osisID="Gen.1.1">Am <w lemma="strong:H07225">Anfang</w><note>oder</note></verse><verse osisID="Gen.1.2 Gen.1.3">beides</verse>zwischen</chapter></div>',
    ),
  );
  expect(containers).toEqual({ 1_001_001: 'Am Anfang', 1_001_002: 'beides' });
  const milestones = await texts(
    osis(
      '<div type="book" osisID="John"><chapter sID="John.3" osisID="John.3"/><p><verse sID="John.3.16" osisID="John.3.16"/>Also <q marker="“">hat</p><p><divineName>Lord</divineName></q><verse eID="John.3.16"/> zwischen <verse sID="John.3.17" osisID="John.3.17!a"/>ein</p><title>Titel</title><p>s<verse eID="John.3.17"/></p><chapter eID="John.3"/></div>'
        .replace('<q marker="“">hat</p><p>', '<q sID="q1" marker="“"/>hat</p><p>')
        .replace('</q>', '<q eID="q1" marker="”"/>'),
    ),
  );
  expect(milestones).toEqual({ 43_003_016: 'Also “hat LORD”', 43_003_017: 'ein s' });
});

test('importXml keeps the targets of references in a note of an OSIS file', async () => {
  const note =
    '<note type="crossReference"><reference type="annotateRef">1:1</reference> <reference osisRef="Bible:Gen.1.2-Gen.1.3">V. 2</reference>; <reference osisRef="1John.1.1">1. Joh</reference></note>';
  const draft = await read(
    osis(`<div type="book" osisID="Gen"><verse osisID="Gen.1.1">Am Anfang${note}</verse></div>`),
  );
  expect(draft.verses[0]?.layout.notes).toEqual([
    {
      kind: 'CROSS_REFERENCE',
      start: 9,
      text: 'V. 2; 1. Joh',
      links: [
        { start: 0, length: 4, target: 'Bible:Gen.1.2-Gen.1.3' },
        { start: 6, length: 6, target: '1John.1.1' },
      ],
    },
  ]);
});

test('importXml reads the metadata of an OSIS file from its header, and the names of books from their titles', async () => {
  const file = write(
    osis(
      '<div type="book" osisID="Gen"><title type="main" short="1. Mose">Das erste Buch</title><verse osisID="Gen.1.1">Am Anfang</verse></div>',
    ),
    'deu-klein.osis.xml',
  );
  const draft = await importXml(file, {}, 'digest');
  expect(draft).toMatchObject({
    identifier: 'deu-klein',
    name: 'Kleine Bibel',
    abbrev: 'Klein',
    language: 'deu',
    languageName: 'German',
    note: 'Gemeinfrei',
    numbering: 'standard',
    source: { name: 'deu-klein.osis.xml' },
  });
  expect(toStoredTranslation(draft, 'import').books).toEqual([{ code: 'GEN', name: '1. Mose', chapters: [[1]] }]);
});

test('importXml reads Zefania elements in upper and lower case, and adds H or G to Strong’s numbers by the testament', async () => {
  const body =
    '<BIBLEBOOK bnumber="1" bname="1. Mose"><CHAPTER cnumber="1"><CAPTION vref="1">Anfang</CAPTION><VERS vnumber="1">Am <gr str="7225">Anfang</gr><NOTE>oder</NOTE><BR art="x-p"/>schuf</VERS></CHAPTER></BIBLEBOOK><BIBLEBOOK bnumber="43"><CHAPTER cnumber="1"><VERS vnumber="1">Im <GRAM str="746 G1722">Anfang</GRAM></VERS></CHAPTER></BIBLEBOOK>';
  const draft = await read(zefania(body));
  expect(draft.verses[0]?.layout).toEqual({
    breaks: [{ kind: 'PARAGRAPH', indent: 0, start: 10 }],
    marks: [],
    notes: [{ kind: 'TRANSLATION', start: 9, text: 'oder' }],
    headings: [{ kind: 'SECTION', start: 0, text: 'Anfang' }],
  });
  expect(withoutLayout(draft)).toEqual([
    { ordinal: 1_001_001, text: 'Am Anfang schuf', words: [{ start: 3, length: 6, strongs: ['H7225'] }] },
    { ordinal: 43_001_001, text: 'Im Anfang', words: [{ start: 3, length: 6, strongs: ['G746', 'G1722'] }] },
  ]);
  const lower = await read(zefania(body).replace(/<\/?[A-Z]+/g, (tag) => tag.toLowerCase()));
  expect(lower.verses).toEqual(draft.verses);
  expect(draft).toMatchObject({ name: 'Kleine Bibel', abbrev: 'KB' });
});

test('importXml keeps deuterocanonical books of a Zefania file by name or number, and leaves out an unknown book', async () => {
  const numbered = '67 JDT 68 WIS 69 TOB 70 SIR 71 BAR 72 1MA 73 2MA 77 3MA 78 4MA 80 1ES 87 SUS 89 PS2 91 BEL'.split(
    ' ',
  );
  const named = ['74', 'Greek Esther', '76', 'Manasse', '87', 'Bel'];
  const read = async (body: string[]) => {
    const elements = body.flatMap((number, index) => {
      const name = body[index + 1] ?? '';
      if (index % 2 === 1) return [];
      return `<BIBLEBOOK bnumber="${number}" bname="${name}"><CHAPTER cnumber="1"><VERS vnumber="1">eins</VERS></CHAPTER></BIBLEBOOK>`;
    });
    const draft = await importXml(write(zefania(elements.join(''))), given, 'digest');
    return [draft.verses.map(({ ordinal }) => ordinalParts(ordinal)?.book).join(' '), draft.remarks[0]];
  };
  const unnamed = numbered.map((each, index) => (index % 2 === 1 ? '' : each));
  expect((await read(unnamed))[0]).toBe('TOB JDT WIS SIR BAR SUS BEL 1MA 2MA 3MA 4MA 1ES PS2');
  expect((await read(['1', '', ...named]))[0]).toBe('GEN ESG BEL MAN');
  expect(await read(['1', '', '74', 'Anhang'])).toEqual([
    'GEN',
    'books beyond the 66 left out: 1 with 1 verses (book 74)',
  ]);
});

test('importXml keeps deuterocanonical books, leaves out other books, and reports how many verses it left out', async () => {
  const draft = await read(
    `<usfx><book id="ODA"><c id="1"/><v id="1"/>eins<v id="2"/>zwei</book><book id="TOB"><c id="1"/><v id="1"/>drei</book><book id="GEN"><c id="1"/><v id="1"/>Anfang</book><book id="FRT"><p>Vorwort</p></book></usfx>`,
  );
  expect(draft.verses.map(({ ordinal }) => ordinal)).toEqual([1_001_001, 67_001_001]);
  expect(draft.remarks[0]).toBe('books beyond the 66 left out: 1 with 2 verses (ODA)');
});

test('importXml keeps the deuterocanonical books of an OSIS file', async () => {
  const book = (id: string) => `<div type="book" osisID="${id}"><verse osisID="${id}.1.1">eins</verse></div>`;
  const draft = await read(osis(['Gen', 'Tob', 'AddEsth', 'SgThree', '4Macc', 'AddPs'].map(book).join('')));
  expect(draft.verses.map(({ ordinal }) => ordinalParts(ordinal)?.book)).toEqual('GEN TOB ESG S3Y 4MA PS2'.split(' '));
});

const umlaut = usfx('<c id="1"/><v id="1"/>schön');
test.each<[string, Buffer]>([
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${umlaut}`)],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${umlaut}`, 'utf16le')],
  ['big-endian UTF-16 with a byte order mark', Buffer.from(`\ufeff${umlaut}`, 'utf16le').swap16()],
  ['UTF-16 without a byte order mark', Buffer.from(umlaut, 'utf16le')],
  [
    'Latin-1 that the XML declaration names',
    Buffer.from(umlaut.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"'), 'latin1'),
  ],
])('importXml reads a file in %s', async (_, content) => {
  expect(await texts(content)).toEqual({ 1_001_001: 'schön' });
});

test.each<[string, string | Buffer, RegExp]>([
  ['no content', '', /tst-\d+\.xml is empty$/],
  ['text that is not XML', 'In the beginning', /tst-\d+\.xml, line 1, column \d+: /],
  [
    'binary content',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]),
    /says that it is written in utf-8, but it holds bytes that are not; correct them, or leave such verses out with --keep-going$/,
  ],
  [
    'the root element of another format',
    '<!DOCTYPE html><html><body/></html>',
    /is not a Bible file: its root element is <html>; USFX \(<usfx>\), OSIS .* are supported$/,
  ],
  ['no verse', usfx('<c id="1"/><p>nichts</p>'), /holds no verse of a book of the Bible$/],
  [
    'a verse outside a chapter',
    usfx('<v id="1"/>Anfang'),
    /line 1, column \d+: GEN has the verse 1 in no chapter; correct it, or leave it out with --keep-going$/,
  ],
  [
    'an end tag of another element',
    usfx('<c id="1"/>\n<v id="1"/>Am\n <b>Anfang</i>'),
    /tst-\d+\.xml, line 3, column 14: unexpected close tag/,
  ],
  [
    'an element that is not closed',
    usfx('<c id="1"/>\n<v id="1"/>Am').slice(0, -20),
    /tst-\d+\.xml, line 2, column \d+: unclosed tag/i,
  ],
  [
    'Latin-1 that claims to be UTF-8',
    Buffer.from(umlaut, 'latin1'),
    /says that it is written in utf-8, but it holds bytes that are not/,
  ],
  [
    'an unknown encoding',
    '<?xml version="1.0" encoding="x-klingon"?><usfx/>',
    /is written in x-klingon, which is not known here; save it in UTF-8/,
  ],
  [
    'an entity that the file declares',
    `<!DOCTYPE usfx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${usfx('<c id="1"/><v id="1"/>&b;').replace(/<\?.*?\?>/, '')}`,
    /undefined entity/,
  ],
  [
    'an entity that refers to another file',
    `<!DOCTYPE usfx [<!ENTITY a SYSTEM "file:///etc/passwd">]>${usfx('<c id="1"/><v id="1"/>&a;').replace(/<\?.*?\?>/, '')}`,
    /undefined entity/,
  ],
  [
    'more than 1,000,000 characters without a tag',
    usfx(`<c id="1"/><v id="1"/>${'x'.repeat(1_200_000)}`),
    /more than 1000000 characters without a tag, so this is not a Bible file/,
  ],
  [
    'a verse of more than 20,000 characters',
    usfx(`<c id="1"/><v id="1"/>${'wort<b/> '.repeat(9_000)}`),
    /GEN 1:1 is longer than 20000 characters, so this is not a verse/,
  ],
  ['elements nested more than 500 deep', '<usfx>'.repeat(600), /elements lie more than 500 deep/],
])('importXml rejects a file with %s, and says what is wrong', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('importXml rejects a folder, and says that the path is not a file', async () => {
  mkdirSync(join(folder, 'folder.xml'));
  await expect(importXml(join(folder, 'folder.xml'), given, 'digest')).rejects.toThrow('folder.xml is not a file');
});

test('importXml reads a file of 5 MB with less than 300 MB of memory', async () => {
  const verse = `<v id="1"/>${'wort <w s="H1">ende</w>, '.repeat(12)}<f caller="+">Anmerkung</f><ve/>`;
  const chapters = Array.from(
    { length: 150 },
    (_, chapter) =>
      `<c id="${chapter + 1}"/>${Array.from({ length: 110 }, (_entry, at) => verse.replace('"1"', `"${at + 1}"`)).join('\n')}`,
  );
  const file = write(`<usfx><book id="PSA">${chapters.join('\n')}</book></usfx>`);
  const before = process.memoryUsage().rss;
  const draft = await importXml(file, given, 'digest');
  expect(draft.verses).toHaveLength(16_500);
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});
