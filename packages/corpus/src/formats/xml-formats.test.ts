import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { importSource } from '../import';
import type { GivenMetadata } from '../resolve-metadata';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
let count = 0;
const given = { identifier: 'tst-file', language: 'deu', note: 'Public Domain' };
const write = (content: string, name = `tst-${(count += 1)}.xml`): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const read = (content: string, options: GivenMetadata = {}): Promise<DraftTranslation> =>
  importSource(write(content), { ...given, ...options });
const texts = ({ verses }: DraftTranslation): Record<number, string> =>
  Object.fromEntries(verses.map(({ ordinal, text }) => [ordinal, text]));
const osis = (book: string, body: string): string =>
  `<osis><osisText osisIDWork="ZZ" xml:lang="de"><header><work osisWork="ZZ"><title>Klein</title></work></header><div type="book" osisID="${book}">${body}</div></osisText></osis>`;

test('importing OSIS ends words of Jesus without an end with the chapter at the latest, and reports the chapter', async () => {
  const draft = await read(
    osis(
      'Matt',
      '<chapter osisID="Matt.1"><verse osisID="Matt.1.1">a <q who="Jesus" sID="q1"/>red</verse><verse osisID="Matt.1.2">still red<q eID="q1"/> plain</verse><verse osisID="Matt.1.3"><q who="Jesus" sID="q2"/>red</verse></chapter><chapter osisID="Matt.2"><verse osisID="Matt.2.1">plain</verse></chapter>',
    ),
  );
  expect(draft.verses.map(({ layout }) => layout.marks.map(({ length }) => length))).toEqual([[3], [9], [3], []]);
  expect(draft.findings.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'MAT 1: words of Jesus that begin in the chapter have no end, and end with the chapter',
  ]);
});

test('importing OSIS reads titles between verses as headings, also after the last verse, and a range of ids as a bridge', async () => {
  const draft = await read(
    osis(
      'Gen',
      '<title type="main">Genesis</title><chapter osisID="Gen.1"><verse osisID="Gen.1.1">a</verse><title type="main">B</title><verse osisID="Bible.de-x:Gen.1.2 Gen.1.3">b</verse><verse osisID="Gen.1.4-Gen.1.5">c</verse><title>End</title></chapter>',
    ),
  );
  expect(texts(draft)).toEqual({ 1_001_001: 'a', 1_001_002: 'b', 1_001_004: 'c' });
  expect(draft.verses.map(({ layout }) => layout.headings)).toEqual([
    [],
    [{ kind: 'SECTION', start: 0, text: 'B' }],
    [{ kind: 'SECTION', start: 1, text: 'End' }],
  ]);
  expect(draft.remarks).toContain('numbers that stay empty, because their text is stored at the number before: 2');
});

test('importing a folder with an OSIS file for each book reads the words, Strong’s numbers and qere of morphhb', async () => {
  const root = join(folder, 'wlc');
  mkdirSync(root);
  write(
    osis(
      'Gen',
      '<chapter osisID="Gen.1"><verse osisID="Gen.1.1"><w lemma="b/7225" morph="HR/Ncfsa">ב/ראשית</w> <w lemma="1254 a" morph="HVqp3ms">ברא</w><seg type="x-maqqef">־</seg><w type="x-ketiv" lemma="3318" morph="HVhv2ms">הוצא</w><note type="variant"><catchWord>הוצא</catchWord><rdg type="x-qere"><w lemma="3318" morph="HVhv2ms">היצא</w></rdg></note> <w lemma="c">ו/א</w></verse></chapter>',
    ),
    'wlc/Gen.xml',
  );
  write(osis('Ruth', '<chapter osisID="Ruth.1"><verse osisID="Ruth.1.1">und/oder</verse></chapter>'), 'wlc/Ruth.xml');
  write('<verseMap/>', 'wlc/VerseMap.xml');
  const draft = await importSource(root, given);
  expect(texts(draft)).toEqual({ 1_001_001: 'בראשית ברא־הוצא ו/א', 8_001_001: 'und/oder' });
  expect(draft.verses[0]?.words).toEqual([
    { start: 0, length: 6, strongs: ['H7225'] },
    { start: 7, length: 3, strongs: ['H1254'] },
    { start: 11, length: 4, strongs: ['H3318'] },
  ]);
  expect(draft.verses[0]?.layout.notes).toEqual([{ kind: 'TRANSLATION', start: 15, text: 'Qere: היצא' }]);
  expect(draft).toMatchObject({ name: 'Klein', source: { format: 'OSIS' }, findings: [] });
});

