import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test-support/temporary-folder';
import { writeModule } from '../test-support/write-module';
import { runCorpusCommand } from './command';

const folder = temporaryFolder();
let count = 0;
const write = (content: string, extension = 'usfm'): string => {
  const file = join(folder, `file${(count += 1)}.${extension}`);
  writeFileSync(file, content);
  return file;
};

async function check(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runCorpusCommand(['check', ...argv], {
    env: { HOME: folder, LECTERN_DATA: join(folder, 'data') },
    swordRoots: [],
    stdout: { write: (text) => (out += String(text)) !== '' },
    stderr: { write: (text) => (err += String(text)) !== '' },
  });
  return { code, out, err };
}

const verses = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `\\v ${from + index} Text.`).join('\n');
/** The letter of John with the verses 1 to 13, which is all that 2 John has. */
const letter = (body: string): string => `\\id 2JN\n\\c 1\n\\p\n${body}\n${verses(4, 13)}`;
const findingsOf = async (source: string, ...options: string[]): Promise<string[]> => {
  const { out } = await check(source, '--json', ...options);
  const { findings } = JSON.parse(out) as {
    findings: { kind: string; line: number | null; place: string; message: string }[];
  };
  return findings.map(({ kind, line, place, message }) => `${kind} ${line} ${place}: ${message}`);
};

test('corpus check prints the file name of a finding that concerns the whole file, and truncates a very long USFM marker', async () => {
  const file = write(letter(`\\v 1 Text.\n\\${'a'.repeat(1_000)}\n${verses(2, 3)}`));
  writeFileSync(file, readFileSync(file, 'utf8').replace('Text', '\u00E4'), 'latin1');
  const { out } = await check(file);
  expect(out).toContain(`\n  ${file}: it was read as windows-1252; save it in UTF-8\n`);
  expect(out).toContain(`\n  ${file}:5: 2JN 1:1: \\${'a'.repeat(199)}\n`);
});

test('corpus check accepts a cross reference whose link names an existing verse, whatever the text of the link is', async () => {
  const note = (text: string): string => `\\x - \\xt ${text}\\x*`;
  const notes = note('3 Joh 1') + note('2 Joh 1:1') + note('dort|2JN 1:1\\xt*');
  expect(await findingsOf(write(letter(`\\v 1 Text.${notes}\n${verses(2, 3)}`)))).toEqual([]);
  const wrong = note('2 Joh 1:1') + note('dort|2JN 1:99\\xt*');
  expect(await findingsOf(write(letter(`\\v 1 Text.${wrong}\n${verses(2, 3)}`)))).toEqual([
    "note 4 2JN 1:1: the link '2JN 1:99' of a note names no verse",
    "note 4 2JN 1:1: the cross reference 'dort' names no verse",
  ]);
});

test('corpus check reports consecutive verses of a chapter without text as one finding', async () => {
  const file = write('\\id 2JN\n\\c 1\n\\p\n\\v 1 a\n\\v 2\n\\v 3\n\\v 4\n\\v 5 b\n\\v 6\n\\v 7 c\n' + verses(8, 13));
  expect(await findingsOf(file)).toEqual([
    'empty-verse 5 2JN 1:2-4: it has no text',
    'empty-verse 9 2JN 1:6: it has no text',
  ]);
});

test('corpus check reports nothing for a correct Bible book in USFM or OSIS, and exits with 0', async () => {
  const file = write(letter(verses(1, 3)));
  expect(await check(file)).toEqual({
    code: 0,
    out: `${file}: USFM, books: 1, verses: 13, numbering: standard\n\nnothing found\n`,
    err: '',
  });
  const osis = `<osis><osisText xml:lang="de"><div type="book" osisID="2John">${Array.from({ length: 13 }, (_, at) => `<verse osisID="2John.1.${at + 1}">Wort</verse>`).join('')}</div></osisText></osis>`;
  expect(await check(write(osis, 'xml'))).toMatchObject({
    code: 0,
    out: expect.stringContaining('OSIS, books: 1, verses: 13'),
  });
  const entries = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`2JN 1:${at + 1}`, 'Word']));
  const module = writeModule(join(folder, 'sword'), { name: 'Small', entries });
  expect(await check(module)).toMatchObject({ code: 0, out: expect.stringContaining('SWORD, books: 1, verses: 13') });
});

