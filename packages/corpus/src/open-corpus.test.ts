import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeChecksum } from '@lectern/data-files';
import Database from 'better-sqlite3';
import { realCorpus } from '../test-support/real-corpus';
import { temporaryFolder } from '../test-support/temporary-folder';
import { type Corpus, isCorpusError, openCorpus } from './open-corpus';
import { textKind } from './text-file';

const folder = temporaryFolder();
let dataFolder: string;
let corpus: Corpus;
const statements: string[] = [];

beforeAll(async () => {
  dataFolder = await realCorpus();
  corpus = openCorpus(dataFolder, { onStatement: (statement) => statements.push(statement) });
  // Opening a file runs statements too. So each file is opened before the tests count statements.
  for (const { identifier } of corpus.translations) corpus.verse(identifier, 'GEN', 1, 1);
});
afterAll(() => corpus?.close());
beforeEach(() => {
  statements.length = 0;
});

test('Corpus.translation returns the metadata, books and chapters of a translation, or null for an unknown identifier', () => {
  const identifiers = corpus.translations.map(({ identifier }) => identifier);
  expect(identifiers).toEqual([...identifiers].sort());
  expect(corpus.translation('spa-rv1909')).toMatchObject({
    name: 'Reina-Valera 1909',
    abbrev: 'RV1909',
    language: 'spa',
    languageName: 'Spanish',
    direction: 'LTR',
    note: expect.stringContaining('Public Domain'),
    numbering: 'rv1909',
  });
  const books = corpus.translation('spa-rv1909')?.books ?? [];
  expect(books[0]).toMatchObject({ code: 'GEN', name: 'Génesis' });
  expect(books[18]?.chapters).toHaveLength(150);
  expect(books[3]?.chapters[11]).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  expect(corpus.translation('spa-RV1909')).toBeNull();
  expect(corpus.translation('')).toBeNull();
});

test('Corpus.datasetVersion, a digest of all texts, has 64 hexadecimal digits', () => {
  expect(corpus.datasetVersion()).toMatch(/^[0-9a-f]{64}$/);
});

test('Corpus.verse returns null for a missing verse, and Corpus.chapter returns [] for a missing chapter', () => {
  expect(corpus.verse('eng-kjv', 'JHN', 3, 999)).toBeNull();
  expect(corpus.verse('eng-kjv', 'GEN', 1, 2001)).toBeNull();
  expect(corpus.verse('eng-kjv', 'GEN', 1, -1)).toBeNull();
  expect(corpus.verse('eng-kjv', 'GEN', 1.5, 1)).toBeNull();
  expect(corpus.verse('none', 'GEN', 1, 1)).toBeNull();
  expect(corpus.chapter('eng-kjv', 'GEN', 51)).toEqual([]);
  expect(corpus.chapter('eng-kjv', 'GEN', 1001)).toEqual([]);
  expect(corpus.chapter('none', 'GEN', 1)).toEqual([]);
});

test('Corpus.chapter and Corpus.range return verses in canonical order, across chapters and books', () => {
  expect(corpus.chapter('eng-kjv', 'JUD', 1).map(({ verse }) => verse)).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
  expect(
    corpus.range('eng-kjv', 1_050_025, 2_001_002).map(({ book, chapter, verse }) => `${book} ${chapter}:${verse}`),
  ).toEqual(['GEN 50:25', 'GEN 50:26', 'EXO 1:1', 'EXO 1:2']);
  expect(corpus.range('eng-kjv', 2_001_002, 1_050_025)).toEqual([]);
});

test('Corpus.verses reads verses in the requested order with one SQL statement, and returns null for a missing verse', () => {
  const places = [
    { book: 'JHN', chapter: 3, verse: 16 },
    { book: 'JHN', chapter: 99, verse: 1 },
    { book: 'GEN', chapter: 1, verse: 1 },
    { book: 'JHN', chapter: 3, verse: 16 },
  ] as const;
  const verses = corpus.verses('eng-kjv', places);
  expect(verses.map((verse) => verse && `${verse.book} ${verse.chapter}:${verse.verse}`)).toEqual([
    'JHN 3:16',
    null,
    'GEN 1:1',
    'JHN 3:16',
  ]);
  expect(statements).toHaveLength(1);
  expect(corpus.verses('none', places)).toEqual([null, null, null, null]);
  expect(corpus.verses('eng-kjv', [])).toEqual([]);
});

