import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { checkSource } from '../check';
import { importSource } from '../import';
import type { GivenMetadata } from '../resolve-metadata';
import type { DraftTranslation } from '../translation';

const folder = temporaryFolder();
let count = 0;
const given = { identifier: 'tst-file', language: 'deu', note: 'Public Domain' };

const write = (content: string | Buffer, name = `file${(count += 1)}.usfm`): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const read = (content: string | Buffer, options: GivenMetadata = {}): Promise<DraftTranslation> =>
  importSource(write(content), { ...given, ...options });
const texts = (draft: DraftTranslation): Record<number, string> =>
  Object.fromEntries(draft.verses.map(({ ordinal, text }) => [ordinal % 1_000_000, text]));
const notes = ({ verses }: DraftTranslation): string[] =>
  verses.flatMap(({ layout }) => layout.notes.map(({ text }) => text));
const findings = ({ findings: found }: DraftTranslation): string[] =>
  found.map(({ kind, place, line, message }) => `${kind} ${place} line ${line}: ${message}`);

test.each([
  ['Khmer', 'កក\u200Bខខ\u200Bគគ ឃឃ'],
  ['German with soft hyphens', 'Him\u00ADmel und Er\u00ADde'],
  ['a text with word joiners', 'a\u2060b'],
])('an import keeps the zero width spaces, soft hyphens and word joiners of %s', async (_, text) => {
  expect(texts(await read(`\\id TIT\n\\c 1\n\\p\n\\v 1 \u200B${text}\n\\v 2 \u200B`))).toEqual({ 1001: text });
});

test('importing USFM keeps note text out of the verse if a caller \\fm without an end precedes the note', async () => {
  const draft = await read(
    '\\id EXO\n\\c 1\n\\p\n\\v 1 Your\\f + \\ft one.\\f* servant sees\\fm \\f + \\fr 1:1 \\ft two.\\f* eyes, and you\\fm \\f + \\ft three.\\f* rest.\n\\v 2 Look\\fm a\\fm* and end.\n\\v 3 Now\\fm b and then',
  );
  expect(texts(draft)).toEqual({
    1001: 'Your servant sees eyes, and you rest.',
    1002: 'Look and end.',
    1003: 'Now and then',
  });
  expect(notes(draft)).toEqual(['one.', 'two.', 'three.']);
});

test('importing USFM keeps the words of a verse after an alternative number without an end, and reports the number', async () => {
  const draft = await read('\\id GEN\n\\c 1\n\\ca 2\n\\p\n\\v 1 \\va 3 one\n\\v 2 \\vp \\+bd 2b\\+bd*\\vp* two');
  expect(texts(draft)).toEqual({ 1001: 'one', 1002: 'two' });
  expect(findings(draft)).toEqual([
    'markup GEN 1 line 3: \\ca is not closed by \\ca*',
    'markup GEN 1:1 line 5: \\va is not closed by \\va*',
  ]);
});

test('importing USFM keeps a verse that follows its own parts, as in Greek Esther', async () => {
  const draft = await read(
    '\\id EST\n\\c 1\n\\p\n\\v 1a Dream\n\\v 1b and more.\n\\v 1 And it came.\n\\v 2 Two\n\\v 2 again',
  );
  expect(texts(draft)).toEqual({ 1001: 'Dream and more. And it came.', 1002: 'Two' });
});

test('importing a file that holds the same text twice keeps the first text of each part of a verse', async () => {
  const file = '\\id GEN\n\\c 1\n\\p\n\\v 1a One\n\\v 1b and one\n\\v 2-3a Two\n\\v 3b Three\n';
  expect(texts(await read(file + file))).toEqual({ 1001: 'One and one', 1002: 'Two', 1003: 'Three' });
});

