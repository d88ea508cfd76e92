import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readCatalogue, storeChecksum, translationFile, updateCatalogue } from '@lectern/data-files';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, linkData, linkTexts, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { buildTimeoutMs } from '../../test-support/search-client';
import { buildSemanticFiles, openSemanticClient, similarVerseFields } from '../../test-support/semantic-client';
import { buildSemanticIndex, createSearchSubgraph, createSemanticOptions, semanticSettings } from '../index';
import { searchFileKind } from '../search-file';

const fileNames = ['spa-rv1909.vec', 'spa-rv1909.words'];
const isSearchFile = (name: string): boolean => /search(-catalogue)?\.sqlite$/.test(name);
const silent = () => undefined;

beforeAll(buildSemanticFiles, buildTimeoutMs);

/** Opens the subgraph with the data files in `folder`. */
async function openSubgraph(folder: string, env: Readonly<Record<string, string>> = {}) {
  const semantic = await createSemanticOptions({
    settings: readSettings({ ...env }, semanticSettings),
    dataDir: folder,
    log: silentLogger,
  });
  return createSearchSubgraph({ dataDir: folder, semantic });
}

/** Changes copies of the data files and resolves with the message of the startup error. */
async function startupError(
  change: (folder: string) => unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return withFolder(async (folder) => {
    linkData(folder, isSearchFile);
    for (const name of fileNames) copyFileSync(join(dataDir, name), join(folder, name));
    await change(folder);
    try {
      await (await openSubgraph(folder, env)).close();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error('The subgraph started');
  });
}

const cutInHalf = (file: string): void => truncateSync(file, Math.floor(statSync(file).size / 2));

function changeByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe.each(['spa-rv1909.vec', 'spa-rv1909.words'])('startup errors of %s', (name) => {
  const repairHint = new RegExp(`^[^\\n]*${name.replaceAll('.', '\\.')} [^\\n]*\`npm run data\`[^\\n]*$`);

  test(`the search subgraph fails to start and names \`npm run data\` if ${name} is missing`, async () => {
    expect(await startupError((folder) => rmSync(join(folder, name)))).toMatch(repairHint);
  });
  test(`the search subgraph fails to start and names \`npm run data\` if ${name} is cut in half`, async () => {
    expect(await startupError((folder) => cutInHalf(join(folder, name)))).toMatch(repairHint);
  });
  test(`the search subgraph fails to start and names \`npm run data\` if ${name} has a changed byte`, async () => {
    expect(await startupError((folder) => changeByte(join(folder, name)))).toMatch(repairHint);
  });
  test(`the search subgraph fails to start and names \`npm run data\` if ${name} contains another file`, async () => {
    expect(await startupError((folder) => writeFileSync(join(folder, name), '{}'))).toMatch(repairHint);
  });
});

test('the search subgraph fails to start if another model made the verse vectors', async () => {
  const env = { EMBEDDINGS_URL: 'http://127.0.0.1:9/v1', EMBEDDINGS_MODEL: 'another', EMBEDDINGS_DIMENSIONS: '384' };
  expect(await startupError(silent, env)).toMatch(
    /spa-rv1909\.vec was made by the model multilingual-e5-small\S*, and queries are embedded by another-384\S*: run `npm run data`/,
  );
});

/** Changes the digest of the text from which the search.sqlite of spa-rv1909 says to be made, and the catalogue. */
async function changeTextDigest(folder: string, digest: string): Promise<void> {
  const file = translationFile(folder, searchFileKind, 'spa-rv1909');
  const changed = `${file}.changed`;
  copyFileSync(file, changed);
  const db = new Database(changed);
  db.prepare("UPDATE manifest SET value = ? WHERE key = 'textDigest'").run(digest);
  db.close();
  storeChecksum(changed);
  renameSync(changed, file);
  await updateCatalogue(folder, searchFileKind, { log: silent });
}

test('the search subgraph fails to start if the vectors were made from other texts than its index', async () => {
  expect(await startupError((folder) => changeTextDigest(folder, 'another'))).toMatch(
    /was made from other texts: run `npm run data`/,
  );
});

test('a running search subgraph has no semantic search of a translation whose text was replaced, until its vectors fit again', () =>
  withFolder(async (folder) => {
    linkData(folder, (name) => isSearchFile(name) || fileNames.includes(name));
    const digest = readCatalogue(folder, searchFileKind).find(
      ({ identifier }) => identifier === 'spa-rv1909',
    )?.textDigest;
    const lines: unknown[] = [];
    const client = await openSemanticClient({
      folder,
      log: { ...silentLogger, error: (line: unknown) => void lines.push(line) } as typeof silentLogger,
    });
    const search = () => client.semanticSearch('amor', { limit: 1 });
    expect(await search()).toHaveLength(1);
    await changeTextDigest(folder, 'another');
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await search()).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^spa-rv1909 has no semantic search: .* was made from other texts/)]);
    await changeTextDigest(folder, digest ?? '');
    while ((await search()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await client.close();
  }));

test('the search subgraph fails to start if SEMANTIC_TRANSLATIONS names a translation without vectors', async () => {
  expect(await startupError(silent, { SEMANTIC_TRANSLATIONS: 'spa-rv1909,eng-web' })).toMatch(
    /eng-web\.\w+ is missing: run `npm run data`/,
  );
});

