import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { translationFile } from '@lectern/data-files';
import { temporaryFolder } from '../test-support/temporary-folder';
import { writeSmallBible } from '../test-support/write-usfx';
import { runCorpusCommand } from './command';
import { openCorpus } from './open-corpus';
import { textKind } from './text-file';

const folder = temporaryFolder();
const data = join(folder, 'data');
const sources = join(folder, 'sources');
mkdirSync(sources);

async function corpus(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCorpusCommand(argv, {
    env: { HOME: folder, PATH: process.env['PATH'], LECTERN_DATA: data },
    swordRoots: [],
    stdout: { write: (text) => (out += String(text)) !== '' },
    stderr: { write: (text) => (err += String(text)) !== '' },
  });
  return { code, out, err };
}

function translations(): Record<string, string> {
  const opened = openCorpus(data);
  try {
    return Object.fromEntries(opened.storedTranslations().map(({ details }) => [details.identifier, details.name]));
  } finally {
    opened.close();
  }
}

const list = join(folder, 'list.tsv');
const writeList = (...rows: string[]): void => writeFileSync(list, `\uFEFF${rows.join('\r\n')}\r\n`);

beforeAll(() => {
  writeSmallBible(sources, 'deu-eins.usfx');
  writeSmallBible(sources, 'deu-zwei.usfx', { verses: 5 });
  writeFileSync(join(sources, 'broken.usfx'), '<usfx><book id="PSA"><c id="1"/><v id="1"/>Half');
});

test('corpus import --dry-run of a catalogue reports what would be imported or rejected, and writes nothing', async () => {
  writeList(
    'source\tidentifier\tname\tlicence\tlanguage',
    '# a comment',
    'sources/deu-eins.usfx\tdeu-eins\tErste\tPD\t',
    '',
    'sources/deu-zwei.usfx',
    'sources/deu-zwei.usfx\tdeu-eins',
    'sources/broken.usfx\tdeu-broken\t\t\tdeu',
    'sources/none.usfx\tdeu-none',
    'sources/deu-eins.usfx\tDEU eins',
  );
  const { code, out } = await corpus('import', list, '--dry-run', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    imported: expect.arrayContaining(['deu-eins', 'deu-zwei']),
    unchanged: [],
    rejected: expect.arrayContaining([
      expect.objectContaining({ place: `${list}, line 6`, reason: `${list}, line 3 is called deu-eins too` }),
      expect.objectContaining({ place: `${list}, line 7`, reason: expect.stringContaining('broken.usfx') }),
      expect.objectContaining({ place: `${list}, line 8`, reason: expect.stringContaining('does not exist') }),
      expect.objectContaining({ place: `${list}, line 9`, reason: expect.stringContaining("'DEU eins'") }),
    ]),
  });
  expect(translations()).toEqual({});
});

test('a second corpus import of a catalogue (a TSV list of sources) imports only changed sources and names', async () => {
  const rows = ['source\tname', 'sources/deu-eins.usfx\tErste', 'sources/deu-zwei.usfx\tZweite'];
  writeList(...rows);
  const first = await corpus('import', list, '--jobs', '2');
  expect(first).toMatchObject({ code: 0, out: 'imported 2, unchanged 0, rejected 0\n' });
  expect(first.err).toMatch(/\[2\/2\] deu-(eins|zwei): \d verses \(USFX\) in [\d.]+ s/);
  expect(translations()).toEqual({ 'deu-eins': 'Erste', 'deu-zwei': 'Zweite' });

  expect((await corpus('import', list)).out).toBe('imported 0, unchanged 2, rejected 0\n');
  writeList(rows[0] ?? '', 'sources/deu-eins.usfx\tErste Bibel', rows[2] ?? '');
  expect((await corpus('import', list)).out).toBe('imported 1, unchanged 1, rejected 0\n');
  writeSmallBible(sources, 'deu-zwei.usfx', { verses: 7 });
  expect((await corpus('import', list)).out).toBe('imported 1, unchanged 1, rejected 0\n');
  expect(translations()).toEqual({ 'deu-eins': 'Erste Bibel', 'deu-zwei': 'Zweite' });
});

test('corpus import of a catalogue needs --replace to overwrite a translation that came from no catalogue', async () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  const file = writeSmallBible(own, 'deu-eigen.usfx');
  await corpus('import', file);
  expect(await corpus('import', own, '--each')).toMatchObject({
    code: 1,
    out: `rejected: ${file}: the corpus has a translation deu-eigen that no catalogue imported; --replace puts this one in its place\nimported 0, unchanged 0, rejected 1\n`,
  });
  expect((await corpus('import', own, '--each', '--replace')).out).toBe('imported 1, unchanged 0, rejected 0\n');
  expect((await corpus('import', own, '--each')).out).toBe('imported 0, unchanged 1, rejected 0\n');
});

test('corpus import of a catalogue keeps the restriction of a damaged translation, and rejects it if that is unknown', async () => {
  const own = join(folder, 'restricted');
  mkdirSync(own);
  const file = writeSmallBible(own, 'deu-geheim.usfx');
  const damage = () => writeFileSync(translationFile(data, textKind, 'deu-geheim'), 'damaged');
  const isRestricted = async () =>
    (await corpus('list')).out.split('\n').some((line) => /deu-geheim.*restricted/.test(line));
  await corpus('import', own, '--each', '--restricted');
  damage();
  expect((await corpus('import', own, '--each')).out).toBe('imported 1, unchanged 0, rejected 0\n');
  expect(await isRestricted()).toBe(true);
  damage();
  await corpus('import', join(sources, 'deu-eins.usfx'), '--replace');
  expect(await corpus('import', own, '--each')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`rejected: ${file}: the corpus has an unusable file of deu-geheim`),
  });
  expect((await corpus('import', own, '--each', '--restricted')).out).toBe('imported 1, unchanged 0, rejected 0\n');
  expect(await isRestricted()).toBe(true);
  await corpus('remove', 'deu-geheim');
});

test('corpus import --each takes the options --language and --keep-going for all translations of a folder', async () => {
  const own = join(folder, 'usfm');
  mkdirSync(own);
  writeFileSync(join(own, 'kurz.usfm'), `\\id JUD\n\\c 1\n\\p\n\\v 1 eins\n\\v 2 ${'wort '.repeat(5_000)}`);
  expect((await corpus('import', own, '--each', '--language', 'deu')).out).toContain('--keep-going');
  expect(await corpus('import', own, '--each', '--language', 'deu', '--keep-going')).toMatchObject({
    out: 'imported 1, unchanged 0, rejected 0\n',
    err: expect.stringContaining('findings: 1 left-out-verse'),
  });
});

test.each([
  ['', 'the first line names the columns'],
  ['identifier\tname', 'the first line names the columns'],
  ['source\tcolour', "'colour' is none"],
  ['source\tname\n\tNamenlos', 'line 2: the column source is empty'],
])('corpus import rejects a catalogue with the lines %j with the error: %s', async (text, message) => {
  writeFileSync(list, text);
  const { code, err } = await corpus('import', list);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

test.each([
  [['list.tsv', '--name', 'x'], 'a catalogue is imported alone'],
  [['list.tsv', 'other.usfx'], 'a catalogue is imported alone'],
  [['x.usfx', '--dry-run'], '--dry-run is for a catalogue'],
])('corpus import %j ends with exit code 2 and the error: %s', async (argv, message) => {
  expect(await corpus('import', ...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
