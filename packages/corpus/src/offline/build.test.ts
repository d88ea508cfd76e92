import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dataDir, linkTexts, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { temporaryFolder } from '../../test-support/temporary-folder';
import { writeSmallBible } from '../../test-support/write-usfx';
import { importFiles, removeTranslation } from '../import';
import { openCorpus } from '../open-corpus';
import { buildOfflinePackages, staleOfflinePackages } from './build';
import { type OfflinePackage, openOfflinePackages, packageFile, parseOfflineTranslations } from './package-list';

const folder = temporaryFolder();
const log = (): void => undefined;
const build = (builtDir: string, translations = 'free', now: () => number = Date.now) =>
  buildOfflinePackages({ dataDir: builtDir, translations: parseOfflineTranslations(translations), log, jobs: 1, now });

function findPackage(builtDir: string, identifier: string, schemaVersion: number): OfflinePackage | null {
  const packages = openOfflinePackages(builtDir);
  const found = packages.find(identifier, schemaVersion);
  packages.close();
  return found;
}

/** Verifies and unpacks a package, and opens it. */
function openPackage(builtDir: string, identifier: string, schemaVersion: number): Database.Database {
  const found = findPackage(builtDir, identifier, schemaVersion);
  if (!found) throw new Error(`${identifier} has no package`);
  const compressed = readFileSync(packageFile(builtDir, identifier, found));
  expect(createHash('sha256').update(compressed).digest('hex')).toBe(found.sha256);
  const content = gunzipSync(compressed);
  expect([compressed.length, content.length]).toEqual([found.sizeBytes, found.uncompressedSizeBytes]);
  const file = join(folder, `${found.sha256}.sqlite`);
  writeFileSync(file, content);
  return new Database(file);
}

const importSmall = (builtDir: string, name: string, licence: string, verses = 3) =>
  importFiles([writeSmallBible(folder, name, { verses })], {
    dataDir: builtDir,
    log,
    given: { licence, note: 'A note.', licenceHolder: 'A holder', licenceUrl: 'https://licence.example/' },
    replace: true,
  });

