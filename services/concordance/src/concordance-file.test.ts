import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { storeChecksum } from '@lectern/data-files';
import { corpusFile, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { buildingMs, realIndex } from '../test-support/concordance-client';
import { bareEnv, makeSmallCorpus } from '../test-support/small-corpus';
import { writeDictionary } from '../test-support/write-dictionary';
import { buildConcordanceIndex, createConcordanceSubgraph } from './index';

let index: string;
beforeAll(async () => {
  index = await realIndex();
}, buildingMs);

const opening = (file: string): string => {
  try {
    createConcordanceSubgraph({ concordanceFile: file }).close();
    return 'opened';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test.each<[string, (file: string) => void, RegExp]>([
  ['is missing', () => undefined, /is missing: run `npm run data`/],
  ['is empty', (file) => writeFileSync(file, ''), /is no concordance of Lectern: run `npm run data`/],
  ['is a folder', (file) => mkdirSync(file), /is a folder, not a concordance: move it away and run `npm run data`/],
  [
    'is another file',
    (file) => writeFileSync(file, 'In the beginning '.repeat(50)),
    /is no concordance of Lectern: run `npm run data`/,
  ],
  ['is the corpus', (file) => copyFileSync(corpusFile, file), /is no concordance of Lectern: run `npm run data`/],
  [
    'is cut off',
    (file) => {
      copyFileSync(index, file);
      truncateSync(file, 1_000_000);
    },
    /is damaged \(1000000 bytes\): run `npm run data`/,
  ],
  [
    'is too long',
    (file) => {
      copyFileSync(index, file);
      appendFileSync(file, 'x');
    },
    /is damaged \(\d+ bytes\): run `npm run data`/,
  ],
  [
    'has another byte in its middle',
    (file) => {
      const bytes = readFileSync(index);
      bytes[20_000_000] = (bytes[20_000_000] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    /is damaged \(\d+ bytes\): run `npm run data`/,
  ],
])('a file that %s is refused with one line that says what to do', async (_, make, message) => {
  await withFolder((folder) => {
    const file = join(folder, 'concordance.sqlite');
    make(file);
    expect(opening(file)).toMatch(message);
    expect(opening(file)).not.toContain('\n');
  });
});

interface Building {
  /** Where the corpus lies. */
  folder: string;
  file: string;
  build: (env?: NodeJS.ProcessEnv) => Promise<{ built: boolean; lines: string[] }>;
}

const edition = {
  identifier: 'spa-small',
  language: 'spa',
  verses: ['Bienaventurado el varón', 'Antes en la ley de Jehová está su delicia'],
};

/** A folder of its own to build in, with a small corpus and without dictionaries. */
async function withBuilding(use: (building: Building) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const corpusFile = await makeSmallCorpus(folder, [edition]);
    const file = join(folder, 'index', 'concordance.sqlite');
    const build: Building['build'] = async (env = {}) => {
      const lines: string[] = [];
      const built = await buildConcordanceIndex({
        corpusFile,
        concordanceFile: file,
        log: (line) => lines.push(line),
        env: { ...bareEnv(folder), ...env },
        now: () => new Date('2026-03-01T12:00:00.123Z'),
      });
      return { built, lines };
    };
    await use({ folder, file, build });
  });
}

test(
  'an index is built once, says what it does, clears what a cut-off build left, and leaves one file and the lock of its folder',
  async () => {
    await withBuilding(async ({ file, build }) => {
      mkdirSync(dirname(file));
      writeFileSync(`${file}.12345.part`, 'half an index');
      writeFileSync(join(dirname(file), 'somebody.part'), 'not ours');
      const first = await build();
      expect(first.built).toBe(true);
      expect(first.lines.at(-1)).toMatch(/^concordance of spa-small: 12 words under 12 stems in [\d.]+ s$/);
      expect(readdirSync(dirname(file)).sort()).toEqual(['.lock', 'concordance.sqlite', 'somebody.part', 'sources']);
      expect(opening(file)).toBe('opened');
      const { mtimeMs } = statSync(file);
      expect(await build()).toEqual({ built: false, lines: [] });
      expect(statSync(file).mtimeMs).toBe(mtimeMs);

      truncateSync(file, 8192);
      expect((await build()).built).toBe(true);
      expect(opening(file)).toBe('opened');
    });
  },
  buildingMs,
);

test(
  'an index of another corpus, or of another format, is built anew; of another format it is not read',
  async () => {
    await withBuilding(async ({ folder, file, build }) => {
      await build();
      const db = new Database(file);
      db.exec("UPDATE manifest SET value = '0' WHERE key = 'formatVersion'");
      db.close();
      storeChecksum(file);
      expect(opening(file)).toMatch(/has format 0, this version of Lectern reads 2: run `npm run data`/);
      expect((await build()).built).toBe(true);
      expect((await build()).built).toBe(false);
      await makeSmallCorpus(folder, [{ ...edition, verses: ['Bienaventurado el hombre'] }]);
      expect(opening(file)).toBe('opened');
      expect((await build()).built).toBe(true);
      expect((await build()).built).toBe(false);
    });
  },
  buildingMs,
);

test(
  'dictionaries that could not be fetched are asked for again only when the index is built again, or when one appears',
  async () => {
    await withBuilding(async ({ folder, file, build }) => {
      const asked = join(folder, 'asked');
      writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho asked >> ${asked}\nexit 100\n`, { mode: 0o755 });
      const times = () => readFileSync(asked, 'utf8').trim().split('\n').length;
      const first = await build();
      const once = times();
      expect(first.lines).toContainEqual(
        expect.stringMatching(/^warning: no module StrongsGreek: apt-get install sword-dict-strongs-greek/),
      );
      expect(first.lines).toContain(
        "warning: Strong's numbers with G come without their words; once the dictionary is there, npm run data adds them",
      );
      expect([await build(), times()]).toEqual([{ built: false, lines: [] }, once]);

      const sword = join(folder, 'sword');
      writeDictionary(sword, { module: 'StrongsGreek', driver: 'zLD', entries: [['00026', 'love']] });
      const greek = await build({ SWORD_PATH: sword });
      expect([
        greek.built,
        greek.lines.filter((line) => line.includes('without their words')),
        greek.lines.at(-1),
      ]).toEqual([true, [expect.stringContaining('numbers with H')], "Strong's dictionaries: 1 words"]);
      const twice = times();
      expect(twice).toBeGreaterThan(once);
      expect([await build({ SWORD_PATH: sword }), await build(), times()]).toEqual([
        { built: false, lines: [] },
        { built: false, lines: [] },
        twice,
      ]);

      writeDictionary(join(dirname(file), 'sources', 'StrongsHebrew'), {
        module: 'StrongsHebrew',
        driver: 'zLD',
        entries: [['H0001', 'father']],
      });
      expect((await build({ SWORD_PATH: sword })).lines.at(-1)).toBe("Strong's dictionaries: 2 words");
    });
  },
  buildingMs,
);

const holder = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setTimeout(() => db.close(), 1500);
`;

test(
  'two processes do not build at once: the second says that it waits',
  async () => {
    await withBuilding(async ({ file, build }) => {
      mkdirSync(dirname(file));
      const other = spawn(process.execPath, ['-e', holder, join(dirname(file), '.lock')], {
        cwd: __dirname,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => void other.stdout.once('data', resolve));
      const { built, lines } = await build();
      expect(built).toBe(true);
      expect(lines[0]).toBe(`another process works in ${dirname(file)}: waiting for it`);
    });
  },
  buildingMs,
);