test('Corpus.words reads the Strong’s tags of several verses with one SQL statement', () => {
  const places = [
    { book: 'GEN', chapter: 1, verse: 1 },
    { book: 'GEN', chapter: 99, verse: 1 },
  ] as const;
  const [words, none] = corpus.words('eng-kjv', places);
  expect(statements).toHaveLength(1);
  const text = corpus.verse('eng-kjv', 'GEN', 1, 1)?.text ?? '';
  expect(words?.map(({ start, length, strongs }) => [text.slice(start, start + length), ...strongs])).toEqual([
    ['beginning', 'H7225'],
    ['God', 'H430'],
    ['created', 'H1254'],
    ['heaven', 'H8064'],
    ['and', 'H853'],
    ['earth', 'H776'],
  ]);
  expect(none).toEqual([]);
  expect(corpus.words('eng-web', places)).toEqual([[], []]);
});

test('other methods of the corpus can be called while an iteration over Corpus.eachVerse runs', () => {
  let visited = 0;
  for (const { book, chapter, verse } of corpus.eachVerse('eng-web')) {
    if ((visited += 1) > 3) break;
    expect(corpus.verse('eng-kjv', book, chapter, verse)).not.toBeNull();
    for (const inner of corpus.eachVerse('eng-web')) {
      expect(inner.verse).toBe(1);
      break;
    }
  }
  expect([...corpus.eachVerse('eng-kjv')]).toHaveLength(31_102);
  expect([...corpus.eachVerse('none')]).toEqual([]);
});

test('Corpus.translationDigest returns a different digest for each translation, and null for an unknown translation', () => {
  expect(corpus.translationDigest('eng-web')).toMatch(/^[0-9a-f]{64}$/);
  expect(corpus.translationDigest('eng-web')).not.toBe(corpus.translationDigest('eng-kjv'));
  expect(corpus.translationDigest('none')).toBeNull();
});

test('openCorpus reads only the catalogue; the first read of a verse opens the file of the translation', () => {
  const opening: string[] = [];
  const opened = openCorpus(dataFolder, { onStatement: (statement) => opening.push(statement) });
  const selects = () => opening.filter((statement) => statement.startsWith('SELECT'));
  expect(opened.translation('eng-kjv')?.books).toHaveLength(66);
  expect(selects()).toEqual([]);
  opened.verse('eng-kjv', 'GEN', 1, 1);
  opened.verse('eng-kjv', 'GEN', 1, 2);
  expect(selects()).toEqual([
    'SELECT key, value FROM manifest',
    'SELECT text FROM verse WHERE ordinal = 1001001.0',
    'SELECT text FROM verse WHERE ordinal = 1001002.0',
  ]);
  opened.close();
});

test('openCorpus rejects a missing or invalid catalogue in one line, and names the command to run', () => {
  const rejectionOf = (name: string, prepare: (copy: string) => void): unknown => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    const copy = join(dataDir, 'text-catalogue.sqlite');
    prepare(copy);
    try {
      return openCorpus(dataDir);
    } catch (error) {
      return isCorpusError(error) && error.message.slice(copy.length);
    }
  };
  expect(rejectionOf('none', () => undefined)).toBe(' is missing: run `npm run data` to make it');
  expect(rejectionOf('other', (copy) => writeFileSync(copy, 'x'.repeat(5000)))).toBe(
    ' is not a text catalogue of Lectern: run `npm run data` to make it anew',
  );
  expect(rejectionOf('a-folder', (copy) => mkdirSync(copy))).toBe(
    ' is a folder, not a text catalogue: move it away and run `npm run data`',
  );
  expect(
    rejectionOf('format', (copy) => {
      copyFileSync(join(dataFolder, 'text-catalogue.sqlite'), copy);
      const db = new Database(copy);
      db.exec(`UPDATE manifest SET value = '99' WHERE key = 'formatVersion'`);
      db.close();
      storeChecksum(copy);
    }),
  ).toBe(
    ` has format 99, this version of Lectern reads 1 text ${textKind.formatVersion}: run \`npm run data\` to make it anew`,
  );
});