test.each([
  [{ SEMANTIC_TRANSLATIONS: '../keys' }, /SEMANTIC_TRANSLATIONS names '\.\.\/keys'/],
  [{ SEMANTIC_TIMEOUT_MS: '0' }, /SEMANTIC_TIMEOUT_MS must be/],
  [{ EMBEDDINGS_MODEL_DIR: dataDir }, /tokenizer\.json|model/],
  [{ EMBEDDINGS_MODEL_DIR: dataDir, EMBEDDINGS_URL: 'http://127.0.0.1:9' }, /choose one/],
  [{ EMBEDDINGS_URL: 'ftp://x' }, /EMBEDDINGS_URL/],
])('the search subgraph fails to start with a one-line error for the invalid setting %p', async (env, line) => {
  const message = await startupError(silent, { ...env });
  expect(message).toMatch(line);
  expect(message).not.toContain('\n');
});

test('the search subgraph opens no vectors and no model if SEMANTIC_TRANSLATIONS is empty', async () => {
  await withFolder(async (folder) => {
    linkData(folder, isSearchFile);
    const client = await openSemanticClient({
      folder,
      env: { SEMANTIC_TRANSLATIONS: ' , ', EMBEDDINGS_MODEL_DIR: '/nowhere' },
    });
    const { data, errors } = await client.execute(
      `{ semanticSearch(query: "amor") { ${similarVerseFields} } search(query: "amor", translation: "spa-rv1909", limit: 1) { similar { ${similarVerseFields} } } }`,
    );
    expect([data, errors]).toEqual([{ semanticSearch: [], search: [{ similar: [] }] }, undefined]);
    expect((await client.semanticResponse(' ')).errors).toMatchObject([{ message: 'query must not be blank' }]);
    await client.close();
  });
});

describe('buildSemanticIndex', () => {
  const build = async (folder: string, env: Readonly<Record<string, string>> = {}) => {
    const lines: string[] = [];
    const computed = await buildSemanticIndex({
      dataDir: folder,
      env: { ...env },
      log: (line) => lines.push(line),
    });
    return { computed, lines };
  };

  test('buildSemanticIndex uses the vectors that ship with Lectern, and its second call changes nothing', () =>
    withFolder(async (folder) => {
      linkTexts(folder);
      const first = await build(folder);
      expect(first).toEqual({
        computed: 0,
        lines: [
          expect.stringMatching(/31,084 vectors in \S+spa-rv1909\.vec/),
          expect.stringContaining('spa-rv1909.words'),
        ],
      });
      linkData(folder, isSearchFile);
      await (await openSubgraph(folder)).close();
      const before = fileNames.map((name) => statSync(join(folder, name)).mtimeMs);
      expect(await build(folder)).toEqual({ computed: 0, lines: [] });
      expect(fileNames.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(before);
    }));

  test('buildSemanticIndex replaces damaged vector and word files', () =>
    withFolder(async (folder) => {
      linkTexts(folder);
      linkData(folder, isSearchFile);
      for (const name of fileNames) copyFileSync(join(dataDir, name), join(folder, name));
      cutInHalf(join(folder, 'spa-rv1909.vec'));
      changeByte(join(folder, 'spa-rv1909.words'));
      expect((await build(folder)).lines).toHaveLength(2);
      await (await openSubgraph(folder)).close();
    }));

  test('buildSemanticIndex builds nothing if SEMANTIC_TRANSLATIONS is empty', () =>
    withFolder(async (folder) => {
      expect(await build(folder, { SEMANTIC_TRANSLATIONS: '' })).toEqual({ computed: 0, lines: [] });
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('buildSemanticIndex rejects an unknown translation with the list of translations', () =>
    withFolder(async (folder) => {
      linkTexts(folder);
      const before = readdirSync(folder);
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: 'spa-rv1909, spa-rv1960' })).rejects.toThrow(
        'SEMANTIC_TRANSLATIONS names spa-rv1960, which the corpus does not have; it has eng-kjv, eng-web, spa-rv1909',
      );
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: '../keys' })).rejects.toThrow(
        "SEMANTIC_TRANSLATIONS names '../keys'",
      );
      expect(readdirSync(folder)).toEqual(before);
    }));

  test('buildSemanticIndex continues an aborted build after the last computed vector', () =>
    withFolder(async (folder) => {
      linkTexts(folder);
      const build = (signal: AbortSignal, log: (line: string) => void) =>
        buildSemanticIndex({ dataDir: folder, env: { SEMANTIC_TRANSLATIONS: 'eng-web' }, signal, log });
      const stop = new AbortController();
      const partialFile = join(folder, 'eng-web.vec.passages');
      const watch = setInterval(() => {
        if (existsSync(partialFile) && statSync(partialFile).size > 100_000) stop.abort();
      }, 50);
      await expect(build(stop.signal, silent)).rejects.toThrow('aborted');
      clearInterval(watch);
      expect(existsSync(join(folder, 'eng-web.vec'))).toBe(false);

      const again = new AbortController();
      const lines: string[] = [];
      await expect(
        build(again.signal, (line) => {
          lines.push(line);
          if (lines.length === 2) again.abort();
        }),
      ).rejects.toThrow('aborted');
      expect(lines[1]).toMatch(/^eng-web: continues after [1-9]/);
    }));
});
