import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const folder = mkdtempSync(join(tmpdir(), 'lectern-versions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genesis = [
  '\\id GEN\n\\h 1. Mose\n\\ip Von den Anfängen',
  '\\c 1\n\\s Licht\n\\p\n\\v 1 eins\\f + \\ft oder: erstens\\f*\n\\v 2 zwei',
  '\\c 2\n\\p\n\\v 1 drei',
].join('\n');
const exodus = '\\id EXO\n\\h 2. Mose\n\\c 1\n\\p\n\\v 1 vier';

interface Versions {
  readonly translation: string;
  readonly changedAt: string;
  /** The versions by place: `GEN`, `GEN 1`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Imports a translation from USFM in place of the one before, and reads its versions from a new process's view. */
async function versionsOf(usfm: string, { dataFolder = folder, name = 'Eigene' } = {}): Promise<Versions> {
  const source = mkdtempSync(join(folder, 'source-'));
  for (const [index, book] of [usfm, exodus].entries()) writeFileSync(join(source, `${index}.usfm`), book);
  const given = { identifier: 'deu-own', language: 'deu', name };
  await importFiles([source], { dataDir: dataFolder, log: () => undefined, given, replace: true });
  const { queryData, close } = openTextClient({ dataDir: dataFolder });
  const { translation } = (await queryData(
    '{ translation(identifier: "deu-own") { version changedAt books { bookId version chapters { number version } } } }',
  )) as unknown as {
    translation: {
      version: string;
      changedAt: string;
      books: { bookId: string; version: string; chapters: { number: number; version: string }[] }[];
    };
  };
  close();
  const parts = translation.books.flatMap(({ bookId, version, chapters }) => [
    [bookId, version],
    ...chapters.map((chapter) => [`${bookId} ${chapter.number}`, chapter.version]),
  ]);
  return { translation: translation.version, changedAt: translation.changedAt, parts: Object.fromEntries(parts) };
}

const changedParts = (before: Versions, after: Versions): string[] =>
  Object.keys({ ...before.parts, ...after.parts }).filter((place) => before.parts[place] !== after.parts[place]);

describe('versions of texts', () => {
  test.each([
    ['the text of a verse', 'zwei', 'zwo'],
    ['a note', 'erstens', 'zuerst'],
    ['a heading', 'Licht', 'Das Licht'],
    ['a paragraph', '\n\\v 2', '\n\\p\n\\v 2'],
    ['a verse that is added', 'zwei', 'zwei\n\\v 3 mehr'],
  ])(
    'a change of %s changes the versions of its chapter, its book and its translation, and no other',
    async (_, from, to) => {
      const before = await versionsOf(genesis);
      const after = await versionsOf(genesis.replace(from, to));
      expect(changedParts(before, after)).toEqual(['GEN', 'GEN 1']);
      expect(after.translation).not.toBe(before.translation);
    },
  );

  test('a change of a text outside of verses changes the version of the translation, and of no book or chapter', async () => {
    const before = await versionsOf(genesis);
    const after = await versionsOf(genesis.replace('Anfängen', 'ersten Dingen'));
    expect(changedParts(before, after)).toEqual([]);
    expect(after.translation).not.toBe(before.translation);
  });

  test('importing the same text again, also with another name or in another folder, changes no version and no time', async () => {
    const before = await versionsOf(genesis);
    expect(before.changedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await versionsOf(genesis, { name: 'Andere' })).toEqual(before);
    const other = mkdtempSync(join(folder, 'data-'));
    expect(await versionsOf(genesis, { dataFolder: other })).toMatchObject({
      translation: before.translation,
      parts: before.parts,
    });
  });

  test('one request returns the versions of all 1,189 chapters of a translation, and each has 16 characters', async () => {
    const { queryData, close } = openTextClient({ dataDir });
    const { translation } = (await queryData(
      '{ translation(identifier: "eng-web") { version books { version chapters { version } } } }',
    )) as unknown as {
      translation: { version: string; books: { version: string; chapters: { version: string }[] }[] };
    };
    close();
    const chapters = translation.books.flatMap((book) => book.chapters);
    expect(chapters).toHaveLength(1_189);
    const versions = [translation, ...translation.books, ...chapters].map(({ version }) => version);
    expect(versions.filter((version) => !/^[0-9a-f]{16}$/.test(version))).toEqual([]);
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe('translations(changedSince:)', () => {
  const changedSince = async (time: string) => {
    const { queryData, close } = openTextClient({ dataDir: folder });
    const { translations } = (await queryData(
      'query ($time: ISO8601DateTime) { translations(changedSince: $time) { identifier } }',
      { time },
    )) as unknown as { translations: { identifier: string }[] };
    close();
    return translations.map(({ identifier }) => identifier);
  };

  test('lists a translation that changed at the time or later, with any offset and parts of a second', async () => {
    const { changedAt } = await versionsOf(genesis);
    const at = Date.parse(changedAt);
    const later = new Date(at + 1_000).toISOString();
    const inOffset = `${new Date(at + 7_200_000).toISOString().slice(0, 19)}+02:00`;
    expect(await Promise.all([changedAt, inOffset, changedAt.replace('Z', '.9Z'), later].map(changedSince))).toEqual([
      ['deu-own'],
      ['deu-own'],
      ['deu-own'],
      [],
    ]);
  });

  test.each(['', '2026-02-01', '2026-02-01T12:00:00', '2026-13-01T00:00:00Z', '2026-02-31T00:00:00Z', 'yesterday'])(
    'rejects the time %j with BAD_USER_INPUT',
    async (time) => {
      const { queryErrors, close } = openTextClient({ dataDir });
      const found = await queryErrors(
        'query ($time: ISO8601DateTime) { translations(changedSince: $time) { identifier } }',
        { time },
      );
      close();
      const message = 'changedSince must be a time with an offset, such as 2026-03-01T12:00:00Z';
      expect(found).toEqual([{ message, code: 'BAD_USER_INPUT', path: 'translations' }]);
    },
  );
});