test.each(['Title of \\nd David\\nd*', '\\w Title\\w* of David'])(
  'importing USFM reads the paragraph %j before the first verse of a psalm as its title, with a finding',
  async (title) => {
    const draft = await read(`\\id PSA\n\\c 1\n\\p ${title}\n\\q1\n\\v 1 One\n\\q1 more\n\\c 2\n\\p\n\\v 1 Two`);
    expect(
      draft.verses.map(({ layout }) => layout.headings.map(({ kind, text }) => [kind, text.toLowerCase()])),
    ).toEqual([[['PSALM_TITLE', 'title of david']], []]);
    expect(findings(draft)).toEqual([
      'markup PSA 1 line 3: \\p before the first verse is read as \\d, the title of the psalm',
    ]);
  },
);

test('importing a file of few words that is cut off within a character says where, and takes it for no other encoding', async () => {
  const file = Buffer.from('\\id TIT\n\\c 1\n\\p\n\\v 1 កកខ');
  await expect(read(file.subarray(0, -1))).rejects.toThrow('line 4 holds bytes that are not utf-8');
});

test('importing a file that is cut off within \\id says that it has no \\id', async () => {
  await expect(read('\\id T')).rejects.toThrow('it is no XML, and has no \\id of USFM');
});

test('importing USFM reads the chapters A to F of Esther as chapters 11 to 16, where the Vulgate has them', async () => {
  const draft = await read(
    '\\id EST\n\\c A\n\\p\n\\v 1 Year\n\\v 11 Dream\n\\v 12-13 Rest\n\\c 1\n\\p\n\\v 1 One\n\\v 2 Two\n\\c C\n\\p\n\\v 12 Prayer\n\\c 2\n\\p\n\\v 1 Then',
  );
  expect(texts(draft)).toEqual({
    1001: 'One',
    1002: 'Two',
    2001: 'Then',
    11002: 'Year',
    11012: 'Dream',
    12001: 'Rest',
    14001: 'Prayer',
  });
});

const oldAlignment = `\\id TIT
\\c 1
\\p
\\v 1 Before
\\zaln-s | x-strong="G1" x-content="aa"
\\w alpha|x-occurrence="1" x-occurrences="1"\\w*
\\w beta|x-occurrence="1" x-occurrences="1"\\w*
\\zaln-e\\*
middle
\\zaln-s | x-strong="G2" x-content="bb"
\\w gamma|x-occurrence="1" x-occurrences="1"\\w*
\\zaln-e\\*
after.
\\v 2 One \\qt-s |sid="a" who="Bob" he spoke \\qt-e |eid="a"\\* \\k-s | x-tw="rc://x" \\w two\\w* \\k-e\\* end`;

test('importing USFM reads the text in milestones without their end sign, as old alignments have them', async () => {
  const draft = await read(oldAlignment);
  expect(texts(draft)).toEqual({ 1001: 'Before alpha beta middle gamma after.', 1002: 'One he spoke two end' });
  expect(draft.verses[0]?.words.map(({ strongs }) => strongs)).toEqual([['G1'], ['G1'], ['G2']]);
});

test('importing USFM reports each kind of milestone without an end sign once', async () => {
  expect(findings(await read(oldAlignment))).toEqual([
    'markup TIT 1:1 line 5: \\zaln-s is not closed by \\*, as in an old form of milestones',
    'markup TIT 1:2 line 14: \\qt-s is not closed by \\*, as in an old form of milestones',
    'markup TIT 1:2 line 14: \\k-s is not closed by \\*, as in an old form of milestones',
  ]);
});

test('importing USFM keeps the text after a private marker inside a line, and leaves out private paragraphs', async () => {
  const draft = await read('\\id TIT\n\\c 1\n\\p\n\\v 1 one \\zsign two\n\\zprivate three\n\\p\n\\v 2 four');
  expect(texts(draft)).toEqual({ 1001: 'one two', 1002: 'four' });
  expect(findings(draft)).toEqual([]);
});

