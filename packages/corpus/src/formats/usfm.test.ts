import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { importSource } from '../import';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
let count = 0;
const given = { identifier: 'tst-file', language: 'deu', note: 'Public Domain' };

const write = (content: string | Uint8Array, name = `file${(count += 1)}.usfm`): string => {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const read = (content: string | Uint8Array): Promise<DraftTranslation> => importSource(write(content), given);
const genesis = (body: string): string => `\\id GEN Kleine Bibel\n\\h 1. Mose\n\\mt1 Das erste Buch\n\\c 1\n${body}`;
const texts = (draft: DraftTranslation): Record<number, string> =>
  Object.fromEntries(draft.verses.map(({ ordinal, text }) => [ordinal % 1_000_000, text]));
const findings = ({ findings: found }: DraftTranslation): string[] =>
  found.map(({ kind, place, line, message }) => `${kind} ${place} line ${line}: ${message}`);

const rich = genesis(`\\s1 Die \\nd Herr\\nd* Schöpfung
\\r (Joh 1)
\\p
\\v 1 \\w Am Anfang|lemma="rosh" strong="H7225"\\w* \\w schuf|H1254\\w* \\add der \\+nd Herr\\+nd* Gott\\add*.\\f + \\fr 1:1 \\ft Oder: \\fq Im \\+nd Herr\\+nd* \\fqa alt\\f*
\\v 2-3 Er sprach: \\wj Komm\\x - \\xo 1:2 \\xt Joh 1,1|JHN 1:1\\xt*\\x*
\\v 4 und sieh\\wj*, \\qt-s |sid="a" who="Jesus"\\*folge mir\\qt-e |eid="a"\\* nach\\va 7\\va* \\vp 6b\\vp*.
\\b
\\q1
\\v 5 Lob~den // Herrn,
\\q2 ihr Völker. \\qs Sela\\qs*
\\c 2
\\d Ein Lied\\f + \\ft Oder: Psalm\\f*
\\li1
\\v 1 erstens
\\li2 zweitens
\\tr \\th1 Tag \\th2 Opfer
\\tr \\tc1
\\v 2 eins \\tcr2 zwei
\\esb \\p Kasten \\esbe
\\m
\\v 3 Ende`);

test('importing USFM leaves headings, notes and alternative verse numbers out of the verse texts', async () => {
  const draft = await read(rich);
  expect(texts(draft)).toEqual({
    1001: 'Am Anfang schuf der HERR Gott.',
    1002: 'Er sprach: Komm',
    1004: 'und sieh, folge mir nach.',
    1005: 'Lob den Herrn, ihr Völker. Sela',
    2001: 'erstens zweitens',
    2002: 'eins zwei',
    2003: 'Ende',
  });
  expect(draft.verses[0]?.words).toEqual([
    { start: 0, length: 9, strongs: ['H7225'] },
    { start: 10, length: 5, strongs: ['H1254'] },
  ]);
  expect(draft).toMatchObject({ name: 'Kleine Bibel', source: { format: 'USFM' }, findings: [] });
  expect([...draft.bookNames]).toEqual([['GEN', '1. Mose']]);
});

test('importing USFM returns paragraphs, poetry, lists, headings, notes and marks as the layout of the verses', async () => {
  const { verses } = await read(rich);
  expect(verses.map(({ layout }) => layout)).toEqual([
    {
      breaks: [{ kind: 'PARAGRAPH', indent: 0, start: 0 }],
      marks: [
        { kind: 'ADDED_WORDS', start: 16, length: 13 },
        { kind: 'DIVINE_NAME', start: 20, length: 4 },
      ],
      notes: [{ kind: 'TRANSLATION', start: 30, text: 'Oder: Im HERR alt' }],
      headings: [
        { kind: 'SECTION', start: 0, text: 'Die HERR Schöpfung' },
        { kind: 'SECTION', start: 0, text: '(Joh 1)' },
      ],
    },
    {
      breaks: [],
      marks: [{ kind: 'WORDS_OF_JESUS', start: 11, length: 4 }],
      notes: [
        {
          kind: 'CROSS_REFERENCE',
          start: 15,
          text: 'Joh 1,1',
          links: [{ start: 0, length: 7, target: 'JHN 1:1' }],
        },
      ],
      headings: [],
    },
    {
      breaks: [],
      marks: [
        { kind: 'WORDS_OF_JESUS', start: 0, length: 8 },
        { kind: 'WORDS_OF_JESUS', start: 10, length: 9 },
      ],
      notes: [],
      headings: [],
    },
    {
      breaks: [
        { kind: 'STANZA', indent: 0, start: 0 },
        { kind: 'LINE', indent: 0, start: 0 },
        { kind: 'LINE', indent: 1, start: 15 },
        { kind: 'LINE', indent: 0, start: 27 },
      ],
      marks: [],
      notes: [],
      headings: [],
    },
    {
      breaks: [
        { kind: 'LINE', indent: 0, start: 0 },
        { kind: 'LINE', indent: 1, start: 8 },
      ],
      marks: [],
      notes: [{ kind: 'TRANSLATION', start: 0, text: 'Oder: Psalm' }],
      headings: [{ kind: 'PSALM_TITLE', start: 0, text: 'Ein Lied' }],
    },
    {
      breaks: [
        { kind: 'LINE', indent: 0, start: 0 },
        { kind: 'LINE', indent: 0, start: 0 },
      ],
      marks: [],
      notes: [],
      headings: [],
    },
    { breaks: [{ kind: 'PARAGRAPH', indent: 0, start: 0 }], marks: [], notes: [], headings: [] },
  ]);
});

test('importing USX returns the same verses as importing the same text in USFM', async () => {
  const usx = `<?xml version="1.0" encoding="utf-8"?>
<usx version="3.0">
  <book code="GEN" style="id">Kleine Bibel</book>
  <para style="h">1. Mose</para>
  <para style="mt1">Das erste Buch</para>
  <chapter number="1" style="c" sid="GEN 1" />
  <para style="s1">Die <char style="nd">Herr</char> Schöpfung</para>
  <para style="r">(Joh 1)</para>
  <para style="p"><verse number="1" style="v" sid="GEN 1:1" /><char style="w" lemma="rosh" strong="H7225">Am Anfang</char> <char style="w" strong="H1254">schuf</char> <char style="add">der <char style="nd">Herr</char> Gott</char>.<note caller="+" style="f"><char style="fr" closed="false">1:1 </char><char style="ft" closed="false">Oder: </char><char style="fq">Im <char style="nd">Herr</char> </char><char style="fqa">alt</char></note><verse eid="GEN 1:1" />
    <verse number="2-3" style="v" sid="GEN 1:2-3" />Er sprach: <char style="wj">Komm<note caller="-" style="x"><char style="xo">1:2 </char><char style="xt"><ref loc="JHN 1:1">Joh 1,1</ref></char></note></char><verse eid="GEN 1:2-3" />
    <verse number="4" style="v" sid="GEN 1:4" /><char style="wj">und sieh</char>, <ms style="qt-s" sid="a" who="Jesus" />folge mir<ms style="qt-e" eid="a" /> nach<char style="va">7</char> <char style="vp">6b</char>.<verse eid="GEN 1:4" /></para>
  <para style="b" />
  <para style="q1"><verse number="5" style="v" sid="GEN 1:5" />Lob den <optbreak/> Herrn,</para>
  <para style="q2" vid="GEN 1:5">ihr Völker. <char style="qs">Sela</char><verse eid="GEN 1:5" /></para>
  <chapter eid="GEN 1" />
  <chapter number="2" style="c" sid="GEN 2" />
  <para style="d">Ein Lied<note caller="+" style="f"><char style="ft">Oder: Psalm</char></note></para>
  <para style="li1"><verse number="1" style="v" sid="GEN 2:1" />erstens</para>
  <para style="li2">zweitens<verse eid="GEN 2:1" /></para>
  <table>
    <row style="tr"><cell style="th1" align="start">Tag</cell><cell style="th2" align="start">Opfer</cell></row>
    <row style="tr"><cell style="tc1" align="start"><verse number="2" style="v" sid="GEN 2:2" />eins</cell><cell style="tcr2" align="end">zwei<verse eid="GEN 2:2" /></cell></row>
  </table>
  <sidebar style="esb"><para style="p">Kasten</para></sidebar>
  <para style="m"><verse number="3" style="v" sid="GEN 2:3" />Ende<verse eid="GEN 2:3" /></para>
  <chapter eid="GEN 2" />
</usx>`;
  const [fromUsx, fromUsfm] = [await read(usx), await read(rich)];
  expect(fromUsx.verses).toEqual(fromUsfm.verses);
  expect(fromUsx).toMatchObject({ name: 'Kleine Bibel', source: { format: 'USX' }, findings: [] });
  expect([...fromUsx.bookNames]).toEqual([['GEN', '1. Mose']]);
});

const smallUsx =
  '<usx version="3.0"><book code="GEN"/><chapter number="1"/><para style="p"><verse number="1"/>Anfang</para></usx>';

test.each([
  ['nothing', ''],
  ['a byte order mark, a declaration and blanks', '\uFEFF<?xml version="1.0"?>\n\n'],
  ['a comment that names another element and ends in hyphens', '<!-- <osis> - -->'],
  ['40 comments', '<!-- -->'.repeat(40)],
  ['100,000 comments', '<!-- a -->\n'.repeat(100_000)],
  ['comments up to the end of the part that is read first', '<!-- -->'.repeat(16_384 / 8)],
  ['comments up to the middle of the root element', `<!-- -->${' '.repeat(16_384 - 10)}`],
])('importing recognizes USX by its root element after %s', async (_, prolog) => {
  const draft = await read(prolog + smallUsx);
  expect([draft.source.format, draft.verses.map(({ text }) => text)]).toEqual(['USX', ['Anfang']]);
});

test('importing rejects a file of 100,000 comments, blanks or declarations without a root element in linear time', async () => {
  // In quadratic time, each of these files would take minutes.
  for (const prolog of ['<!---->', '<!-- --> ', '<!-- ', ' ', '<?xml ', '<?xml>', '<!-- --><'])
    await expect(read(`${prolog.repeat(100_000)}x`)).rejects.toThrow(/\.usfm/);
});

test.each([
  ['an attribute without a name', '\\xt Jn 1|JHN 1:1-2:3\\xt*', 'JHN 1:1-2:3'],
  ['the attribute link-href', '\\xt Jn 1|link-href="JHN 1:1"\\xt*', 'JHN 1:1'],
  ['an attribute that only the end of the note closes', '\\xt Jn 1|JHN 1:1', 'JHN 1:1'],
  ['the marker ref', '\\xt \\ref Jn 1|JHN 1\\ref*', 'JHN 1'],
])('an import of USFM keeps the target of a link of a cross reference in %s', async (_, markup, target) => {
  const draft = await read(genesis(`\\p\n\\v 1 eins\\x - \\xo 1:1 ${markup}\\x*`));
  expect(draft.verses[0]?.layout.notes).toEqual([
    { kind: 'CROSS_REFERENCE', start: 4, text: 'Jn 1', links: [{ start: 0, length: 4, target }] },
  ]);
});

test('an import of USFM removes links that name no existing verse, keeps the text of these links, and counts them', async () => {
  const targets = ['XXX 1:1', 'JHN 1:99', 'JHN 22', 'GEN 1:5-1', 'notes', `GEN 1:1${'-1'.repeat(500)}`];
  const links = targets.map((target) => `\\xt a|${target}\\xt*`).join(' ');
  const draft = await read(genesis(`\\p\n\\v 1 eins\\x - ${links}\\x*`));
  expect(draft.verses[0]?.layout.notes).toEqual([{ kind: 'CROSS_REFERENCE', start: 4, text: 'a a a a a a' }]);
  expect(draft.remarks).toContain('links of notes that name no verse, in whose place the text of the note counts: 6');
  expect(findings(draft)[0]).toBe("note GEN 1:1 line 6: the link 'XXX 1:1' of a note names no verse");
});

test('importing USFM reads the Strong’s numbers of words from the alignment markers of unfoldingWord', async () => {
  const draft = await read(
    genesis(
      `\\p\n\\v 1 \\zaln-s |x-strong="b:H7225" x-content="x"\\*\\w Am|x-occurrence="1"\\w* \\w Anfang|x-occurrence="1"\\w*\\zaln-e\\* \\zaln-s |x-strong="G23160"\\*\\w Gott|x-occurrence="1"\\w*\\zaln-e\\*\\ts\\*`,
    ),
  );
  expect(texts(draft)).toEqual({ 1001: 'Am Anfang Gott' });
  expect(draft.verses[0]?.words.map(({ strongs }) => strongs)).toEqual([['H7225'], ['H7225'], ['G2316']]);
  expect(draft.findings).toEqual([]);
});

test('importing USFM reads a verse number in the title of a psalm as the first verse of the psalm', async () => {
  const draft = await read('\\id PSA\n\\c 3\n\\d\n\\v 1 Ein Psalm Davids.\n\\q1\n\\v 2 Ach HERR');
  expect(texts(draft)).toEqual({ 3001: 'Ein Psalm Davids.', 3002: 'Ach HERR' });
});

test('importing USFM moves the note of a verse without text to the previous verse, and reports the empty verse', async () => {
  const draft = await read(genesis('\\p\n\\v 1 eins\n\\v 2 \\f + \\ft Manche fügen hinzu\\f*\n\\v 3 drei'));
  expect(texts(draft)).toEqual({ 1001: 'eins', 1003: 'drei' });
  expect(draft.verses[0]?.layout.notes).toEqual([{ kind: 'TRANSLATION', start: 4, text: 'Manche fügen hinzu' }]);
  expect(findings(draft)).toEqual(['empty-verse GEN 1:2 line 7: it has no text']);
});

test.each<[string, string, string[]]>([
  [
    'a marker that USFM does not have',
    '\\p\n\\v 1 eins\n\\foo zwei',
    ['marker GEN 1:1 line 7: \\foo is not a marker of USFM'],
  ],
  [
    'markers that are not closed',
    '\\p\n\\v 1 \\wj eins \\add zwei\\wj* drei \\nd vier\n\\p fünf',
    ['markup GEN 1:1 line 6: \\add is not closed by \\add*', 'markup GEN 1:1 line 6: \\nd is not closed by \\nd*'],
  ],
  [
    'a note that the next verse ends',
    '\\p\n\\v 1 eins\\f + \\ft Note\n\\v 2 zwei',
    ['markup GEN 1:1 line 6: \\f is not closed by \\f*'],
  ],
  ['an end marker without a start marker', '\\p\n\\v 1 eins\\nd*', ['markup GEN 1:1 line 6: \\nd* closes nothing']],
  ['a note without text', '\\p\n\\v 1 eins\\f + \\fr 1:1\\f*', ['note GEN 1:1 line 6: the note \\f has no text']],
  [
    'a backslash without a marker',
    '\\p\n\\v 1 eins \\ zwei',
    ['markup GEN 1:1 line 6: a backslash stands without a marker'],
  ],
  [
    'text before the first verse',
    '\\p Vorwort\n\\v 1 eins',
    ["outside-verse GEN 1 line 5: 'Vorwort' stands in no verse"],
  ],
  [
    'a verse that occurs twice',
    '\\p\n\\v 1 eins\n\\v 1 noch einmal',
    [`doubled-verse GEN 1:1 line 7: it stands in FILE, line 6 too`],
  ],
  [
    'chapters out of order',
    '\\p\n\\v 1 eins\n\\c 3\n\\p\n\\v 1 drei\n\\c 2\n\\p\n\\v 1 zwei',
    ['order GEN 2:1 line 12: it follows a later verse'],
  ],
  [
    'a verse number that is not a number',
    '\\p\n\\v 1 eins\n\\v x zwei',
    [
      "markup GEN 1:x line 7: 'x' is not the number of a verse",
      "outside-verse GEN 1:x line 7: 'zwei' stands in no verse",
    ],
  ],
])('importing USFM keeps the text of a file with %s, and reports the verse and the line', async (_, body, expected) => {
  const draft = await read(genesis(body));
  expect(draft.verses.length).toBeGreaterThan(0);
  expect(findings(draft).map((line) => line.replace(/\S*\/file\d+\.usfm/, 'FILE'))).toEqual(expected);
});

const umlaut = genesis('\\p\n\\v 1 schön').replace('\\h', '\\ide UTF-8\n\\h');
test.each<[string, string | Buffer, string[]]>([
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${umlaut}`), []],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${umlaut}`, 'utf16le'), []],
  ['UTF-16 without a byte order mark', Buffer.from(umlaut, 'utf16le'), []],
  ['big-endian UTF-16 without a byte order mark', Buffer.from(umlaut, 'utf16le').swap16(), []],
  ['Windows-1252', Buffer.from(umlaut, 'latin1'), ['it was read as windows-1252; save it in UTF-8']],
  [
    'the Windows code page of Central Europe, which \\ide names',
    Buffer.from(umlaut.replace('UTF-8', 'CP-1250'), 'latin1'),
    ['it was read as windows-1250; save it in UTF-8'],
  ],
  ['lines that end in CRLF', umlaut.replaceAll('\n', '\r\n'), []],
  ['a licence text before \\id', `A licence with a \\ in it.\n\n${umlaut}`, []],
])('importing USFM accepts %s', async (_, content, expected) => {
  const draft = await read(content);
  expect(texts(draft)).toEqual({ 1001: 'schön' });
  expect(draft.findings.map(({ message }) => message)).toEqual(expected.length > 0 ? expected : []);
});

