import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readBinaryFile, storeChecksum, translationFile, updateCatalogue, writeBinaryFile } from '@lectern/data-files';
import { shippedVectors } from '@lectern/embeddings';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, linkData, linkTexts, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { ensureSemanticFiles, openSemanticClient, similarVerseFields } from '../../test-support/semantic-client';
import { buildSemanticFiles, createSearchSubgraph, createSemanticOptions, semanticSettings } from '../index';
import { searchFileKind } from '../store';
import { readPhrasesHeader } from './phrases-file';

const phrasesFileName = 'phrases.vec';
const isSearchFile = (name: string): boolean => /search(-catalogue)?\.sqlite$/.test(name);
const silent = () => undefined;

beforeAll(ensureSemanticFiles);

/** Opens the subgraph with the data files in `folder`. */
async function openSubgraph(folder: string, env: Readonly<Record<string, string>> = {}) {
  const semantic = await createSemanticOptions({
    settings: readSettings({ ...env }, semanticSettings),
    dataDir: folder,
    log: silentLogger,
  });
  return createSearchSubgraph({ dataDir: folder, semantic });
}

/**
 * Opens the subgraph in a new data folder, which has links to the search files and what `change`
 * has added or changed. Resolves with the message of the startup error.
 */
async function startupError(
  change: (folder: string) => unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return withFolder(async (folder) => {
    linkData(folder, isSearchFile);
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

/** Links the texts and the SWORD modules of the reference works into a data folder. */
const linkSources = (folder: string): void => {
  linkTexts(folder);
  symlinkSync(join(dataDir, 'sources'), join(folder, 'sources'));
};

/** The settings of a model for which Lectern ships no vectors. */
const anotherModel = {
  EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
  EMBEDDINGS_MODEL: 'another',
  EMBEDDINGS_DIMENSIONS: '384',
};

describe('vectors of another model than the built-in one', () => {
  const file = (folder: string): string => join(folder, 'spa-rv1909.vec');
  const copyShipped = (folder: string): void => copyFileSync(shippedVectors('spa-rv1909') ?? '', file(folder));

  test('the search subgraph fails to start with an error that names `npm run data` if the vectors of the model are missing', async () => {
    expect(await startupError(silent, anotherModel)).toMatch(/spa-rv1909\.vec is missing: run `npm run data`/);
  });

  test.each([
    ['are cut in half', cutInHalf],
    ['have a changed byte', changeByte],
    ['are replaced by another file', (path: string) => writeFileSync(path, '{}')],
  ])(
    'the search subgraph fails to start with an error that names `npm run data` if the vectors of the model %s',
    async (_, damage) => {
      const change = (folder: string): void => {
        copyShipped(folder);
        damage(file(folder));
      };
      expect(await startupError(change, anotherModel)).toMatch(/^[^\n]*spa-rv1909\.vec [^\n]*`npm run data`[^\n]*$/);
    },
  );

  test('the search subgraph fails to start with an error that names both models if another model made the vectors', async () => {
    expect(await startupError(copyShipped, anotherModel)).toMatch(
      /spa-rv1909\.vec was made by the model multilingual-e5-small\S*, and queries are embedded by another-384\S*: run `npm run data`/,
    );
  });
});

describe.each([
  ['is missing', (file: string) => rmSync(file)],
  ['is cut in half', cutInHalf],
  ['has a changed byte', changeByte],
  ['is another file', (file: string) => writeFileSync(file, '{}')],
])('if phrases.vec, the vectors of topics, %s', (_, damage) => {
  test('the search subgraph still searches by meaning, reports missing topics and logs one warning', () =>
    withFolder(async (folder) => {
      linkData(folder, isSearchFile);
      copyFileSync(join(dataDir, phrasesFileName), join(folder, phrasesFileName));
      damage(join(folder, phrasesFileName));
      const lines: unknown[] = [];
      const client = await openSemanticClient({
        folder,
        log: { ...silentLogger, warn: (line: unknown) => void lines.push(line) } as typeof silentLogger,
      });
      expect(await client.semanticSearch('amor')).toHaveLength(10);
      expect(await client.execute('{ semanticTopics(query: "love") { similarity } }')).toMatchObject({
        data: { semanticTopics: [] },
      });
      expect(client.subgraph.unavailableFields()).toEqual([
        'semanticTopics',
        "Nave's Topical Bible as evidence of semanticSearch",
        "Matthew Henry's Concise Commentary on the Bible as evidence of semanticSearch",
      ]);
      expect(lines).toEqual([
        expect.stringMatching(/^semantic search works without topics: [^\n]*phrases\.vec [^\n]*`npm run data`/),
      ]);
      await client.close();
    }));
});

/**
 * Writes another text digest into the manifest of spa-rv1909's search.sqlite, as if the text had
 * been replaced.
 */
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

/** Copies a phrases file, and changes the digest of each source in its header. */
async function changeSources(from: string, to: string, change: (digest: string[]) => string): Promise<void> {
  const kind = { magic: 'LECTPHR\n', formatVersion: 3, name: 'phrases file' };
  const { header, sections } = await readBinaryFile<{ sources: Record<string, string> }>(from, kind);
  const sources = Object.fromEntries(
    Object.entries(header.sources).map(([id, digest]) => [id, change(digest.split(' '))]),
  );
  await writeBinaryFile(to, kind, { ...header, sources }, sections);
}

test('semanticSearch returns the same verses after the subgraph opens a new search.sqlite with the same verses', () =>
  withFolder(async (folder) => {
    linkData(folder, isSearchFile);
    const client = await openSemanticClient({ folder });
    const before = await client.semanticSearch('amor', { limit: 3 });
    const digest = () => client.subgraph.dataset?.translationDigests().get('spa-rv1909');
    await changeTextDigest(folder, 'another');
    while (digest() !== 'another') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await client.semanticSearch('amor', { limit: 3 })).toEqual(before);
    await client.close();
  }));

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

test('with an empty SEMANTIC_TRANSLATIONS, search starts without an embedding model, and semanticSearch is empty', async () => {
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

describe('building the files of semantic search', () => {
  const build = async (folder: string, env: Readonly<Record<string, string>> = {}) => {
    const lines: string[] = [];
    const computed = await buildSemanticFiles({
      dataDir: folder,
      env: { ...env },
      log: (line) => lines.push(line),
    });
    return { computed, lines };
  };

  const files = [phrasesFileName, 'translations/spa-rv1909/verses.vec'];

  test('buildSemanticFiles replaces damaged files, and a running search subgraph uses the new files', () =>
    withFolder(async (folder) => {
      linkSources(folder);
      linkData(folder, isSearchFile);
      for (const name of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        copyFileSync(join(dataDir, name), join(folder, name));
      }
      const copies = files.map((name) => readFileSync(join(folder, name)));
      expect(await build(folder)).toEqual({ computed: 0, lines: [] });
      cutInHalf(join(folder, files[0] ?? ''));
      changeByte(join(folder, files[1] ?? ''));
      const client = await openSemanticClient({ folder });
      const before = await client.semanticSearch('the prodigal son');
      expect(await build(folder)).toEqual({
        computed: 0,
        lines: [expect.stringMatching(/^\d+ phrases of topics, outlines and questions in \S+phrases\.vec$/)],
      });
      expect(files.map((name, index) => readFileSync(join(folder, name)).equals(copies[index] ?? Buffer.of()))).toEqual(
        [true, true],
      );
      while (client.subgraph.unavailableFields().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await client.semanticSearch('the prodigal son')).not.toEqual(before);
      await client.close();
      const unchanged = files.map((name) => statSync(join(folder, name)).mtimeMs);
      expect(await build(folder)).toEqual({ computed: 0, lines: [] });
      expect(files.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(unchanged);
    }));

  test('buildSemanticFiles rebuilds phrases.vec after a change of the rules for reading SWORD modules', () =>
    withFolder(async (folder) => {
      linkSources(folder);
      linkData(folder, isSearchFile);
      const file = join(folder, phrasesFileName);
      const { sources } = await readPhrasesHeader(join(dataDir, phrasesFileName));
      await changeSources(join(dataDir, phrasesFileName), file, ([module = '']) => module);
      const phrases = expect.stringMatching(/^\d+ phrases of topics, outlines and questions in \S+phrases\.vec$/);
      expect(await build(folder)).toEqual({ computed: 0, lines: expect.arrayContaining([phrases]) });
      expect((await readPhrasesHeader(file)).sources).toEqual(sources);
      expect(await build(folder)).toEqual({ computed: 0, lines: [] });
    }));

  test('buildSemanticFiles builds nothing if SEMANTIC_TRANSLATIONS is empty', () =>
    withFolder(async (folder) => {
      expect(await build(folder, { SEMANTIC_TRANSLATIONS: '' })).toEqual({ computed: 0, lines: [] });
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('buildSemanticFiles rejects an unknown translation with an error that lists the known translations', () =>
    withFolder(async (folder) => {
      linkTexts(folder);
      const before = readdirSync(folder);
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: 'spa-rv1909, spa-rv1960' })).rejects.toThrow(
        /^SEMANTIC_TRANSLATIONS names spa-rv1960, which the corpus does not have; it has eng-kjv, eng-web, .*spa-rv1909; `npm run data` adds the default translations$/,
      );
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: '../keys' })).rejects.toThrow(
        "SEMANTIC_TRANSLATIONS names '../keys'",
      );
      expect(readdirSync(folder)).toEqual(before);
    }));

  test('after an aborted build, buildSemanticFiles keeps the vectors that it has, and computes only the missing ones', () =>
    withFolder(async (folder) => {
      linkSources(folder);
      // A copy of the built-in model in another folder counts as another model, for which no
      // vectors ship with Lectern, so all vectors are computed.
      const modelFolder = join(folder, 'model');
      mkdirSync(modelFolder);
      const shipped = dirname(shippedVectors('spa-rv1909') ?? '');
      for (const name of ['model.onnx', 'model.onnx_data', 'tokenizer.json'])
        copyFileSync(join(shipped, '..', 'model', name), join(modelFolder, name));
      const build = (signal: AbortSignal, log: (line: string) => void) =>
        buildSemanticFiles({ dataDir: folder, env: { EMBEDDINGS_MODEL_DIR: modelFolder }, signal, log });
      const stop = new AbortController();
      const partialFile = join(folder, 'spa-rv1909.vec.passages');
      const watch = setInterval(() => {
        if (existsSync(partialFile) && statSync(partialFile).size > 100_000) stop.abort();
      }, 50);
      await expect(build(stop.signal, silent)).rejects.toThrow('aborted');
      clearInterval(watch);
      expect(existsSync(join(folder, 'spa-rv1909.vec'))).toBe(false);
      const computed = readFileSync(partialFile);

      const again = new AbortController();
      const lines: string[] = [];
      await expect(
        build(again.signal, (line) => {
          lines.push(line);
          if (lines.length === 2) again.abort();
        }),
      ).rejects.toThrow('aborted');
      expect(lines[1]).toMatch(/^spa-rv1909: continues after [1-9]/);
      const continued = readFileSync(partialFile);
      expect(continued.subarray(0, computed.length).equals(computed)).toBe(true);
    }));
});