test('importing USFM separates the paragraphs of a note, keeps its nested words, and ends it with the verse', async () => {
  const draft = await read(
    '\\id LEV\n\\c 1\n\\p\n\\v 1 One\\f + \\fr 1.1 \\fq first \\ft \\fqa \\+w second|Lemma\\+w*.\\f* end.\n\\v 2 Two\\f + \\ft part one\\fp part two\\f* end.\n\\v 3 Three\\f + \\ft unclosed here.\n\\v 4 Four.',
  );
  expect(notes(draft)).toEqual(['first second.', 'part one part two', 'unclosed here.']);
  expect(texts(draft)).toEqual({ 1001: 'One end.', 1002: 'Two end.', 1003: 'Three', 1004: 'Four.' });
});

test('importing USFM keeps the title of a psalm after the last verse of a chapter at the end of that verse', async () => {
  const { verses } = await read(
    '\\id PSA\n\\c 3\n\\q1\n\\v 1 three\n\\d a title after it\n\\c 4\n\\s Heading\n\\q1\n\\v 1 four',
  );
  expect(verses.map(({ layout }) => layout.headings)).toEqual([
    [{ kind: 'PSALM_TITLE', start: 5, text: 'a title after it' }],
    [{ kind: 'SECTION', start: 0, text: 'Heading' }],
  ]);
});

test('importing USFM and USX keeps headings after the last verse of a book at the end of that verse', async () => {
  const usfm = await read('\\id HAB\n\\c 1\n\\q1\n\\v 1 walk\n\\d For the choirmaster.\n\\s End');
  const usx = await read(
    '<usx version="3.0"><book code="HAB"/><chapter number="1"/><para style="q1"><verse number="1"/>walk<verse eid="HAB 1:1"/></para><para style="d">For the choirmaster.</para><para style="s">End</para></usx>',
  );
  for (const { verses } of [usfm, usx])
    expect(verses[0]?.layout.headings).toEqual([
      { kind: 'PSALM_TITLE', start: 4, text: 'For the choirmaster.' },
      { kind: 'SECTION', start: 4, text: 'End' },
    ]);
});

test('importing USFM reads chapters and verses whose number touches the marker or the text, and reports the missing space', async () => {
  const draft = await read(
    '\\id NUM\n\\c 1\n\\p\n\\v 3 three\n\\v4 four\n\\v5-6 five\n\\v7In seven\n\\v 8Eight\n\\v 9. nine\n\\v 10a-b ten\n\\c2\n\\p\n\\v 1 one',
  );
  expect(texts(draft)).toEqual({
    1003: 'three',
    1004: 'four',
    1005: 'five',
    1007: 'In seven',
    1008: 'Eight',
    1009: 'nine',
    2001: 'one',
  });
  expect(findings(draft)).toEqual([
    'markup NUM 1:4 line 5: a space is missing: write \\v 4',
    'markup NUM 1:5-6 line 6: a space is missing: write \\v 5-6',
    'markup NUM 1:7 line 7: a space is missing: write \\v 7',
    'markup NUM 1:8 line 8: a space is missing: write \\v 8',
    'markup NUM 1:9 line 9: a space is missing: write \\v 9',
    "markup NUM 1:10a-b line 10: '10a-b' is not the number of a verse",
    "outside-verse NUM 1:10a-b line 10: 'ten' stands in no verse",
    'markup NUM 2 line 11: a space is missing: write \\c 2',
  ]);
});

test('importing USFM begins a missing chapter where the verses begin again at 1, and reports the place', async () => {
  const draft = await read(
    '\\id DEU\n\\c 1\n\\p\n\\v 1 a\n\\v 2 b\n\\p\n\\v 1 c\n\\v 2 d\n\\c 3\n\\p\n\\v 1 e\n\\v 2 f\n\\v 1 again\n\\c 4\n\\p\n\\v 1 g',
  );
  expect(texts(draft)).toEqual({ 1001: 'a', 1002: 'b', 2001: 'c', 2002: 'd', 3001: 'e', 3002: 'f', 4001: 'g' });
  expect(draft.verses[2]?.layout.breaks).toEqual([{ kind: 'PARAGRAPH', indent: 0, start: 0 }]);
  expect(findings(draft).map((line) => line.replace(/stands in.*/, '...'))).toEqual([
    'order DEU 2:1 line 7: \\c 2 is missing: the verses begin again at 1',
    'doubled-verse DEU 3:1 line 13: it ...',
  ]);
});

