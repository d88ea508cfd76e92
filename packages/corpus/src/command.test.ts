import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test-support/temporary-folder';
import { writeDefaultModules } from '../test-support/write-default-modules';
import { writeModule } from '../test-support/write-module';
import { writeSmallBible } from '../test-support/write-usfx';
import { runCorpusCommand } from './command';

const folder = temporaryFolder();
const data = join(folder, 'data');

const corpus = (...argv: string[]) => corpusWith([], ...argv);

/** Runs a command line in process. `out` and `err` are the output without the last line end. */
async function corpusWith(
  swordRoots: readonly string[],
  ...argv: string[]
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCorpusCommand(argv, {
    env: { HOME: folder, PATH: process.env['PATH'], LECTERN_DATA: data },
    swordRoots,
    stdout: { write: (text) => (out += String(text)) !== '' },
    stderr: { write: (text) => (err += String(text)) !== '' },
  });
  return { code, out: out.replace(/\n$/, ''), err: err.replace(/\n$/, '') };
}

test('corpus without a command prints the help to stderr and exits with 2; corpus --help prints the help to stdout', async () => {
  const none = await corpus();
  expect(none).toMatchObject({ code: 2, out: '' });
  for (const argv of [['--help'], ['-h'], ['help']])
    expect(await corpus(...argv)).toEqual({ code: 0, out: none.err, err: '' });
});

test.each(['build', 'import', 'check', 'list', 'remove', 'export'])(
  'corpus %s --help prints the usage of the command',
  async (name) => {
    expect((await corpus('--help')).out).toContain(`  ${name}`);
    expect(await corpus(name, '--help')).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Usage: npm run corpus -- ${name} [^]*--data <folder>[^]*--json`)),
      err: '',
    });
  },
);

test.each([
  [['nope'], "corpus: unknown command 'nope'; the commands are: build, import, check, list, remove, restrict, export"],
  [['list', '--nope'], "corpus list: unknown option '--nope'; see corpus list --help"],
  [['list', 'x'], "corpus list: too many arguments for 'list'. Expected 0 arguments but got 1; see corpus list --help"],
  [['list', '--data'], "corpus list: option '--data <folder>' argument missing; see corpus list --help"],
  [['import'], "corpus import: missing required argument 'file'; see corpus import --help"],
  [
    ['import', 'a', 'b', '--name', 'x'],
    'corpus import: --id, --name and --abbrev are for one file at a time; see corpus import --help',
  ],
])('corpus rejects the command line %j with exit code 2 and the error: %s', async (argv, message) => {
  expect(await corpus(...argv)).toEqual({ code: 2, out: '', err: message });
});

test('corpus import rejects more than 1,000 files with one line and exit code 2', async () => {
  const err = 'corpus import: at most 1000 files can be imported at a time; see corpus import --help';
  expect(await corpus('import', ...Array<string>(1_001).fill('a'))).toEqual({ code: 2, out: '', err });
});

test('corpus imports, lists and removes the translation of a USFX file', async () => {
  expect(await corpus('list')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is missing: run `npm run data`'),
  });
  const file = writeSmallBible(folder, 'deu-klein.usfx.xml');
  expect(await corpus('import', file, '--name', 'Kleine Bibel', '--note', 'Gemeinfrei')).toEqual({
    code: 0,
    out: `imported deu-klein into ${data}`,
    err: expect.stringMatching(/^.*deu-klein\.usfx\.xml: reading\ndeu-klein: 3 verses \(USFX\) in [\d.]+ s$/),
  });
  expect((await corpus('list')).out).toBe(
    "deu-klein              3  deu  Kleine Bibel  (partial, Strong's, imported; USFX deu-klein.usfx.xml)",
  );
  expect(JSON.parse((await corpus('list', '--json')).out).translations).toEqual([
    expect.objectContaining({ identifier: 'deu-klein', origin: 'import', note: 'Gemeinfrei', verseCount: 3 }),
  ]);
  expect(await corpus('remove', 'deu-klein')).toEqual({ code: 0, out: 'removed deu-klein', err: '' });
  expect((await corpus('list')).out).toBe('');
});

test('corpus import accepts a SWORD module as a .conf file or as a folder', async () => {
  const root = join(folder, 'sword');
  const conf = writeModule(root, {
    name: 'FraSmall',
    entries: { 'GEN 1:1': 'Au commencement' },
    conf: { Lang: 'fr', Abbreviation: 'FS', DistributionLicense: 'Public Domain' },
  });
  expect((await corpus('import', conf, '--identifier', 'fra-small', '--json')).out).toBe('{"added":["fra-small"]}');
  expect(await corpus('import', root, '--identifier', 'fra-small')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--replace'),
  });
  expect((await corpus('import', root, '--identifier', 'fra-small', '--replace')).code).toBe(0);
  expect(JSON.parse((await corpus('list', '--json')).out).translations[0]).toMatchObject({
    name: 'A small text',
    abbrev: 'FS',
    language: 'fra',
    note: 'Public Domain',
  });
  expect(await corpus('import', folder, '--identifier', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is a folder without books in USFM, USX or OSIS and without a SWORD module (mods.d)'),
  });
});

test('corpus import reports an invalid or missing file in one line, without a stack trace', async () => {
  const file = join(folder, 'deu-falsch.xml');
  writeFileSync(file, '<usfx>\n<book></usfx>');
  const { code, err } = await corpus('import', file);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^.*deu-falsch\.xml: reading\ncorpus import: .*deu-falsch\.xml, line 2, column \d+: unexpected close tag\.?$/,
  );
  expect(await corpus('import', join(folder, 'missing.xml'))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^.*missing\.xml: reading\n.*missing\.xml does not exist$/),
  });
});

test('corpus build imports the default translations, and does nothing if they are up to date', async () => {
  const root = join(folder, 'default-modules');
  writeDefaultModules(root);
  const build = () => corpusWith([root], 'build', '--data', join(folder, 'small'), '--json');
  expect(JSON.parse((await build()).out).built).toHaveLength(3);
  expect(await build()).toMatchObject({ code: 0, out: expect.stringContaining('"built":[]') });
});