test.each<[string, string, RegExp]>([
  ['no verse', '\\id GEN\n\\c 1\n\\p Anfang', /holds no verse of a book of the Bible$/],
  [
    'a verse of 1 MB',
    genesis(`\\p\n\\v 1 ${'wort '.repeat(200_000)}\n\\v 2 x`),
    /line 7: GEN 1:1 is longer than 20000 characters, so this is not a verse; correct it, or leave it out with --keep-going$/,
  ],
  [
    'a note of 1 MB',
    genesis(`\\p\n\\v 1 eins\\f + \\ft ${'wort '.repeat(200_000)}\\f*`),
    /line 6: the notes and headings of GEN 1:1 have more than 100000 characters; shorten them, or leave them out$/,
  ],
  [
    '10,000 notes on a verse',
    genesis(`\\p\n\\v 1 eins${'\\f + \\ft a\\f*'.repeat(10_000)}`),
    /line 6: the notes and headings of GEN 1:1 have more than 100000 characters/,
  ],
  [
    'markers in each other 20,000 times',
    genesis(`\\p\n\\v 1 ${'\\+nd a '.repeat(20_000)}`),
    /line 6: more than 500 markers are open; close them, as in \\nd LORD\\nd\*$/,
  ],
])('importing USFM rejects a file with %s, and says what is wrong', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('importing a folder reads the USFM books in all its subfolders, and reports the books that it leaves out', async () => {
  const root = join(folder, 'paratext');
  for (const [name, content] of Object.entries({
    'A/41MAT.SFM': '\\id MAT Klein\n\\c 1\n\\p\n\\v 1 Buch',
    '01GEN.usfm': '\\id GEN Klein\n\\c 1\n\\p\n\\v 1 Anfang\n\\b',
    '68TOB.usfm': '\\id TOB Klein\n\\c 1\n\\p\n\\v 1 Tobit',
    '99ODA.usfm': '\\id ODA Klein\n\\c 1\n\\p\n\\v 1 eins\n\\v 2 zwei',
    'FRT.usfm': '\\id FRT Klein\n\\mt Vorwort',
    'Settings.xml': '<ScriptureText/>',
    'empty.usfm': '',
    'picture.jpg': '\u0000\u0001',
  }))
    write(content, join('paratext', name));
  const draft = await importSource(root, given);
  expect(draft.verses.map(({ ordinal, text }) => [ordinal, text])).toEqual([
    [1_001_001, 'Anfang'],
    [40_001_001, 'Buch'],
    [67_001_001, 'Tobit'],
  ]);
  expect(draft.verses[1]?.layout.breaks).toEqual([{ kind: 'PARAGRAPH', indent: 0, start: 0 }]);
  expect(draft.name).toBe('Klein');
  expect(draft.remarks).toEqual([
    'books beyond the 66 left out: 1 with 2 verses (ODA)',
    'left out, because they hold no text: FRT',
    'the licence is not stated (--licence): only OFFLINE_TRANSLATIONS=free,tst-file makes offline packages',
  ]);
});

test('importing USFM keeps the lemmas of words only if nearly all words have a lemma', async () => {
  const verse = '\\p\n\\v 1 \\w im|in\\w* \\w Anfänge|lemma="Anfang" strong="H7225"\\w*';
  const all = await read(genesis(verse));
  expect(all.verses[0]?.words).toEqual([
    { start: 0, length: 2, strongs: [], lemma: 'in' },
    { start: 3, length: 7, strongs: ['H7225'], lemma: 'Anfang' },
  ]);
  const some = await read(genesis(`${verse} schuf er`));
  expect(some.verses[0]?.words).toEqual([{ start: 3, length: 7, strongs: ['H7225'] }]);
});

const books = { 'RUT.usfm': '\\id RUT\n\\c 1\n\\p\n\\v 1 Anfang' };
test.each([
  [
    'Settings.xml of Paratext',
    {
      'Settings.xml':
        '<ScriptureText><FullName>Kleine Bibel</FullName><Name>KlB1</Name><LanguageIsoCode>de::: </LanguageIsoCode><Copyright>Public Domain</Copyright><Versification>3</Versification></ScriptureText>',
    },
    { identifier: 'deu-klb1', abbrev: 'KlB1', note: 'Public Domain', licence: { code: 'PD' }, numbering: 'vulgate' },
  ],
  [
    'metadata.xml of a USX bundle',
    {
      'metadata.xml':
        '<DBLMetadata id="1"><identification><name>Kleine Bibel</name><abbreviation>KLB</abbreviation></identification><language><iso>deu</iso><scriptDirection>RTL</scriptDirection></language><copyright><fullStatement><p>© 2020 <b>Verlag</b></p></fullStatement></copyright></DBLMetadata>',
      'release/versification.vrs': '# Versification "Russian Orthodox" Version=1\nRUT 1:22\n',
    },
    { identifier: 'deu-klb', direction: 'RTL', note: '© 2020 Verlag', numbering: 'synodal' },
  ],
])(
  'importing a folder reads the metadata of the translation from %s, and options override the metadata',
  async (_, files, expected) => {
    const root = join(folder, `metadata${(count += 1)}`);
    for (const [name, content] of Object.entries({ ...books, ...files })) write(content, join(basename(root), name));
    expect(await importSource(root, {})).toMatchObject({ name: 'Kleine Bibel', language: 'deu', ...expected });
    const own = { identifier: 'nds-own', name: 'Own', language: 'nds', numbering: 'luther', note: 'Ours' };
    expect(await importSource(root, own)).toMatchObject(own);
  },
);