test('importing USFM reads verses before the first \\c as chapter 1, unless chapter 1 follows', async () => {
  const draft = await read('\\id PHM\n\\p\n\\v 1 a\n\\v 2 b');
  expect([texts(draft), findings(draft)]).toEqual([
    { 1001: 'a', 1002: 'b' },
    ['order PHM 1:1 line 3: \\c 1 is missing: no chapter precedes the verse'],
  ]);
  await expect(read('\\id PHM\n\\p\n\\v 1 a\n\\c 1\n\\v 2 b')).rejects.toThrow(
    'PHM has the verse 1 in no chapter; correct it, or leave it out with --keep-going',
  );
});

test('importing USFM marks words of Jesus up to their end in a later paragraph or verse', async () => {
  const draft = await read(
    '\\id MAT\n\\c 1\n\\q1\n\\v 1 \\wj red line\n\\q2 red too\n\\v 2 and\\wj* not\n\\p \\wj open\n\\p end',
  );
  expect(
    draft.verses.map(({ text, layout }) => layout.marks.map(({ start, length }) => text.slice(start, start + length))),
  ).toEqual([
    ['red line', 'red too'],
    ['and', 'open'],
  ]);
  expect(findings(draft)).toEqual(['markup MAT 1:2 line 7: \\wj is not closed by \\wj*']);
});

test('importing USFM without \\id reads the book from its name or its file name, and says what to write', async () => {
  const body = '\\c 1\n\\p\n\\v 1 One.';
  const advice = 'the file has no \\id; write on its first line the code of its book, as in';
  const expected = `markup TIT line 1: ${advice} \\id TIT`;
  expect(findings(await read(`\\h Titus\n${body}`))).toEqual([expected]);
  const file = write(`\\p\n${body}`, '57TITabc.SFM');
  expect(findings(await importSource(file, given))).toEqual([expected]);
  await expect(read(`\\h Unbekannt\n${body}`)).rejects.toThrow(
    `holds no verse of a book of the Bible: ${advice} \\id TIT`,
  );
});

test('importing USFM in Windows-1252 reads curly quotation marks and apostrophes', async () => {
  const draft = await read(Buffer.from('\\id GEN\n\\c 1\n\\p\n\\v 1 \x93man\x92s\x94 \xFC', 'latin1'));
  expect(texts(draft)).toEqual({ 1001: '“man’s” ü' });
});

const umlauts = `\\id GEN\n\\c 1\n\\p\n\\v 1 ${'schön '.repeat(40)}\n\\v 2 grün\n\\v 3 Ende`;
const damagedBytes = Buffer.from(
  Buffer.from(umlauts).toString('latin1').replace('gr\u00C3\u00BCn', 'gr\u00C3n'),
  'latin1',
);

test('importing USFM in UTF-8 with a damaged character names its line, and leaves the verse out with --keep-going', async () => {
  await expect(read(damagedBytes)).rejects.toThrow(
    'line 5 holds bytes that are not utf-8; correct them, or leave such verses out with --keep-going',
  );
  const draft = await read(damagedBytes, { keepGoing: true });
  expect(Object.keys(texts(draft))).toEqual(['1001', '1003']);
  expect(findings(draft)).toEqual([
    'encoding null line null: line 5 holds bytes that are not utf-8',
    'left-out-verse GEN 1:2 line 5: GEN 1:2 holds characters that cannot be read',
  ]);
});

test('importing with --keep-going leaves out verses that are too long or stand in no chapter, and keeps the others', async () => {
  const draft = await read(
    `\\id JUD\n\\p\n\\v 1 no chapter\n\\c 1\n\\p\n\\v 1 a\n\\v 2 ${'wort '.repeat(5_000)}\n\\v 3 c`,
    { keepGoing: true },
  );
  expect(texts(draft)).toEqual({ 1001: 'a', 1003: 'c' });
  expect(draft.findings.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
    'left-out-verse JUD',
    'left-out-verse JUD 1:2',
  ]);
});

