import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { corpusFile, repositoryRoot, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { buildingMs, openSearch } from '../test-support/search-client';
import { buildSearchIndex, createSearchSubgraph } from './index';
import { writeIndexFile } from './search-file';

const good = join(repositoryRoot, 'data', 'search.sqlite');

beforeAll(async () => {
  await (await openSearch({ corpusFile, searchFile: good })).close();
}, buildingMs);

/** What the service says instead of starting. */
async function refusal(searchFile: string): Promise<string> {
  try {
    await (await createSearchSubgraph({ searchFile, semantic: null })).close();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('it started');
}

const damages: readonly (readonly [what: string, damage: (file: string) => void])[] = [
  ['is missing', () => undefined],
  ['is empty', (file) => writeFileSync(file, '')],
  ['is no database', (file) => writeFileSync(file, 'not a database '.repeat(1_000))],
  ['is a folder', (file) => mkdirSync(file)],
  ['is the corpus', (file) => copyFileSync(corpusFile, file)],
  [
    'was cut off',
    (file) => {
      copyFileSync(good, file);
      truncateSync(file, Math.floor(statSync(file).size / 2));
    },
  ],
  [
    'lost its last byte',
    (file) => {
      copyFileSync(good, file);
      truncateSync(file, statSync(file).size - 1);
    },
  ],
  [
    'has one byte changed',
    (file) => {
      const bytes = readFileSync(good);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
];

describe('the service refuses to start, in one line that names the command which mends it, on a file that', () => {
  test.each(damages)('%s', (_, damage) =>
    withFolder(async (folder) => {
      const file = join(folder, 'search.sqlite');
      damage(file);
      expect(await refusal(file)).toMatch(/^[^\n]*search\.sqlite [^\n]*`npm run data`[^\n]*$/);
    }),
  );

  test('has another format', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'search.sqlite');
      // Whole and well sealed, but for its format.
      const trigger =
        "CREATE TRIGGER older AFTER INSERT ON manifest WHEN NEW.key = 'formatVersion' BEGIN UPDATE manifest SET value = '0 XX' WHERE key = 'formatVersion'; END";
      await writeIndexFile(file, {}, (db) => {
        db.exec(trigger);
      });
      expect(await refusal(file)).toMatch(/has format 0 XX, this version of Lectern reads 1 [LB]E: run `npm run data`/);
    }));
});

describe('building', () => {
  test('does nothing where the index is there, whole and of this corpus', async () => {
    const before = statSync(good);
    const lines: string[] = [];
    expect(await buildSearchIndex({ corpusFile, searchFile: good, log: (line) => lines.push(line) })).toBe(false);
    expect([statSync(good).mtimeMs, statSync(good).ino, lines]).toEqual([before.mtimeMs, before.ino, []]);
  });

  test(
    'mends a damaged file, says what it does, and clears what a killed build left',
    () =>
      withFolder(async (folder) => {
        const file = join(folder, 'search.sqlite');
        writeFileSync(file, 'not a database');
        for (const left of ['search.sqlite.999999999.part', 'search.sqlite.999999999.part-journal'])
          writeFileSync(join(folder, left), 'x');
        writeFileSync(join(folder, 'search.sqlite.backup'), 'mine');
        const lines: string[] = [];
        expect(await buildSearchIndex({ corpusFile, searchFile: file, log: (line) => lines.push(line) })).toBe(true);
        expect(lines).toHaveLength(4);
        expect(lines[3]).toMatch(/^spa-rv1909: 31084 verses and \d+ words to search in [\d.]+ s$/);
        expect(readdirSync(folder).sort()).toEqual(['.lock', 'search.sqlite', 'search.sqlite.backup']);
        await (await createSearchSubgraph({ searchFile: file, semantic: null })).close();
        expect(await buildSearchIndex({ corpusFile, searchFile: file, log: () => undefined })).toBe(false);
      }),
    buildingMs,
  );

  test('leaves the old file and nothing else behind when it fails', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'search.sqlite');
      writeFileSync(file, 'old');
      await expect(
        writeIndexFile(file, {}, async () => {
          await sleep(1);
          throw new Error('no space left');
        }),
      ).rejects.toThrow('no space left');
      expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['search.sqlite'], 'old']);
    }));

  test('says which command makes the corpus where there is none', () =>
    withFolder(async (folder) => {
      await expect(
        buildSearchIndex({
          corpusFile: join(folder, 'corpus.sqlite'),
          searchFile: join(folder, 'search.sqlite'),
          log: () => undefined,
        }),
      ).rejects.toThrow(/corpus\.sqlite is missing: run `npm run data`/);
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('holds which corpus it was made from', () => {
    const db = new Database(good, { readonly: true });
    const manifest = new Map(
      db
        .prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest')
        .all()
        .map(({ key, value }) => [key, value]),
    );
    db.close();
    expect([...manifest.keys()].sort()).toEqual(['builtAt', 'corpusDigest', 'formatVersion']);
    expect(manifest.get('corpusDigest')).toMatch(/^[0-9a-f]{64}$/);
  });
});
