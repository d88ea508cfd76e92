import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCorpus } from '@lectern/corpus';
import { writeChecksummedFile } from '@lectern/data-files';
import { corpusFile, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { writeDefaultModules } from '../../../packages/corpus/test-support/default-modules';
import { buildTimeoutMs, openSearchClient, searchFile } from '../test-support/search-client';
import { buildSearchIndex, createSearchSubgraph } from './index';
import { searchFileKind } from './search-file';

beforeAll(async () => {
  await (await openSearchClient()).close();
}, buildTimeoutMs);

/** Resolves with the message of the startup error. */
async function startupError(file: string): Promise<string> {
  try {
    await (await createSearchSubgraph({ searchFile: file, semantic: null })).close();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('The subgraph started');
}

const damages: readonly (readonly [description: string, damage: (file: string) => void])[] = [
  ['is missing', () => undefined],
  ['is empty', (file) => writeFileSync(file, '')],
  ['is not a database', (file) => writeFileSync(file, 'not a database '.repeat(1_000))],
  ['is a folder', (file) => mkdirSync(file)],
  ['is the corpus', (file) => copyFileSync(corpusFile, file)],
  [
    'was cut off',
    (file) => {
      copyFileSync(searchFile, file);
      truncateSync(file, Math.floor(statSync(file).size / 2));
    },
  ],
  [
    'lost its last byte',
    (file) => {
      copyFileSync(searchFile, file);
      truncateSync(file, statSync(file).size - 1);
    },
  ],
  [
    'has one byte changed',
    (file) => {
      const bytes = readFileSync(searchFile);
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
];

describe('startup errors', () => {
  test.each(damages)(
    'the search subgraph fails to start with a one-line error that names `npm run data` if search.sqlite %s',
    (_, damage) =>
      withFolder(async (folder) => {
        const file = join(folder, 'search.sqlite');
        damage(file);
        expect(await startupError(file)).toMatch(/^[^\n]*search\.sqlite [^\n]*`npm run data`[^\n]*$/);
      }),
  );

  test('the search subgraph fails to start if search.sqlite has another format version', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'search.sqlite');
      // The file is intact, with a valid checksum. Only its format version differs.
      const trigger =
        "CREATE TRIGGER older AFTER INSERT ON manifest WHEN NEW.key = 'formatVersion' BEGIN UPDATE manifest SET value = '0 XX' WHERE key = 'formatVersion'; END";
      await writeChecksummedFile(file, searchFileKind, (db) => {
        db.exec(trigger);
        return {};
      });
      expect(await startupError(file)).toMatch(
        /has format 0 XX, this version of Lectern reads 1 [LB]E: run `npm run data`/,
      );
    }));
});

describe('buildSearchIndex', () => {
  test('buildSearchIndex leaves an intact search.sqlite of the same corpus unchanged', async () => {
    const before = statSync(searchFile);
    const lines: string[] = [];
    expect(await buildSearchIndex({ corpusFile, searchFile, log: (line) => lines.push(line) })).toBe(false);
    expect([statSync(searchFile).mtimeMs, statSync(searchFile).ino, lines]).toEqual([before.mtimeMs, before.ino, []]);
  });

  test(
    'buildSearchIndex replaces a damaged search.sqlite, logs its steps and removes the files of a killed build',
    () =>
      withFolder(async (folder) => {
        const file = join(folder, 'search.sqlite');
        writeDefaultModules(join(folder, 'modules'));
        const small = await ensureCorpus({
          dataDir: join(folder, 'small'),
          env: { SWORD_PATH: join(folder, 'modules') },
          log: () => undefined,
        });
        writeFileSync(file, 'not a database');
        for (const leftover of ['search.sqlite.999999999.part', 'search.sqlite.999999999.part-journal'])
          writeFileSync(join(folder, leftover), 'x');
        writeFileSync(join(folder, 'search.sqlite.backup'), 'mine');
        const lines: string[] = [];
        expect(await buildSearchIndex({ corpusFile: small, searchFile: file, log: (line) => lines.push(line) })).toBe(
          true,
        );
        expect(lines).toHaveLength(4);
        expect(lines[3]).toMatch(/^spa-rv1909: indexed 66 verses and 67 words in [\d.]+ s$/);
        expect(readdirSync(folder).sort()).toEqual([
          '.lock',
          'modules',
          'search.sqlite',
          'search.sqlite.backup',
          'small',
        ]);
        await (await createSearchSubgraph({ searchFile: file, semantic: null })).close();
        expect(await buildSearchIndex({ corpusFile: small, searchFile: file, log: () => undefined })).toBe(false);
      }),
    buildTimeoutMs,
  );

  test('a failed write of search.sqlite leaves only the old file in the folder', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'search.sqlite');
      writeFileSync(file, 'old');
      await expect(
        writeChecksummedFile(file, searchFileKind, async () => {
          await sleep(1);
          throw new Error('no space left');
        }),
      ).rejects.toThrow('no space left');
      expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['search.sqlite'], 'old']);
    }));

  test('buildSearchIndex fails with an error that names `npm run data` if the corpus is missing', () =>
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

  test('the file search.sqlite contains the digest of its corpus', () => {
    const db = new Database(searchFile, { readonly: true });
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
