import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readSettings, silentLogger } from '@lectern/serving';
import { corpusFile, dataDir, withFolder } from '@lectern/testing';
import { buildingMs } from '../../test-support/search-client';
import { buildMeaning, near, openMeaning } from '../../test-support/semantic-client';
import { buildSemanticIndex, createSearchSubgraph, createSemanticOptions, semanticSettings } from '../index';
import { writeIndexFile } from '../search-file';

jest.setTimeout(60_000);

const names = ['spa-rv1909.vec', 'spa-rv1909.words', 'search.sqlite'];
const silent = () => undefined;

beforeAll(() => buildMeaning({ corpusFile, dataDir }), buildingMs);

/** The service on a folder with copies of the real files. */
async function start(folder: string, env: Readonly<Record<string, string>> = {}) {
  const semantic = await createSemanticOptions({
    settings: readSettings({ ...env }, semanticSettings),
    dataDir: folder,
    log: silentLogger,
  });
  return createSearchSubgraph({ searchFile: join(folder, 'search.sqlite'), semantic });
}

async function refusal(
  change: (folder: string) => unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return withFolder(async (folder) => {
    for (const name of names) copyFileSync(join(dataDir, name), join(folder, name));
    await change(folder);
    try {
      await (await start(folder, env)).close();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error('it started');
  });
}

const cut = (file: string): void => truncateSync(file, Math.floor(statSync(file).size / 2));

function changeByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe.each(['spa-rv1909.vec', 'spa-rv1909.words'])(
  'the service names the command that mends it, and does not start, where %s',
  (name) => {
    const mend = new RegExp(`^[^\\n]*${name.replaceAll('.', '\\.')} [^\\n]*\`npm run data\`[^\\n]*$`);

    test('is missing', async () => {
      expect(await refusal((folder) => rmSync(join(folder, name)))).toMatch(mend);
    });
    test('is cut in half', async () => {
      expect(await refusal((folder) => cut(join(folder, name)))).toMatch(mend);
    });
    test('has one byte changed', async () => {
      expect(await refusal((folder) => changeByte(join(folder, name)))).toMatch(mend);
    });
    test('is another file', async () => {
      expect(await refusal((folder) => writeFileSync(join(folder, name), '{}'))).toMatch(mend);
    });
  },
);

test('vectors of another model are refused', async () => {
  const env = { EMBEDDINGS_URL: 'http://127.0.0.1:9/v1', EMBEDDINGS_MODEL: 'another', EMBEDDINGS_DIMENSIONS: '384' };
  expect(await refusal(silent, env)).toMatch(
    /spa-rv1909\.vec was made by the model multilingual-e5-small\S*, and questions are embedded by another-384\S*: run `npm run data`/,
  );
});

test('vectors of another corpus than that of search.sqlite are refused', async () => {
  expect(
    await refusal((folder) =>
      writeIndexFile(join(folder, 'search.sqlite'), { corpusDigest: 'of other texts' }, silent),
    ),
  ).toMatch(/was made from another corpus: run `npm run data`/);
});

test('an edition for which nothing was built is refused', async () => {
  expect(await refusal(silent, { SEMANTIC_TRANSLATIONS: 'spa-rv1909,eng-web' })).toMatch(
    /eng-web\.\w+ is missing: run `npm run data`/,
  );
});

test.each([
  [{ SEMANTIC_TRANSLATIONS: '../keys' }, /SEMANTIC_TRANSLATIONS names '\.\.\/keys'/],
  [{ SEMANTIC_TIMEOUT_MS: '0' }, /SEMANTIC_TIMEOUT_MS must be/],
  [{ EMBEDDINGS_MODEL_DIR: dataDir }, /tokenizer\.json|model/],
  [{ EMBEDDINGS_MODEL_DIR: dataDir, EMBEDDINGS_URL: 'http://127.0.0.1:9' }, /choose one/],
  [{ EMBEDDINGS_URL: 'ftp://x' }, /EMBEDDINGS_URL/],
])('a setting that cannot work is told in one line: %p', async (env, line) => {
  const message = await refusal(silent, { ...env });
  expect(message).toMatch(line);
  expect(message).not.toContain('\n');
});

test('without any edition named, no file and no model is looked at, and nothing has embeddings', async () => {
  await withFolder(async (folder) => {
    linkSync(join(dataDir, 'search.sqlite'), join(folder, 'search.sqlite'));
    const opened = await openMeaning({
      dataDir: folder,
      env: { SEMANTIC_TRANSLATIONS: ' , ', EMBEDDINGS_MODEL_DIR: '/nowhere' },
    });
    const { data, errors } = await opened.ask(
      `{ semanticSearch(query: "amor") { ${near} } search(query: "amor", translation: "spa-rv1909", limit: 1) { similar { ${near} } } }`,
    );
    expect([data, errors]).toEqual([{ semanticSearch: [], search: [{ similar: [] }] }, undefined]);
    expect((await opened.answer(' ')).errors).toMatchObject([{ message: 'query must not be blank' }]);
    await opened.close();
  });
});

describe('building', () => {
  const build = async (folder: string, env: Readonly<Record<string, string>> = {}) => {
    const lines: string[] = [];
    const computed = await buildSemanticIndex({
      corpusFile,
      dataDir: folder,
      env: { ...env },
      log: (line) => lines.push(line),
    });
    return { computed, lines };
  };

  test('takes the vectors that ship with Lectern, and does nothing the second time', () =>
    withFolder(async (folder) => {
      const first = await build(folder);
      expect(first).toEqual({
        computed: 0,
        lines: [
          expect.stringMatching(/31,084 vectors in \S+spa-rv1909\.vec/),
          expect.stringContaining('spa-rv1909.words'),
        ],
      });
      linkSync(join(dataDir, 'search.sqlite'), join(folder, 'search.sqlite'));
      await (await start(folder)).close();
      const before = names.map((name) => statSync(join(folder, name)).mtimeMs);
      expect(await build(folder)).toEqual({ computed: 0, lines: [] });
      expect(names.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(before);
    }));

  test('mends what is damaged', () =>
    withFolder(async (folder) => {
      for (const name of names) copyFileSync(join(dataDir, name), join(folder, name));
      cut(join(folder, 'spa-rv1909.vec'));
      changeByte(join(folder, 'spa-rv1909.words'));
      expect((await build(folder)).lines).toHaveLength(2);
      await (await start(folder)).close();
    }));

  test('makes nothing where no edition is named', () =>
    withFolder(async (folder) => {
      expect(await build(folder, { SEMANTIC_TRANSLATIONS: '' })).toEqual({ computed: 0, lines: [] });
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('says which editions there are when one is named that is not', () =>
    withFolder(async (folder) => {
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: 'spa-rv1909, spa-rv1960' })).rejects.toThrow(
        'SEMANTIC_TRANSLATIONS names spa-rv1960, and the corpus has no such edition; it has eng-kjv, eng-web, spa-rv1909',
      );
      await expect(build(folder, { SEMANTIC_TRANSLATIONS: '../keys' })).rejects.toThrow(
        "SEMANTIC_TRANSLATIONS names '../keys'",
      );
      expect(readdirSync(folder)).toEqual([]);
    }));

  test('goes on where it was stopped', () =>
    withFolder(async (folder) => {
      const build = (signal: AbortSignal, log: (line: string) => void) =>
        buildSemanticIndex({ corpusFile, dataDir: folder, env: { SEMANTIC_TRANSLATIONS: 'eng-web' }, signal, log });
      const stop = new AbortController();
      const kept = join(folder, 'eng-web.vec.passages');
      const watch = setInterval(() => {
        if (existsSync(kept) && statSync(kept).size > 100_000) stop.abort();
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
      expect(lines[1]).toMatch(/^eng-web: goes on after [1-9]/);
    }));
});