test('a file custom.vrs says which verses check expects, and the copyright in Settings.xml is stored without HTML', async () => {
  const root = join(folder, 'project');
  mkdirSync(root);
  write('\\id JUD\n\\c 1\n\\p\n\\v 1 a\n\\v 2 b\n\\v 4 d', 'project/JUD.usfm');
  write('# a comment\nJUD 1:4\n#! -JUD 1:3\nJUD 1:2 = JUD 1:2\n', 'project/custom.vrs');
  write(
    '<ScriptureText><Copyright>&lt;p&gt;&#169; 2020 A &amp;amp; B&lt;/p&gt;&lt;p&gt;Free&lt;/p&gt;</Copyright></ScriptureText>',
    'project/Settings.xml',
  );
  const draft = await importSource(root, { identifier: 'tst-file', language: 'deu' });
  expect(draft.note).toBe('© 2020 A & B Free');
  expect((await checkSource(root, {})).findings).toEqual([]);
});

/** Writes a Paratext project with a file custom.vrs, and returns its folder. */
const project = (usfm: string, vrs: string | Buffer): string => {
  const name = `project${(count += 1)}`;
  mkdirSync(join(folder, name));
  write(usfm, join(name, 'book.usfm'));
  write(vrs, join(name, 'custom.vrs'));
  return join(folder, name);
};

test('importing a Paratext project names each line of custom.vrs that the numbering does not follow', async () => {
  const vrs = [
    'GEN 31:55 32:32',
    'GEN 31:55 = GEN 32:1',
    'GEN 32:1-32 = GEN 32:2-33',
    'GEN 1:1 = GEN 1:2',
    'EXO 1:1 = EXO 1:2',
    'ODA 1:1 = GEN 1:1',
    'GEN 1:2 = ODA 1:1',
    '*GEN 1:2,-,a',
    'GEN 1 = 2',
  ].join('\r\n');
  const source = project('\\id GEN\n\\c 31\n\\p\n\\v 55 a', Buffer.from(`\uFEFF${vrs}`, 'utf16le'));
  expect(findings(await importSource(source, given))).toEqual([
    "mapping null line 4: 'GEN 1:1 = GEN 1:2' is not used: the numbering standard places these verses elsewhere",
    "mapping null line 7: 'GEN 1:2 = ODA 1:1' is not used: the numbering standard places these verses elsewhere",
    "mapping null line 9: 'GEN 1 = 2' is not understood",
  ]);
  const other = await importSource(source, { ...given, numbering: 'hebrew' });
  expect(findings(other)[0]).toMatch(/^mapping null line 3: 'GEN 32:1-32 = GEN 32:2-33' is not used/);
});

test.each([
  ['a title', 'PSA 3:0-8 = PSA 3:1-9', 'standard'],
  ['two verses in the same order', 'PHP 1:16-17 = PHP 1:16-17', 'standard'],
  ['two verses in the other order', 'PHP 1:16 = PHP 1:17', 'greek'],
])('the mapping of %s in custom.vrs decides between numberings whose chapters end alike', async (_, vrs, numbering) => {
  const usfm = '\\id PSA\n\\c 3\n\\p\n\\v 8 a\n\\id PHP\n\\c 1\n\\p\n\\v 30 b';
  expect(await importSource(project(usfm, vrs), given)).toMatchObject({ numbering, findings: [] });
});

test('importing a file custom.vrs with more than 5000 mappings is rejected with the name of the file', async () => {
  const source = project('\\id PSA\n\\c 3\n\\p\n\\v 1 a', 'PSA 3:0-999 = PSA 3:1-9\n'.repeat(5_001));
  await expect(importSource(source, given)).rejects.toThrow('custom.vrs has more than 5000 mappings of verses');
});

