import { readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCorpus, openCorpus } from '@lectern/corpus';
import { catalogueFile, translationFile } from '@lectern/data-files';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { dataDir, linkData, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { writeDefaultModules } from '../../../packages/corpus/test-support/write-default-modules';
import { openSearchClient } from '../test-support/search-client';
import { buildSearchIndex, createSearchSubgraph, searchFileKind } from './index';

beforeAll(async () => {
  await (await openSearchClient()).close();
});

const fileIn = (folder: string, identifier = 'eng-web'): string => translationFile(folder, searchFileKind, identifier);

/** Replaces a file. Removes it first, because it is a hard link to the data of the repository. */
function replace(file: string, bytes: string | Buffer): void {
  rmSync(file);
  writeFileSync(file, bytes);
}

function changeByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  replace(file, bytes);
}

const damages: readonly (readonly [description: string, damage: (file: string) => void])[] = [
  ['is missing', (file) => rmSync(file)],
  ['is not a database', (file) => replace(file, 'not a database '.repeat(1_000))],
  ['is a copy of its text.sqlite', (file) => replace(file, readFileSync(file.replace('search.', 'text.')))],
  [
    'lost its last byte',
    (file) => {
      const bytes = readFileSync(file);
      replace(file, bytes.subarray(0, -1));
    },
  ],
  ['has one byte changed', changeByte],
];

describe('damaged or missing files', () => {
  test.each(damages)(
    'if the search.sqlite of a translation %s, the search subgraph serves the other translations and logs one line',
    (_, damage) =>
      withFolder(async (folder) => {
        linkData(folder);
        damage(fileIn(folder));
        const lines: unknown[] = [];
        const log = { ...silentLogger, error: (line: unknown) => void lines.push(line) } as typeof silentLogger;
        const subgraph = await createSearchSubgraph({ dataDir: folder, semantic: null, log });
        const execute = executeInProcess(subgraph, silentLogger);
        const search = (translation: string) =>
          execute({ query: `{ search(query: "lamp", limit: 1, translation: "${translation}") { reference } }` });
        expect(await search('eng-web')).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
        expect(await search('eng-kjv')).toMatchObject({ data: { search: [{}] } });
        expect(lines).toEqual([
          expect.stringMatching(/^eng-web is not served: [^\n]*search\.sqlite [^\n]*`npm run data`[^\n]*$/),
        ]);
        await subgraph.close();
      }),
  );

  test('the search subgraph fails to start with an error that names `npm run data` if search-catalogue.sqlite is missing', () =>
    withFolder(async (folder) => {
      await expect(createSearchSubgraph({ dataDir: folder, semantic: null })).rejects.toThrow(
        /^[^\n]*search-catalogue\.sqlite is missing: run `npm run data`[^\n]*$/,
      );
    }));
});

/** Makes small default translations and their search index in a data folder. */
async function makeSmallData(folder: string): Promise<void> {
  const options = { dataDir: folder, log: () => undefined };
  writeDefaultModules(join(folder, 'modules'));
  await ensureCorpus({ ...options, env: { SWORD_PATH: join(folder, 'modules') } });
  await buildSearchIndex(options);
}

describe('builds', () => {
  test('buildSearchIndex does nothing and returns false if search.sqlite is intact and up to date', async () => {
    const before = statSync(fileIn(dataDir));
    const lines: string[] = [];
    expect(await buildSearchIndex({ dataDir, log: (line) => lines.push(line) })).toBe(false);
    const { mtimeMs, ino } = statSync(fileIn(dataDir));
    expect([mtimeMs, ino, lines]).toEqual([before.mtimeMs, before.ino, []]);
  });

  test('buildSearchIndex replaces only a damaged search.sqlite, and removes the unfinished files of a killed build', () =>
    withFolder(async (folder) => {
      await makeSmallData(folder);
      const file = fileIn(folder);
      changeByte(file);
      for (const leftover of ['search.sqlite.999999999.part', 'search.sqlite.999999999.part-journal'])
        writeFileSync(join(folder, 'translations', 'eng-web', leftover), 'x');
      writeFileSync(join(folder, 'search.sqlite.backup'), 'mine');
      const other = statSync(fileIn(folder, 'eng-kjv'));
      const lines: string[] = [];
      expect(await buildSearchIndex({ dataDir: folder, log: (line) => lines.push(line) })).toBe(true);
      expect(lines).toEqual([expect.stringMatching(/^eng-web: indexed 66 verses and \d+ words in [\d.]+ s$/)]);
      expect(readdirSync(join(folder, 'translations', 'eng-web')).sort()).toEqual(['search.sqlite', 'text.sqlite']);
      expect(readFileSync(join(folder, 'search.sqlite.backup'), 'utf8')).toBe('mine');
      expect(statSync(fileIn(folder, 'eng-kjv')).ino).toBe(other.ino);
      expect(await buildSearchIndex({ dataDir: folder, log: () => undefined })).toBe(false);
    }));

  test('buildSearchIndex with several jobs rejects with the name of the translation whose text is damaged', () =>
    withFolder(async (folder) => {
      await makeSmallData(folder);
      for (const identifier of ['eng-web', 'eng-kjv', 'spa-rv1909']) rmSync(fileIn(folder, identifier));
      const text = join(folder, 'translations', 'eng-web', 'text.sqlite');
      renameSync(text, join(folder, 'aside'));
      writeFileSync(text, readFileSync(join(folder, 'aside')));
      truncateSync(text, 8_192);
      const lines: string[] = [];
      const build = () => buildSearchIndex({ dataDir: folder, jobs: 3, log: (line) => lines.push(line) });
      await expect(build()).rejects.toThrow('eng-web');
      rmSync(text);
      renameSync(join(folder, 'aside'), text);
      lines.length = 0;
      expect(await build()).toBe(true);
      expect(lines.some((line) => line.startsWith('eng-web: indexed'))).toBe(true);
      expect(await build()).toBe(false);
    }));

  test('buildSearchIndex without a text catalogue rejects with an error that names `npm run data`, and writes no file', () =>
    withFolder(async (folder) => {
      await expect(buildSearchIndex({ dataDir: folder, log: () => undefined })).rejects.toThrow(
        /text-catalogue\.sqlite is missing: run `npm run data`/,
      );
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('the manifest of search.sqlite has the digest of the text from which the file was built', () => {
    const db = new Database(fileIn(dataDir), { readonly: true });
    const manifest = new Map(
      db
        .prepare<[], { key: string; value: string }>('SELECT key, value FROM manifest')
        .all()
        .map(({ key, value }) => [key, value]),
    );
    db.close();
    expect([...manifest.keys()].sort()).toEqual(['builtAt', 'entry', 'formatVersion', 'identifier', 'textDigest']);
    const corpus = openCorpus(dataDir);
    const digest = corpus.translationDigest('eng-web');
    corpus.close();
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(manifest.get('textDigest')).toBe(digest);
  });

  test('search-catalogue.sqlite, which the search subgraph reads at its start, is smaller than 100 kB', () => {
    expect(statSync(catalogueFile(dataDir, searchFileKind)).size).toBeLessThan(100_000);
  });
});
