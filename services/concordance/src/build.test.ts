import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storeChecksum, translationFile } from '@lectern/data-files';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { linkData, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { writeDictionary } from '../../../packages/corpus/test-support/write-sword-dictionary';
import { ensureConcordance } from '../test-support/concordance-client';
import { isolatedEnv, makeSmallCorpus } from '../test-support/import-invented-psalms';
import { buildConcordanceIndex, concordanceFileKind, createConcordanceSubgraph } from './index';

beforeAll(async () => {
  await ensureConcordance();
});

/**
 * Opens the subgraph. Returns the message of the startup error, or `opened` if the start succeeds.
 */
const startResult = (dataDir: string): string => {
  try {
    createConcordanceSubgraph({ dataDir }).close();
    return 'opened';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test.each<[string, (file: string) => void, RegExp]>([
  ['is missing', (file) => rmSync(file), /is missing: run `npm run data`/],
  [
    'is a text file',
    (file) => replace(file, 'In the beginning '.repeat(50)),
    /is not a concordance of Lectern: run `npm run data`/,
  ],
  [
    'is cut off',
    (file) => replace(file, readFileSync(file).subarray(0, 1_000_000)),
    /is damaged \(1000000 bytes\): run `npm run data`/,
  ],
  [
    'has a changed byte',
    (file) => {
      const bytes = readFileSync(file);
      bytes[5_000_000] = (bytes[5_000_000] ?? 0) ^ 1;
      replace(file, bytes);
    },
    /is damaged \(\d+ bytes\): run `npm run data`/,
  ],
])(
  'the concordance subgraph serves the other translations and logs one line if the concordance.sqlite of a translation %s',
  async (_, damage, message) => {
    await withFolder(async (folder) => {
      linkData(folder);
      damage(translationFile(folder, concordanceFileKind, 'eng-web'));
      const lines: unknown[] = [];
      const log = { ...silentLogger, error: (line: unknown) => void lines.push(line) } as typeof silentLogger;
      const subgraph = createConcordanceSubgraph({ dataDir: folder, log });
      const execute = executeInProcess(subgraph, silentLogger);
      const find = (translation: string) =>
        execute({ query: `{ concordance(translation: "${translation}", word: "lamp") { totalCount } }` });
      expect(await find('eng-web')).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
      expect(await find('eng-kjv')).toMatchObject({ data: { concordance: { totalCount: 44 } } });
      expect(lines).toEqual([expect.stringMatching(message)]);
      expect(lines[0]).not.toContain('\n');
      subgraph.close();
    });
  },
);

test.each(['concordance-catalogue.sqlite', 'strongs.sqlite'])(
  'the concordance subgraph fails to start with a one-line error that names the command to run if %s is missing',
  async (name) => {
    await withFolder((folder) => {
      linkData(folder, (each) => each !== name);
      expect(startResult(folder)).toMatch(new RegExp(`^[^\\n]*${name} is missing: run \`npm run data\`[^\\n]*$`));
    });
  },
);

/** Replaces a file. Removes it first, because it is a hard link to the data of the repository. */
function replace(file: string, bytes: string | Buffer): void {
  rmSync(file);
  writeFileSync(file, bytes);
}

interface BuildFixture {
  /** The data folder. */
  folder: string;
  /** The path of the concordance.sqlite of the only translation. */
  file: string;
  /** Calls `onLine` at each log line. */
  build: (env?: NodeJS.ProcessEnv, onLine?: () => void) => Promise<{ built: boolean; lines: string[] }>;
}

const smallTranslation = {
  identifier: 'spa-small',
  language: 'spa',
  verses: ['Bienaventurado el varón', 'Antes en la ley de Jehová está su delicia'],
};

/** Calls `use` with a temporary folder that has a small corpus and no dictionaries. */
async function withBuildFixture(use: (fixture: BuildFixture) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await makeSmallCorpus(folder, [smallTranslation]);
    const file = translationFile(folder, concordanceFileKind, smallTranslation.identifier);
    const build: BuildFixture['build'] = async (env = {}, onLine = () => undefined) => {
      const lines: string[] = [];
      const built = await buildConcordanceIndex({
        dataDir: folder,
        log: (line) => {
          lines.push(line);
          onLine();
        },
        env: { ...isolatedEnv(folder), ...env },
        swordRoots: [],
        now: () => new Date('2026-03-01T12:00:00.123Z'),
      });
      return { built, lines };
    };
    await use({ folder, file, build });
  });
}

test('buildConcordanceIndex builds a missing or damaged concordance.sqlite, and removes unfinished files of killed builds', async () => {
  await withBuildFixture(async ({ folder, file, build }) => {
    writeFileSync(`${file}.12345.part`, 'a partial index');
    writeFileSync(join(dirname(file), 'somebody.part'), 'another file');
    const first = await build();
    expect(first.built).toBe(true);
    expect(first.lines.at(-1)).toMatch(/^concordance of spa-small: 12 words under 12 stems in [\d.]+ s$/);
    expect(readdirSync(dirname(file)).sort()).toEqual(['concordance.sqlite', 'somebody.part', 'text.sqlite']);
    expect(startResult(folder)).toBe('opened');
    const { mtimeMs } = statSync(file);
    expect(await build()).toEqual({ built: false, lines: [] });
    expect(statSync(file).mtimeMs).toBe(mtimeMs);

    truncateSync(file, 8192);
    expect((await build()).built).toBe(true);
    expect(startResult(folder)).toBe('opened');
  });
});

test('buildConcordanceIndex rebuilds concordance.sqlite after a change of the text or of the format version', async () => {
  await withBuildFixture(async ({ folder, file, build }) => {
    await build();
    const db = new Database(file);
    db.exec("UPDATE manifest SET value = '0' WHERE key = 'formatVersion'");
    db.close();
    storeChecksum(file);
    expect((await build()).built).toBe(true);
    expect((await build()).built).toBe(false);
    await makeSmallCorpus(folder, [{ ...smallTranslation, verses: ['Bienaventurado el hombre'] }]);
    expect(startResult(folder)).toBe('opened');
    expect((await build()).built).toBe(true);
    expect((await build()).built).toBe(false);
  });
});

test("buildConcordanceIndex fetches Strong's dictionaries only for a build, and rebuilds when one is installed later", async () => {
  await withBuildFixture(async ({ folder, build }) => {
    const fetchLog = join(folder, 'fetches');
    writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho fetch >> ${fetchLog}\nexit 100\n`, { mode: 0o755 });
    const fetchCount = () => readFileSync(fetchLog, 'utf8').trim().split('\n').length;
    const first = await build();
    const fetchesOfFirst = fetchCount();
    expect(first.lines).toContainEqual(
      expect.stringMatching(/^warning: no module StrongsGreek: apt-get install sword-dict-strongs-greek/),
    );
    expect(first.lines).toContain(
      "warning: Strong's numbers with G have no dictionary; install it and run `npm run data` to add its words",
    );
    expect([await build(), fetchCount()]).toEqual([{ built: false, lines: [] }, fetchesOfFirst]);

    const sword = join(folder, 'sword');
    writeDictionary(sword, { module: 'StrongsGreek', driver: 'zLD', entries: [['00026', 'love']] });
    const greek = await build({ SWORD_PATH: sword });
    expect([
      greek.built,
      greek.lines.filter((line) => line.includes('have no dictionary')),
      greek.lines.at(-1),
    ]).toEqual([true, [expect.stringContaining('numbers with H')], "Strong's dictionaries: 1 words"]);
    const fetchesOfSecond = fetchCount();
    expect(fetchesOfSecond).toBeGreaterThan(fetchesOfFirst);
    expect([await build({ SWORD_PATH: sword }), await build(), fetchCount()]).toEqual([
      { built: false, lines: [] },
      { built: false, lines: [] },
      fetchesOfSecond,
    ]);

    writeDictionary(join(folder, 'sources', 'StrongsHebrew'), {
      module: 'StrongsHebrew',
      driver: 'zLD',
      entries: [['H0001', 'father']],
    });
    expect((await build({ SWORD_PATH: sword })).lines.at(-1)).toBe("Strong's dictionaries: 2 words");
  });
});

const holdLockScript = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  process.stdin.on('end', () => db.close()).resume();
`;

test('buildConcordanceIndex waits while another process holds the lock of the data folder, and logs the wait', async () => {
  await withBuildFixture(async ({ folder, build }) => {
    const other = spawn(process.execPath, ['-e', holdLockScript, join(folder, '.lock')], {
      cwd: __dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => void other.stdout.once('data', resolve));
    // The other process releases the lock when its standard input ends.
    const { built, lines } = await build({}, () => void other.stdin.end());
    expect(built).toBe(true);
    expect(lines[0]).toBe(`another process works in ${folder}: waiting for it`);
  });
});