test.each([
  ['Judges Our Bible', 'JDG', 7],
  ['1 Corinthians Our Bible', '1CO', 46],
  ['Song of Songs', 'SNG', 22],
])(
  'importing USFM reads the name %j after \\id as the book that it names, with a finding',
  async (name, code, position) => {
    const draft = await read(`\\id ${name}\n\\c 1\n\\p\n\\v 1 a`);
    expect(draft.verses.map(({ ordinal }) => ordinal)).toEqual([position * 1_000_000 + 1_001]);
    const words = name.split(' ').slice(0, 3).join(' ');
    expect(findings(draft)).toEqual([
      `markup ${code} line 1: '${words}' is not the code of a book; write on its first line the code of its book, as in \\id ${code}`,
    ]);
  },
);

test.each(['- Our Bible', 'PS2.SFM Our Bible'])(
  'importing USFM reads %j after the code of a book as the name of the translation',
  async (title) => {
    expect((await read(`\\id PS2 ${title}\n\\c 1\n\\p\n\\v 1 a`)).name).toBe('Our Bible');
  },
);

test('importing USFM reads the last verse of a chapter after the next \\c as what it is, and reports it', async () => {
  const draft = await read(
    `\\id JHN\n\\c 7\n\\p\n\\v 52 a\n\\c 8\n\\p\n\\v 53 b\n\\v 1 c\n\\v 53 d\n\\c 9\n\\v 54 e\n\\c 10\n\\v 1 f`,
  );
  expect(texts(draft)).toEqual({ 7052: 'a', 7053: 'b', 8001: 'c', 8053: 'd', 9054: 'e', 10001: 'f' });
  expect(findings(draft)).toEqual(['order JHN 8:53 line 7: it is the last verse of chapter 7, but follows \\c 8']);
});

test('importing USFM reads chapter 151 of the book PS2 as its only chapter', async () => {
  expect(texts(await read('\\id PS2\n\\c 151\n\\p\n\\v 1 a'))).toEqual({ 1001: 'a' });
});

test('importing USFM keeps the space without a line break that French has between a note and a colon', async () => {
  const note = '\\f + \\ft n\\f*';
  expect(
    texts(
      await read(`\\id TIT\n\\c 1\n\\p\n\\v 1 dit${note}\u00A0: a\n\\v 2 dit ${note} \u202F; a\n\\v 3 dit ${note} , a`),
    ),
  ).toEqual({
    1001: 'dit : a',
    1002: 'dit ; a',
    1003: 'dit, a',
  });
});

test.each([
  ['RTL', 'bcc', 'کتاب'],
  ['RTL', 'wol', 'ࢢَࢠَ'],
  ['RTL', 'heb', 'אבג'],
  ['LTR', 'heb', 'bereshit'],
])('an import says that a text runs %s, in the language %s, by the script of %j', async (direction, language, text) => {
  expect(await read(`\\id TIT\n\\c 1\n\\p\n\\v 1 ${text} 12`, { language })).toMatchObject({ direction });
});

test.each([
  ['blanks after a backslash', '\\ '],
  ['markers of verses', '\\v 1'],
  ['line ends', '\n'],
  ['milestones without an end', '\\zaln-s |x="1" '],
  ['attributes', 'a="b" '],
  ['quotation marks of attributes', '\\qt-s |x="'],
  ['callers of notes', '\\fm '],
  ['words of Jesus', '\\wj '],
  ['glued verses', '\\v1a'],
  ['names without \\id', '\\h x\n'],
])('importing USFM reads or rejects 300 KB of %s in linear time', async (_, piece) => {
  // In quadratic time, this would take very long.
  const content = `${piece.startsWith('\\h') ? '' : '\\id GEN'}\n\\c 1\n\\p\n\\v 1 a ${piece.repeat(300_000 / piece.length)}\n\\v 2 b`;
  const result = await read(content, { keepGoing: true }).catch((error: Error) => error);
  expect(result instanceof Error ? result.name : result.source.format).toMatch(/^(?:USFM|ImportError)$/);
});

test('importing a verse with three million escaped bars says that the verse is too long', async () => {
  const file = `\\id TIT\n\\c 1\n\\p\n\\v 1 ${'a\\|'.repeat(3_000_000)}`;
  await expect(read(file)).rejects.toThrow('TIT 1:1 is longer than 20000 characters');
});
