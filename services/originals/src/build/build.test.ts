import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createLogger } from '@lectern/serving';
import { linkTexts } from '@lectern/testing';
import { temporaryFolder } from '../../../../packages/corpus/test-support/temporary-folder';
import { openOriginalsClient } from '../../test-support/originals-client';
import { buildOriginals, isOriginalsUpToDate, originalsFile } from '../index';

const folder = temporaryFolder();
let count = 0;

const word = (lemma: string, morph: string, surface: string): string =>
  `<w lemma="${lemma}" morph="${morph}">${surface}</w>`;
const genesis = (verse: string): string =>
  `<?xml version="1.0"?>\n<osis><osisText><div type="book" osisID="Gen"><chapter osisID="Gen.1"><verse osisID="Gen.1.1">${verse}</verse></chapter></div></osisText></osis>\n`;
const firstWords = `${word('b/7225', 'HR/Ncfsa', 'בְּ/רֵאשִׁ֖ית')} ${word('1254 a', 'HVqp3ms', 'בָּרָ֣א')}`;
const matthew =
  '010101 N- ----NSF- Βίβλος Βίβλος βίβλος βίβλος\n010101 N- ----GSF- ⸀γενέσεως, γενέσεως γενέσεως γένεσις\n';

/** Writes sources of one Hebrew and one Greek verse. */
function writeSources(files: Record<string, string> = {}): string {
  const root = join(folder, `sources${(count += 1)}`);
  const all = {
    'morphhb/Gen.xml': genesis(firstWords),
    'morphgnt/61-Mt-morphgnt.txt': matthew,
  };
  for (const [name, text] of Object.entries({ ...all, ...files })) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function newDataFolder(): string {
  const dataDir = join(folder, `data${(count += 1)}`);
  mkdirSync(dataDir);
  linkTexts(dataDir);
  return dataDir;
}

/** No program and no installed package of this machine is found. */
const envOf = (sources = ''): NodeJS.ProcessEnv => ({ PATH: join(folder, 'no-programs'), ORIGINALS_PATH: sources });

async function build(dataDir: string, sources?: string) {
  const lines: string[] = [];
  const isBuilt = await buildOriginals({ dataDir, env: envOf(sources), roots: [], log: (line) => lines.push(line) });
  return { isBuilt, lines };
}

async function wordsOf(dataDir: string, place: string): Promise<string[]> {
  const client = openOriginalsClient(dataDir);
  const [verse] = await client.verses<{ original: { words: { surface: string; after: string }[] }[] }>(
    'original { words { surface after } }',
    [place],
  );
  await client.close();
  return (verse?.original ?? []).flatMap(({ words }) => words.map(({ surface, after }) => surface + after));
}

test('the originals build imports the texts of the folders in ORIGINALS_PATH, and imports them again when a file changes', async () => {
  const dataDir = newDataFolder();
  const sources = writeSources();
  expect((await build(dataDir, sources)).isBuilt).toBe(true);
  expect(await wordsOf(dataDir, 'eng-web GEN 1:1')).toEqual(['בְּרֵאשִׁ֖ית ', 'בָּרָ֣א']);
  expect(await wordsOf(dataDir, 'eng-web MAT 1:1')).toEqual(['Βίβλος ', 'γενέσεως,']);
  expect((await build(dataDir, sources)).isBuilt).toBe(false);
  writeFileSync(join(sources, 'morphhb', 'Gen.xml'), genesis(word('1254 a', 'HVqp3ms', 'בָּרָ֣א')));
  expect((await build(dataDir, sources)).isBuilt).toBe(true);
  expect(await wordsOf(dataDir, 'eng-web GEN 1:1')).toEqual(['בָּרָ֣א']);
});

test('the originals build applies its corrections to words that have the error, and counts them', async () => {
  const dataDir = newDataFolder();
  const line = (word: string, code: string, lemma: string): string =>
    `010935 ${code} ${word} ${word} ${word} ${lemma}\n`;
  const other = Array.from({ length: 6 }, () => line('δὲ', 'C- --------', 'δέ')).join('');
  const matthew921 = (lemma: string): string =>
    (other + line('ἅψωμαι', 'V- 1AMS-S--', lemma)).replaceAll('010935', '010921');
  for (const [lemma, count] of [
    ['ἅπτω', 1],
    ['ἅπτομαι', 0],
  ] as const) {
    const { lines } = await build(dataDir, writeSources({ 'morphgnt/61-Mt-morphgnt.txt': matthew921(lemma) }));
    expect(lines).toContainEqual(`The Greek New Testament: SBL Edition: 1 verses, 7 words, ${count} corrections`);
    const client = openOriginalsClient(dataDir);
    const [verse] = await client.verses<{ original: { words: { lemma: string }[] }[] }>(
      'original { words { lemma } }',
      ['eng-web MAT 9:21'],
    );
    expect(verse?.original[0]?.words.at(-1)?.lemma).toBe('ἅπτομαι');
    await client.close();
  }
});

test('without source texts, the originals build warns what to install, and the originals subgraph serves empty lists', async () => {
  const dataDir = newDataFolder();
  const first = await build(dataDir);
  expect(first.lines).toContainEqual(
    expect.stringMatching(
      /^warning: no morphhb, morphgnt, .* for the original texts: apt-get install bibledit-data, or name a folder that has them in ORIGINALS_PATH \(.*apt-get is not installed\)$/,
    ),
  );
  expect(await build(dataDir)).toEqual({ isBuilt: false, lines: [] });
  const client = openOriginalsClient(dataDir);
  const data = await client.data('{ originalTexts { id } searchOriginals(words: [{ form: "λόγος" }]) { totalCount } }');
  expect(data).toEqual({ originalTexts: [], searchOriginals: null });
  expect(await client.verses('original { reference }', ['eng-web GEN 1:1'])).toEqual([{ original: [] }]);
  expect(client.subgraph.unavailableFields()).toEqual([
    expect.stringMatching(
      /^a part of the original texts \(.* install bibledit-data or name its folder in ORIGINALS_PATH, then run `npm run data`\)$/,
    ),
  ]);
  await client.close();
});

test('a running originals subgraph serves a new or replaced originals.sqlite within a second', async () => {
  const dataDir = newDataFolder();
  const client = openOriginalsClient(dataDir);
  const surfaces = async (): Promise<string> => {
    const [verse] = await client.verses<{ original: { words: { surface: string }[] }[] }>(
      'original { words { surface } }',
      ['eng-web GEN 1:1'],
    );
    return (verse?.original ?? []).flatMap(({ words }) => words.map(({ surface }) => surface)).join(' ');
  };
  expect([await surfaces(), client.subgraph.unavailableFields()]).toEqual(['', [expect.stringMatching(/missing/)]]);
  const sources = writeSources();
  for (const [source, expected] of [
    [genesis(firstWords), 'בְּרֵאשִׁ֖ית בָּרָ֣א'],
    [genesis(word('1254 a', 'HVqp3ms', 'בָּרָ֣א')), 'בָּרָ֣א'],
  ] as const) {
    writeFileSync(join(sources, 'morphhb', 'Gen.xml'), source);
    await build(dataDir, sources);
    // A file is looked at every half second. The deadline of the test ends the loop.
    while ((await surfaces()) !== expected) await setTimeout(50);
  }
  expect(client.subgraph.unavailableFields()).toEqual([]);
  await client.close();
});

test('a running originals subgraph keeps serving its texts if originals.sqlite is removed or damaged, and logs the reason', async () => {
  const dataDir = newDataFolder();
  await build(dataDir, writeSources());
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
  const client = openOriginalsClient(dataDir, log);
  for (const [damage, message] of [
    [rmSync, /the original texts stay as they were: .*originals\.sqlite is missing/],
    [
      (file: string) => writeFileSync(file, 'text'),
      /the original texts stay as they were: .*is not a file of original/,
    ],
  ] as const) {
    damage(originalsFile(dataDir));
    while (!message.test(lines.join('\n'))) await setTimeout(50);
    expect(await client.data('{ originalTexts { id } }')).toEqual({
      originalTexts: [{ id: 'hbo-wlc' }, { id: 'grc-sblgnt' }],
    });
  }
  await client.close();
});

test.each([
  ['is missing', (file: string) => rmSync(file), /originals\.sqlite is missing: install bibledit-data/],
  ['is cut off', (file: string) => truncateSync(file, 10_000), /originals\.sqlite is damaged/],
  [
    'is a text file',
    (file: string) => writeFileSync(file, 'text'),
    /originals\.sqlite is not a file of original texts/,
  ],
])(
  'if originals.sqlite %s, the originals subgraph starts, serves empty lists and reports the reason',
  async (_, damage, message) => {
    const dataDir = newDataFolder();
    await build(dataDir, writeSources());
    damage(originalsFile(dataDir));
    expect(isOriginalsUpToDate({ dataDir, env: envOf(), roots: [] })).toBe(false);
    const client = openOriginalsClient(dataDir);
    expect(await client.data('{ originalTexts { id } }')).toEqual({ originalTexts: [] });
    expect(client.subgraph.unavailableFields()).toEqual([expect.stringMatching(message)]);
    await client.close();
  },
);

test.each([
  [
    'a parsing with an unknown letter',
    { 'morphhb/Gen.xml': genesis(`${firstWords} ${word('430', 'HNcmqa', 'אֱלֹהִ֑ים')}`) },
    /Gen\.xml, Gen\.1\.1, word 3: unknown number 'q' in the parsing 'Ncmqa'$/,
  ],
  [
    'a word with more segments than its parsing',
    { 'morphhb/Gen.xml': genesis(word('1254 a', 'HVqp3ms', 'בָּ/רָ֣א')) },
    /word 1: 'בָּ\/רָ֣א' has other segments than its parsing 'HVqp3ms'$/,
  ],
  ['an unknown lemma', { 'morphhb/Gen.xml': genesis(word('x', 'HVqp3ms', 'בָּרָ֣א')) }, /word 1: unknown lemma 'x'$/],
  [
    'a file that is cut off',
    { 'morphhb/Gen.xml': genesis(firstWords).slice(0, -20) },
    /Gen\.xml is cut off, or is not an OSIS file$/,
  ],
  [
    'an unknown book',
    { 'morphhb/Tob.xml': genesis(firstWords).replaceAll('Gen', 'Tob') },
    /Tob\.xml has the verse 'Tob\.1\.1', which is none of the Bible$/,
  ],
  [
    'a Greek line that is cut off',
    { 'morphgnt/61-Mt-morphgnt.txt': matthew.slice(0, -20) },
    /61-Mt-morphgnt\.txt, line 2 is cut off, or is not a line of MorphGNT$/,
  ],
  [
    'a Greek parsing with an unknown letter',
    { 'morphgnt/61-Mt-morphgnt.txt': matthew.replace('----GSF-', '----QSF-') },
    /line 1, word 2: unknown case 'Q'/,
  ],
])(
  'the originals build fails on %s with an error that names the place, and keeps the old originals.sqlite',
  async (_, files, message) => {
    const dataDir = newDataFolder();
    await build(dataDir, writeSources());
    const before = readFileSync(originalsFile(dataDir));
    await expect(build(dataDir, writeSources(files))).rejects.toThrow(message);
    expect(readFileSync(originalsFile(dataDir)).equals(before)).toBe(true);
  },
);

test('if the Hebrew source text is missing, the originals subgraph serves the Greek text and reports the missing text', async () => {
  const dataDir = newDataFolder();
  const sources = writeSources();
  const greek = join(folder, 'greek');
  cpSync(join(sources, 'morphgnt'), join(greek, 'morphgnt'), { recursive: true });
  await build(dataDir, greek);
  const client = openOriginalsClient(dataDir);
  expect(await client.data('{ originalTexts { id } }')).toEqual({ originalTexts: [{ id: 'grc-sblgnt' }] });
  expect(client.subgraph.unavailableFields()).toHaveLength(1);
  await client.close();
});

test('the originals build fetches missing sources from a Debian package with apt-get, and keeps them in data/sources', async () => {
  const dataDir = newDataFolder();
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const sources = writeSources({
    'hebrewlexicon/LexicalIndex.xml': '',
    'hebrewlexicon/HebrewStrong.xml': '',
    'abbott-smith/abbott-smith.tei_lemma.xml': '',
    'sblgnt/strongsgreek.xml': '',
    'kjv.xml': '',
    'oshb.txt': '',
  });
  const script = (name: string, lines: string): void =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  script('apt-get', ': > bibledit-data_1_all.deb');
  script('dpkg-deb', `/bin/mkdir -p "$3/usr/share/bibledit" && /bin/cp -r ${sources} "$3/usr/share/bibledit/sources"`);
  const lines: string[] = [];
  await buildOriginals({ dataDir, env: { PATH: programs }, roots: [], log: (line) => lines.push(line) });
  expect(lines[0]).toBe('fetching bibledit-data with apt-get download');
  expect(lines).toEqual(
    expect.arrayContaining([
      'Westminster Leningrad Codex: 1 verses, 2 words, 0 corrections',
      'The Greek New Testament: SBL Edition: 1 verses, 2 words, 0 corrections',
    ]),
  );
  const kept = join(dataDir, 'sources', 'bibledit-data');
  expect(statSync(join(kept, 'morphhb')).isDirectory()).toBe(true);
  expect(existsSync(join(kept, 'oshb.txt'))).toBe(false);
});