test.each<[string, string, string[]]>([
  [
    'missing and unknown verses',
    letter('\\v 1 a\n\\v 3 c\n\\v 14 n'),
    [
      'order 7 2JN 1:4: it follows a later verse',
      'missing-verse null 2JN 1:2: chapter 1 has 13 verses',
      'unknown-verse 6 2JN 1:14: chapter 1 has 13 verses',
    ],
  ],
  ['a bridge of verses', letter('\\v 1-3 abc'), []],
  ['a verse without text', letter('\\v 1 a\n\\v 2\n\\v 3 c'), ['empty-verse 5 2JN 1:2: it has no text']],
  [
    'an unknown marker',
    letter('\\v 1 a \\foo b\n\\p\n\\v 2 b\n\\v 3 c'),
    ['marker 4 2JN 1:1: \\foo is not a marker of USFM'],
  ],
  [
    'a marker in capitals',
    letter('\\v 1 a\n\\P\n\\v 2 b\n\\v 3 c'),
    ['marker 5 2JN 1:1: \\P is not a marker of USFM: markers have small letters'],
  ],
  [
    'quotation marks and brackets without a partner',
    letter('\\v 1 He said, “a. “b” (c\n\\v 2 b”) d” e]\n\\v 3 a) first'),
    ["quotes 5 2JN 1:2: '”' closes nothing", "quotes 5 2JN 1:2: ']' closes nothing"],
  ],
  [
    'speech over several paragraphs, each of which begins with the opening mark again',
    letter('\\v 1 He said, “a.\n\\p\n\\v 2 “b.\n\\p “c.”\n\\v 3 d'),
    [],
  ],
  ['German quotation marks', letter('\\v 1 „a“\n\\v 2 „b”\n\\v 3 c'), []],
  [
    'a quotation that is not closed',
    letter('\\v 1 “a\n\\v 2 b\n\\v 3 c'),
    ["quotes 4 2JN 1:1: '“' is not closed in the book"],
  ],
  [
    'a word of two scripts',
    letter('\\v 1 Иисус \\v 2 Иисуc\n\\v 3 c'),
    ["scripts 4 2JN 1:2: 'Иисуc' mixes Latin and Cyrillic"],
  ],
  [
    'markup and unreadable characters in the text',
    letter('\\v 1 a <b>b</b>\n\\v 2 b\uFFFD\n\\v 3 c &amp; d'),
    [
      "markup 4 2JN 1:1: '<b' is left in the text",
      "markup 4 2JN 1:1: '</b' is left in the text",
      'encoding 5 2JN 1:2: it holds U+FFFD, which replaces an unreadable character',
      "markup 6 2JN 1:3: '&amp;' is left in the text",
    ],
  ],
  [
    'cross references without a target',
    letter('\\v 1 a\\x + \\xt John 1:1\\x*\n\\v 2 b\\x + \\xt there\\x*\n\\v 3 c\\x + \\xt John 77:1\\x*'),
    [
      "note 5 2JN 1:2: the cross reference 'there' names no verse",
      "note 6 2JN 1:3: the cross reference 'John 77:1' names a verse that does not exist",
    ],
  ],
  [
    'cross references in a language that the parser does not know',
    letter('\\v 1 a\\x + \\xt Xyz 1:1\\x*\n\\v 2 b\n\\v 3 c'),
    [],
  ],
])('corpus check returns the expected findings for a source with %s', async (_, content, expected) => {
  expect(await findingsOf(write(content))).toEqual(expected);
});

test('corpus check reports a missing chapter once, and checks the verse numbers by the option --numbering', async () => {
  const romans = write(
    `\\id JON\n\\c 1\n\\p\n${verses(1, 17)}\n\\c 2\n\\p\n${verses(1, 10)}\n\\c 4\n\\p\n${verses(1, 11)}`,
  );
  expect(await findingsOf(romans)).toEqual(['missing-verse 4 JON 3: the chapter is missing']);
  expect(await findingsOf(romans, '--numbering', 'hebrew')).toContain(
    'unknown-verse 20 JON 1:17: chapter 1 has 16 verses',
  );
});

test('corpus check lists consecutive missing verses and chapters of a partial book as one finding each', async () => {
  const jonah = write(`\\id JON\n\\c 1\n\\p\n${verses(1, 3)}\n\\v 6 Text.`);
  expect(await findingsOf(jonah)).toEqual([
    'missing-verse null JON 1:4-5: chapter 1 has 17 verses',
    'missing-verse null JON 1:7-17: chapter 1 has 17 verses',
    'missing-verse 4 JON 2-4: the chapters are missing',
  ]);
});

test('corpus check counts a mark that a whole edition has as one finding, after the others of its kind', async () => {
  const braces = Array.from({ length: 150 }, (_, index) => `\\v ${index + 1} {Text}`).join('\n');
  const psalm = write(`\\id PSA\n\\c 119\n\\p\n${braces}\n\\v 151 <b`);
  const { out } = await check(psalm);
  expect(out).toContain(
    `\nmarkup: 301 (markup that is not closed, closes nothing, or is left in the text)\n  ${psalm}:154: PSA 119:151: '<b' is left in the text\n  ${psalm}:4: PSA 119:1: '{' is left in the text, and 149 times more\n`,
  );
  expect(await findingsOf(psalm)).toContain("markup 4 PSA 119:1: '}' is left in the text");
});

test('corpus check prints the worst kinds of findings first, and the sum of all', async () => {
  const { out } = await check(write(letter('\\v 1 a (b \\foo\n\\v 1 c\n\\p\n\\v 2\n\\v 3 c')));
  expect([...out.matchAll(/^([a-z-]+): \d+ \(/gm)].map(([, kind]) => kind)).toEqual([
    'doubled-verse',
    'empty-verse',
    'marker',
    'quotes',
  ]);
  expect(out).toContain('\nfindings: 4\n');
});

test('corpus check groups findings by kind, prints at most 20 of a kind without --all, and exits with 1', async () => {
  const file = write(letter(Array.from({ length: 30 }, () => '\\v 1 \\foo a').join('\n')));
  const { code, out } = await check(file);
  expect(code).toBe(1);
  expect(out).toContain(`\nmarker: 30 (unknown markers)\n  ${file}:4: 2JN 1:1: \\foo is not a marker of USFM\n`);
  expect(out).toContain('\n  and 10 more (--all)\n');
  expect((await check(file, '--all')).out).not.toContain('--all');
});

test('corpus check prints one line and exits with 2 if it cannot read the source', async () => {
  expect(await check(join(folder, 'absent'))).toEqual({
    code: 2,
    out: '',
    err: `corpus check: ${join(folder, 'absent')} does not exist\n`,
  });
  const file = write('\\id GEN\n\\c 1\n\\p Anfang');
  expect(await check(file)).toMatchObject({
    code: 2,
    err: `corpus check: ${file} holds no verse of a book of the Bible\n`,
  });
});
