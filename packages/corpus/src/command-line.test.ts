import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchingMs, realCorpus, dataDir as realDataDir } from '../test-support/real-corpus';
import { writeSmallBible } from '../test-support/small-bible';
import { temporaryFolder } from '../test-support/temporary-folder';
import { writeModule } from '../test-support/write-module';
import { runCommandLine } from './command-line';

const folder = temporaryFolder();
const data = join(folder, 'data');

async function corpus(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommandLine(argv, {
    env: { ...process.env, LECTERN_DATA: data },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('without a command it tells its commands and fails; asked for help it does not fail', async () => {
  const none = await corpus();
  expect(none).toMatchObject({ code: 2, out: '' });
  const help = await corpus('--help');
  expect(help).toEqual({ code: 0, out: none.err, err: '' });
  for (const name of ['fetch', 'build', 'import', 'list', 'remove', 'verify']) {
    expect(help.out).toContain(`  ${name}`);
    expect(await corpus(name, '--help')).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^usage: npm run corpus -- ${name}`)),
      err: '',
    });
  }
});

test.each([
  [['nope'], "'nope' is no command; these are: fetch, build, import, list, remove, verify"],
  [['list', '--nope'], "corpus list: Unknown option '--nope'"],
  [['list', 'x'], "corpus list: 'x' is one argument too many"],
  [['import'], 'corpus import: an argument is missing'],
  [['import', 'a', 'b', '--name', 'x'], 'corpus import: --identifier, --name and --abbrev are for one file at a time'],
])('%j is not understood', async (argv, message) => {
  const { code, err } = await corpus(...argv);
  expect(code).toBe(2);
  expect(err.split('\n')[0]).toBe(message);
});

test('a file goes in, is listed, verified and taken out again', async () => {
  expect(await corpus('list')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is missing: run `npm run data`'),
  });
  const file = writeSmallBible(folder, 'deu-klein.usfx.xml');
  expect(await corpus('import', file, '--name', 'Kleine Bibel', '--note', 'Gemeinfrei')).toEqual({
    code: 0,
    out: `added deu-klein to ${join(data, 'corpus.sqlite')}`,
    err: expect.stringMatching(/^.*deu-klein\.usfx\.xml: reading\ndeu-klein: 3 verses \(USFX\) in [\d.]+ s$/),
  });
  expect((await corpus('list')).out).toBe(
    "deu-klein              3  deu  Kleine Bibel  (partial, Strong's, imported; USFX deu-klein.usfx.xml)",
  );
  expect(JSON.parse((await corpus('list', '--json')).out).translations).toEqual([
    expect.objectContaining({ identifier: 'deu-klein', origin: 'import', note: 'Gemeinfrei', verseCount: 3 }),
  ]);
  expect(await corpus('verify')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok {3}deu-klein: 3 verses\nok {3}corpus: 1 translations, digest [0-9a-f]{64}, built /),
  });
  expect(await corpus('remove', 'deu-klein')).toEqual({ code: 0, out: 'removed deu-klein', err: '' });
  expect((await corpus('list')).out).toBe('');
});

test('a SWORD module goes in by its .conf or its folder', async () => {
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
    err: expect.stringContaining('is a folder without a SWORD module'),
  });
});

test('what is wrong with a file is said in one line, without a stack', async () => {
  const file = join(folder, 'deu-falsch.xml');
  writeFileSync(file, '<usfx>\n<book></usfx>');
  const { code, err } = await corpus('import', file);
  expect(code).toBe(1);
  expect(err.split('\n').at(-1)).toMatch(
    /^corpus import: .*deu-falsch\.xml, line 2, column \d+: unexpected close tag\.?$/,
  );
  expect(await corpus('import', join(folder, 'missing.xml'))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/missing\.xml does not exist$/),
  });
});

test(
  'building what is built is no work, and the real corpus verifies',
  async () => {
    await realCorpus();
    expect(await corpus('build', '--data', realDataDir, '--json')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"built":false'),
    });
    const { code, out } = await corpus('verify', '--data', realDataDir);
    expect(out).toContain('ok   eng-web: 31098 verses, the known count');
    expect(code).toBe(0);
  },
  fetchingMs,
);