const chapters = (last: number): string =>
  Array.from({ length: last }, (_, at) => `<CHAPTER cnumber="${at + 1}"><VERS vnumber="1">a</VERS></CHAPTER>`).join('');
const zefania = (number: number, name: string, last: number): string =>
  `<XMLBIBLE biblename="Klein"><BIBLEBOOK bnumber="${number}" bname="${name}">${chapters(last)}</BIBLEBOOK></XMLBIBLE>`;

test.each([
  [
    'a book that no language calls so',
    zefania(1, 'First Chronicle of Nobody', 1),
    "GEN is book 1 'First Chronicle of Nobody', but its last chapter is 1",
  ],
  [
    'the name and the length of another book',
    zefania(40, 'Mark', 16),
    "MAT is book 40 'Mark', but its last chapter is 16",
  ],
  ['too many chapters and no name', zefania(8, '', 55), "RUT is book 8 '', but its last chapter is 55"],
  ['too many chapters for its name', zefania(69, 'Tobit', 51), "TOB is book 69 'Tobit', but its last chapter is 51"],
])('importing Zefania rejects a book with %s', async (_, content, why) => {
  await expect(read(content)).rejects.toThrow(
    `${why}, so it has the text of another book; correct it, or leave it out with --keep-going`,
  );
});

test('importing Zefania with --keep-going leaves out a book that contradicts its number, and keeps the others', async () => {
  const both = zefania(40, 'Mark', 16).replace('</XMLBIBLE>', zefania(65, 'Judas', 1).replace(/^<XML[^>]*>/, ''));
  const draft = await read(both, { keepGoing: true });
  expect(texts(draft)).toEqual({ 65_001_001: 'a' });
  expect(draft.findings.map(({ kind, place }) => `${kind} ${place}`)).toEqual(['left-out-verse MAT']);
});

test.each([
  ['a part of a book with a known name', zefania(1, '1. Mose', 2)],
  ['a whole book with a name that is not known', zefania(1, 'ᏗᏓᎴᏂᏍᎬ', 50)],
  ['a whole book whose name has another number elsewhere', zefania(9, '1 Царств', 31)],
  ['a part of a book without a name', zefania(8, '', 2)],
])('importing Zefania accepts %s', async (_, content) => {
  expect((await read(content)).verses.length).toBeGreaterThan(1);
});

const beblia =
  '<?xml version="1.0" encoding="UTF-8"?><bible translation="Kleine Bibel" status="Public Domain" link="No Data"><testament name="New"><book number="65"><chapter number="1"><verse number="1">Erster.</verse><verse number="2"></verse><verse number="3">Dritter.</verse></chapter></book></testament></bible>';

test('importing Beblia XML reads its name, licence and verses, and reports verses without text', async () => {
  const draft = await read(beblia, { note: undefined } as GivenMetadata);
  expect(texts(draft)).toEqual({ 65_001_001: 'Erster.', 65_001_003: 'Dritter.' });
  expect(draft).toMatchObject({ name: 'Kleine Bibel', note: 'Public Domain', source: { format: 'Beblia' } });
  expect(draft.findings.map(({ kind, place }) => `${kind} ${place}`)).toEqual(['empty-verse JUD 1:2']);
});

test('importing with --names takes the names of books from a file, and rejects a line without a code or a name', async () => {
  const file = write('JUD Judas\n\nREV\tOffenbarung des  Johannes\n', 'names.txt');
  const { bookNames } = await read(beblia, { names: file });
  expect([...bookNames]).toEqual([
    ['JUD', 'Judas'],
    ['REV', 'Offenbarung des Johannes'],
  ]);
  const wrong = write('JUD Judas\nMoses', 'wrong.txt');
  await expect(read(beblia, { names: wrong })).rejects.toThrow(
    `${wrong}, line 2: write the code of a book and its name, such as "GEN 1. Mose"`,
  );
  await expect(read(beblia, { names: file, language: 'eng' })).rejects.toThrow('--names is not for eng');
});

test('an import rejects a source of which most verses do not exist in any numbering, unless a numbering is given', async () => {
  const verses = Array.from({ length: 150 }, (_, at) => `<verse osisID="Ruth.1.${at + 1}">a</verse>`).join('');
  const content = osis('Ruth', `<chapter osisID="Ruth.1">${verses}</chapter>`);
  await expect(read(content)).rejects.toThrow(
    '128 of 150 verses are no verses of the Bible, so its books have wrong names or numbers; say --numbering to import it all the same',
  );
  expect((await read(content, { numbering: 'standard' })).verses).toHaveLength(150);
});