describe('an offline package of schema version 1', () => {
  let db: Database.Database;
  beforeAll(() => {
    db = openPackage(dataDir, 'spa-rv1909', 1);
  });
  afterAll(() => db.close());

  test('an offline package has the SQLite pragmas, tables and columns that released clients read', () => {
    expect(db.pragma('application_id', { simple: true })).toBe(0x42514c31);
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'verses\\_fts\\_%' ESCAPE '\\'")
      .pluck();
    expect(tables.all().sort()).toEqual(['books', 'meta', 'verses', 'verses_fts']);
    const columns = (table: string) =>
      (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    expect(columns('meta')).toEqual(['key', 'value']);
    expect(columns('books')).toEqual(['id', 'code', 'name', 'testament', 'chapters']);
    expect(columns('verses')).toEqual(['id', 'book_id', 'chapter', 'verse', 'text']);
    const fts = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'verses_fts'").pluck().get();
    expect(fts).toContain("content='verses', content_rowid='id', tokenize='unicode61 remove_diacritics 2'");
  });

  test('the table `meta` of an offline package describes the translation', () => {
    const corpus = openCorpus(dataDir);
    const digest = corpus.translationDigest('spa-rv1909');
    corpus.close();
    expect(Object.fromEntries(db.prepare('SELECT key, value FROM meta').raw().all() as [string, string][])).toEqual({
      schema_version: '1',
      translation_identifier: 'spa-rv1909',
      translation_name: 'Reina-Valera 1909',
      translation_abbrev: 'RV1909',
      language_code: 'spa',
      language_name: 'Spanish',
      license_note: 'Public Domain (dominio público). Text: eBible.org.',
      source_digest: digest,
      exported_at: '1970-01-01T00:00:00Z',
      verse_count: '31084',
    });
  });

  test('an offline package has the books and verses of the translation in canonical order', () => {
    const corpus = openCorpus(dataDir);
    const books = db.prepare('SELECT id, code, name, testament, chapters FROM books ORDER BY id').raw().all();
    expect(books).toHaveLength(66);
    expect(books[0]).toEqual([1, 'GEN', 'Génesis', 'OT', 50]);
    expect(books[65]).toEqual([66, 'REV', 'Apocalipsis', 'NT', 22]);
    const verses = db
      .prepare('SELECT v.id, b.code, chapter, verse, text FROM verses v JOIN books b ON b.id = book_id ORDER BY v.id')
      .raw()
      .all();
    const expected = Array.from(corpus.eachVerse('spa-rv1909'), ({ book, chapter, verse, text }, index) => [
      index + 1,
      book,
      chapter,
      verse,
      text,
    ]);
    corpus.close();
    expect(verses).toEqual(expected);
  });

  test('an offline package has a full-text index that finds Spanish words without their accents', () => {
    db.exec("INSERT INTO verses_fts (verses_fts, rank) VALUES ('integrity-check', 1)");
    const search = db
      .prepare(
        'SELECT b.name, chapter, verse FROM verses_fts JOIN verses v ON v.id = verses_fts.rowid JOIN books b ON b.id = book_id WHERE verses_fts MATCH ? ORDER BY v.id',
      )
      .raw();
    expect(search.all('"amo dios al mundo"')).toEqual([['Juan', 3, 16]]);
  });
});

test('an offline package of schema version 2 has the layout, notes and Strong’s numbers of every verse', () => {
  const db = openPackage(dataDir, 'eng-kjv', 2);
  expect(db.pragma('user_version', { simple: true })).toBe(2);
  const rows = (sql: string) => {
    const byVerse = new Map<number, unknown[]>();
    for (const { verse_id: id, ...row } of db.prepare(sql).all() as { verse_id: number }[])
      byVerse.set(id, [...(byVerse.get(id) ?? []), row]);
    return (id: number) => byVerse.get(id) ?? [];
  };
  const breaks = rows('SELECT verse_id, kind, start, indent FROM breaks ORDER BY verse_id, position');
  const marks = rows('SELECT verse_id, kind, start, length FROM marks ORDER BY verse_id, position');
  const notes = rows('SELECT verse_id, kind, start, text FROM notes ORDER BY verse_id, position');
  const headings = rows('SELECT verse_id, kind, start, text FROM headings ORDER BY verse_id, position');
  const strongs = rows('SELECT verse_id, start, length, number FROM strongs ORDER BY verse_id, position');
  const corpus = openCorpus(dataDir);
  const places = [...corpus.eachVerse('eng-kjv')];
  const layouts = corpus.layouts('eng-kjv', places);
  corpus.close();
  const stored = places.map((_, index) => ({
    breaks: breaks(index + 1),
    marks: marks(index + 1),
    notes: notes(index + 1),
    headings: headings(index + 1),
    strongs: strongs(index + 1),
  }));
  const expected = places.map(({ words }, index) => ({
    ...layouts[index],
    strongs: words.flatMap(({ start, length, strongs: numbers }) =>
      numbers.map((number) => ({ start, length, number })),
    ),
  }));
  db.close();
  expect(stored).toEqual(expected);
  expect(stored.flatMap((each) => each.notes)).toHaveLength(6_959);
});

test('buildOfflinePackages writes identical bytes for the same text in two data folders', async () => {
  await withFolder(async (otherDir) => {
    linkTexts(otherDir);
    expect(await build(otherDir, 'eng-web')).toEqual(['eng-web']);
    for (const version of [1, 2]) {
      const [own, other] = [dataDir, otherDir].map((each) => findPackage(each, 'eng-web', version)?.sha256);
      expect(other).toBe(own);
    }
    // Other translations have no packages, because the setting does not name them.
    expect(findPackage(otherDir, 'eng-kjv', 1)).toBeNull();
  });
});

test('openOfflinePackages returns the package with the highest schema version that the client can read', () => {
  expect([1, 2, 3, 1_000].map((version) => findPackage(dataDir, 'eng-web', version)?.schemaVersion)).toEqual([
    1, 2, 2, 2,
  ]);
  expect(findPackage(dataDir, 'no-such', 1)).toBeNull();
});

test('openOfflinePackages finds no package in a data folder without packages', async () => {
  await withFolder((emptyDir) => expect(findPackage(emptyDir, 'eng-web', 1)).toBeNull());
});

test('buildOfflinePackages builds only the translations in OFFLINE_TRANSLATIONS, where `free` means all free licences', async () => {
  await withFolder(async (builtDir) => {
    const licences: [string, string][] = [
      ['pd', 'PD'],
      ['zero', 'CC0-1.0'],
      ['by', 'CC-BY-4.0'],
      ['sa', 'CC-BY-SA-3.0'],
      ['nc', 'CC-BY-NC-4.0'],
      ['ncsa', 'CC-BY-NC-SA-4.0'],
      ['nd', 'CC-BY-ND-4.0'],
      ['none', 'NOASSERTION'],
    ];
    for (const [name, licence] of licences) await importSmall(builtDir, `deu-${name}.usfx`, licence);
    const listed = () =>
      licences.map(([name]) => name).filter((name) => findPackage(builtDir, `deu-${name}`, 1) !== null);
    await build(builtDir);
    expect(listed()).toEqual(['pd', 'zero', 'by', 'sa']);
    await build(builtDir, 'free, deu-nd');
    expect(listed()).toEqual(['pd', 'zero', 'by', 'sa', 'nd']);
    await build(builtDir, 'deu-by');
    expect(listed()).toEqual(['by']);
    expect(existsSync(join(builtDir, 'translations', 'deu-nd', 'offline'))).toBe(false);
    await build(builtDir, '');
    expect(listed()).toEqual([]);
  });
});

test('the license_note of an offline package joins the note, the licence holder, the licence and the licence URL', async () => {
  await withFolder(async (builtDir) => {
    await importSmall(builtDir, 'deu-by.usfx', 'CC-BY-4.0');
    await build(builtDir);
    const db = openPackage(builtDir, 'deu-by', 2);
    expect(db.prepare("SELECT value FROM meta WHERE key = 'license_note'").pluck().get()).toBe(
      'A note. A holder. CC-BY-4.0. https://licence.example/',
    );
    db.close();
  });
});

test('OFFLINE_TRANSLATIONS with a malformed identifier is an error, and with an unknown identifier a warning', async () => {
  expect(() => parseOfflineTranslations('free,../etc')).toThrow("OFFLINE_TRANSLATIONS names '../etc'");
  await withFolder(async (builtDir) => {
    await importSmall(builtDir, 'deu-pd.usfx', 'PD');
    const lines: string[] = [];
    await buildOfflinePackages({
      dataDir: builtDir,
      translations: parseOfflineTranslations('free,deu-gone'),
      log: (line) => lines.push(line),
    });
    expect(lines[0]).toBe('warning: OFFLINE_TRANSLATIONS names deu-gone, which the corpus does not have');
  });
});

describe('offline packages of a translation that changes', () => {
  const day = 24 * 3600 * 1000;
  const names = (builtDir: string) =>
    readdirSync(join(builtDir, 'translations', 'deu-own', 'offline', 'v1')).map((name) => name.slice(0, 64));
  const current = (builtDir: string) => findPackage(builtDir, 'deu-own', 1)?.sha256 ?? '';

  test('buildOfflinePackages keeps the old package of a changed translation for a week, and deletes a removed one at once', async () => {
    await withFolder(async (builtDir) => {
      await importSmall(builtDir, 'deu-own.usfx', 'PD', 3);
      await build(builtDir);
      const first = current(builtDir);
      // The first package was built long ago.
      const longAgo = new Date(Date.now() - 30 * day);
      const found = findPackage(builtDir, 'deu-own', 1);
      if (found) utimesSync(packageFile(builtDir, 'deu-own', found), longAgo, longAgo);

      await importSmall(builtDir, 'deu-own.usfx', 'PD', 4);
      expect(staleOfflinePackages(builtDir, parseOfflineTranslations('free'), 'contents')).toEqual({
        toBuild: ['deu-own'],
        toRemove: [],
      });
      await build(builtDir);
      expect(current(builtDir)).not.toBe(first);
      expect(names(builtDir).sort()).toEqual([first, current(builtDir)].sort());
      await build(builtDir, 'free', () => Date.now() + 6 * day);
      expect(names(builtDir)).toHaveLength(2);
      await build(builtDir, 'free', () => Date.now() + 8 * day);
      expect(names(builtDir)).toEqual([current(builtDir)]);

      await removeTranslation('deu-own', { dataDir: builtDir, log });
      await build(builtDir);
      expect(findPackage(builtDir, 'deu-own', 1)).toBeNull();
      expect(existsSync(join(builtDir, 'translations', 'deu-own'))).toBe(false);
    });
  });

  test('buildOfflinePackages rebuilds a missing or damaged package with the same bytes', async () => {
    await withFolder(async (builtDir) => {
      await importSmall(builtDir, 'deu-own.usfx', 'PD');
      await build(builtDir);
      const found = findPackage(builtDir, 'deu-own', 1);
      if (!found) throw new Error('there is no package');
      const file = packageFile(builtDir, 'deu-own', found);
      const stale = (check: 'headers' | 'contents') =>
        staleOfflinePackages(builtDir, parseOfflineTranslations('free'), check).toBuild;
      const damages = [
        () => rmSync(file),
        () => truncateSync(file, 100),
        () => writeFileSync(file, Buffer.alloc(found.sizeBytes)),
      ];
      for (const [index, damage] of damages.entries()) {
        damage();
        // The last damage changes no size, so only the check `contents` finds it.
        expect(stale('headers')).toEqual(index === 2 ? [] : ['deu-own']);
        expect(stale('contents')).toEqual(['deu-own']);
        expect(await build(builtDir)).toEqual(['deu-own']);
        expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(found.sha256);
      }
    });
  });
});