test('importing reads control characters of Windows-1252 in UTF-8 as the signs that they stand for', async () => {
  const draft = await read(
    osis('Gen', '<chapter osisID="Gen.1"><verse osisID="Gen.1.1">\u0093man\u0092s life\u0094</verse></chapter>'),
  );
  expect(texts(draft)).toEqual({ 1_001_001: '“man’s life”' });
});

test('importing XML removes NUL characters, and leaves out verses with other control characters with --keep-going', async () => {
  const content = `${osis('Gen', '<chapter osisID="Gen.1"><verse osisID="Gen.1.1">a\u0001</verse><verse osisID="Gen.1.2">b</verse></chapter>')}\n\0\0`;
  await expect(read(content)).rejects.toThrow('disallowed character');
  expect(texts(await read(content, { keepGoing: true }))).toEqual({ 1_001_002: 'b' });
});

test.each([
  [
    'Zefania',
    '<XMLBIBLE><BIBLEBOOK bnumber="65"><CHAPTER cnumber="1"><VERS vnumber="0">Title</VERS><VERS vnumber="1">a</VERS></CHAPTER></BIBLEBOOK></XMLBIBLE>',
  ],
  ['USFX', '<usfx><book id="JUD"><c id="1"/><v id="0"/>Title<ve/><v id="1"/>a<ve/></book></usfx>'],
  [
    'OSIS',
    osis(
      'Jude',
      '<chapter osisID="Jude.1"><verse osisID="Jude.1.0">Title</verse><verse osisID="Jude.1.1">a</verse></chapter>',
    ),
  ],
])('importing %s leaves out a verse 0, and reports it', async (_, content) => {
  const draft = await read(content);
  expect(texts(draft)).toEqual({ 65_001_001: 'a' });
  expect(draft.findings.map(({ kind, place, message }) => `${kind} ${place}: ${message}`)).toEqual([
    "outside-verse JUD 1: '0' is no number of a verse",
  ]);
});

test.each([
  [
    'OSIS',
    osis(
      'Ps',
      '<chapter osisID="Ps.3"><title>T</title><p>A psalm</p><verse osisID="Ps.3.1">a<note>n</note></verse>lost <hi>words</hi></chapter>',
    ),
    ["PSA 3: 'A psalm' stands in no verse", "PSA 3: 'lost words' stands in no verse"],
  ],
  [
    'USFX',
    '<usfx><book id="PSA"><id>x</id><h>P</h><c id="3"/><s>T</s><p>A psalm</p><p><v id="1"/>a<ve/></p></book></usfx>',
    ["PSA 3: 'A psalm' stands in no verse"],
  ],
  [
    'Zefania',
    '<XMLBIBLE><INFORMATION><title>B</title></INFORMATION><BIBLEBOOK bnumber="19"><CHAPTER cnumber="3"><CAPTION>T</CAPTION><VERS vnumber="1">a</VERS>lost</CHAPTER></BIBLEBOOK></XMLBIBLE>',
    ["PSA 3: 'lost' stands in no verse"],
  ],
])('importing %s reports text that stands in no verse', async (_, content, expected) => {
  const draft = await read(content);
  expect(texts(draft)).toEqual({ 19003001: 'a' });
  expect(draft.findings.map(({ place, message }) => `${place}: ${message}`)).toEqual(expected);
});

test('importing USX reads a paragraph before the first verse of a psalm as its title, with a finding', async () => {
  const psalm = (number: number, body: string): string => `<chapter number="${number}" style="c"/>${body}`;
  const verse = '<para style="q1"><verse number="1" style="v"/>a</para>';
  const draft = await read(
    `<usx version="3.0"><book code="PSA" style="id"/>${psalm(3, `<para style="p">Of <char style="it">David</char></para>${verse}`)}${psalm(4, `<para style="q1"><char style="it">Of Asaph</char></para>${verse}`)}${psalm(5, `<para style="b"/>${verse}<para style="p">b</para>`)}</usx>`,
  );
  expect(texts(draft)).toEqual({ 19003001: 'a', 19004001: 'a', 19005001: 'a b' });
  expect(draft.verses.map(({ layout }) => layout.headings)).toEqual([
    [{ kind: 'PSALM_TITLE', text: 'Of David', start: 0 }],
    [{ kind: 'PSALM_TITLE', text: 'Of Asaph', start: 0 }],
    [],
  ]);
  expect(draft.findings.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'PSA 3: \\p before the first verse is read as \\d, the title of the psalm',
    'PSA 4: \\q1 before the first verse is read as \\d, the title of the psalm',
  ]);
});
