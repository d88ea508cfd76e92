import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bookByCode, isDeuterocanonical } from '@lectern/canon';
import {
  explainWriteError,
  formatBuildTime,
  readChecksummedFileManifest,
  secondsSince,
  translationFile,
  translationFolder,
  writeTranslationFile,
} from '@lectern/data-files';
import type { VerseLayout } from '@lectern/verse-layout';
import Database from 'better-sqlite3';
import { gzipSync } from 'fflate';
import type { BuildIndex } from '../build-indexes';
import type { Corpus } from '../open-corpus';
import type { Licence, Translation, WordTag } from '../translation';
import { type OfflinePackage, offlineFileKind, packageFile, parseOfflineEntry } from './package-list';

/** The schema versions for which packages are built, in ascending order. */
const schemaVersions = [1, 2];

/** The time of export in all packages. With the real time, the same text would get a new digest and URL each time. */
const exportedAt = '1970-01-01T00:00:00Z';

interface PackageSource {
  corpus: Corpus;
  translation: Translation;
  schemaVersion: number;
}

/** Writes the SQLite file of a package. The same text and version of SQLite give the same bytes. */
function writePackage(file: string, source: PackageSource): void {
  const db = new Database(file);
  try {
    // Safe without a journal and syncs: no process reads this file before it is complete.
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'page_size = 4096', 'auto_vacuum = NONE'])
      db.pragma(pragma);
    db.pragma(`application_id = ${packageApplicationId}`);
    db.pragma(`user_version = ${source.schemaVersion}`);
    db.exec(textTables);
    if (source.schemaVersion >= 2) for (const table of Object.entries(layoutColumns)) db.exec(createLayoutTable(table));
    db.transaction(() => insertRows(db, source))();
    db.exec(`INSERT INTO verses_fts (verses_fts) VALUES ('rebuild')`);
    db.exec(`INSERT INTO verses_fts (verses_fts) VALUES ('optimize')`);
    db.exec('VACUUM');
  } finally {
    db.close();
  }
}

function insertRows(db: Database.Database, source: PackageSource): void {
  insertMeta(db, source);
  const { corpus, translation, schemaVersion } = source;
  const { identifier } = translation;
  const insertBook = db.prepare('INSERT INTO books (id, code, name, testament, chapters) VALUES (?, ?, ?, ?, ?)');
  const insertVerse = db.prepare('INSERT INTO verses (id, book_id, chapter, verse, text) VALUES (?, ?, ?, ?, ?)');
  const insertLayout = schemaVersion >= 2 ? createInsertLayout(db) : null;
  let verseId = 0;
  for (const { code, name, chapters } of translation.books) {
    const { position, testament } = bookByCode(code);
    insertBook.run(position, code, name, testament, chapters.length);
    for (const [chapterIndex] of chapters.entries()) {
      const verses = corpus.chapter(identifier, code, chapterIndex + 1);
      const layouts = insertLayout ? corpus.layouts(identifier, verses) : [];
      const words = insertLayout ? corpus.words(identifier, verses) : [];
      for (const [index, { chapter, verse, text }] of verses.entries()) {
        verseId += 1;
        insertVerse.run(verseId, position, chapter, verse, text);
        const layout = layouts[index];
        if (layout) insertLayout?.(verseId, layout, words[index] ?? []);
      }
    }
  }
}

function createInsertLayout(db: Database.Database) {
  const inserts = Object.entries(layoutColumns).map(([table, columns]) => {
    const names = columns.map((column) => column.split(' ')[0] ?? '');
    const insert = db.prepare<unknown[]>(
      `INSERT INTO ${table} (verse_id, position, ${names.join(', ')}) VALUES (?, ?, ?, ?, ?)`,
    );
    return { table: table as LayoutTable, names, insert };
  });
  return (verseId: number, layout: VerseLayout, words: readonly WordTag[]): void => {
    const strongs = words.flatMap(({ start, length, strongs: numbers }) =>
      numbers.map((number) => ({ start, length, number })),
    );
    const rows: Record<LayoutTable, readonly object[]> = { ...layout, strongs };
    for (const { table, names, insert } of inserts)
      for (const [position, row] of rows[table].entries())
        insert.run(verseId, position, ...names.map((name) => (row as Record<string, unknown>)[name]));
  };
}

function insertMeta(db: Database.Database, { corpus, translation, schemaVersion }: PackageSource): void {
  const { identifier, name, abbrev, language, languageName, note, licence } = translation;
  const entries: Record<string, string> = {
    schema_version: String(schemaVersion),
    translation_identifier: identifier,
    translation_name: name,
    translation_abbrev: abbrev ?? '',
    language_code: language,
    language_name: languageName ?? '',
    license_note: attributionOf(note, licence),
    source_digest: corpus.translationDigest(identifier) ?? '',
    exported_at: exportedAt,
    verse_count: String(translation.verseCount),
  };
  if (schemaVersion >= 2) {
    entries['direction'] = translation.direction;
    entries['features'] = translation.features.join(' ');
    entries['license_code'] = licence.code;
    entries['license_holder'] = licence.holder ?? '';
    entries['license_url'] = licence.url ?? '';
  }
  const insert = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  for (const [key, value] of Object.entries(entries)) insert.run(key, value);
}

/** Returns a note with all that licences such as CC-BY require: the text's note, and holder, code and URL. */
function attributionOf(note: string, { code, holder, url }: Licence): string {
  const parts = [holder, code === 'PD' || code === 'NOASSERTION' ? null : code, url];
  const missing = parts.filter((part) => part !== null && !note.includes(part));
  return missing.length === 0 ? note : [note.replace(/\.$/, ''), ...missing].join('. ');
}

/** Builds the offline packages of one translation, then the file that lists them. */
export const buildPackages: BuildIndex = async ({ dataDir, corpus, translation, textDigest }) => {
  const startedAt = performance.now();
  const { identifier } = translation;
  const updatedAt = formatBuildTime(new Date());
  const packages = schemaVersions.map((schemaVersion) =>
    buildPackage(
      dataDir,
      { corpus, translation: schemaVersion === 1 ? withoutDeuterocanon(translation) : translation, schemaVersion },
      updatedAt,
    ),
  );
  markReplacedPackages(dataDir, identifier, packages);
  await writeTranslationFile(dataDir, offlineFileKind, identifier, () => ({
    identifier,
    textDigest,
    entry: JSON.stringify({ packages }),
    builtAt: updatedAt,
  }));
  const sizes = packages.map((each) => `v${each.schemaVersion} ${(each.sizeBytes / 1e6).toFixed(1)} MB`).join(', ');
  return `offline packages of ${identifier}: ${sizes} in ${secondsSince(startedAt)} s`;
};

/** Leaves out the books outside the canon of 66, because released clients for schema version 1 do not know them. */
function withoutDeuterocanon(translation: Translation): Translation {
  const own = translation.books.filter(({ code }) => !isDeuterocanonical(code));
  return { ...translation, books: own, verseCount: own.flatMap(({ chapters }) => chapters).flat().length };
}

function buildPackage(dataDir: string, source: PackageSource, updatedAt: string): OfflinePackage {
  const { translation, schemaVersion } = source;
  const { identifier, verseCount } = translation;
  // If this process is killed, the next process that locks the folder deletes files with this form of name.
  const partFile = join(translationFolder(dataDir, identifier), `offline-v${schemaVersion}.sqlite.${process.pid}.part`);
  rmSync(partFile, { force: true });
  try {
    writePackage(partFile, source);
    const content = readFileSync(partFile);
    // fflate is used, because the output of zlib depends on the processor.
    const compressed = gzipSync(content, { level: 9, mtime: 0 });
    const sha256 = createHash('sha256').update(compressed).digest('hex');
    const file = packageFile(dataDir, identifier, { schemaVersion, sha256 });
    writeFileSync(partFile, compressed, { flush: true });
    mkdirSync(dirname(file), { recursive: true });
    renameSync(partFile, file);
    return {
      schemaVersion,
      sha256,
      sizeBytes: compressed.length,
      uncompressedSizeBytes: content.length,
      verseCount,
      updatedAt,
    };
  } catch (error) {
    rmSync(partFile, { force: true });
    throw explainWriteError(partFile, error);
  }
}

/** Sets the modification time of replaced packages to now, so that they are removed in a week. */
function markReplacedPackages(dataDir: string, identifier: string, packages: readonly OfflinePackage[]): void {
  const manifest = readChecksummedFileManifest(translationFile(dataDir, offlineFileKind, identifier), offlineFileKind);
  const entry = manifest?.get('entry');
  const current = new Set(packages.map(({ sha256 }) => sha256));
  for (const replaced of entry === undefined ? [] : parseOfflineEntry({ entry }).packages) {
    if (current.has(replaced.sha256)) continue;
    try {
      utimesSync(packageFile(dataDir, identifier, replaced), new Date(), new Date());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** The value of `PRAGMA application_id` in packages. Released clients compare this value. */
const packageApplicationId = 0x42514c31;

/** The tables of schema version 1. They never change, because released clients read them. */
const textTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  testament TEXT NOT NULL,
  chapters INTEGER NOT NULL
);
CREATE TABLE verses (
  id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books (id),
  chapter INTEGER NOT NULL,
  verse INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (book_id, chapter, verse)
);
CREATE VIRTUAL TABLE verses_fts USING fts5 (
  text, content='verses', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);
`;

/** The tables that schema version 2 adds: their names and columns. */
const layoutColumns = {
  breaks: ['kind TEXT', 'start INTEGER', 'indent INTEGER'],
  marks: ['kind TEXT', 'start INTEGER', 'length INTEGER'],
  notes: ['kind TEXT', 'start INTEGER', 'text TEXT'],
  headings: ['kind TEXT', 'start INTEGER', 'text TEXT'],
  strongs: ['start INTEGER', 'length INTEGER', 'number TEXT'],
} as const;
type LayoutTable = keyof typeof layoutColumns;

/** Returns the SQL statement that creates a table. Its column `position` counts the rows of a verse from 0. */
const createLayoutTable = ([table, columns]: [string, readonly string[]]): string => `
CREATE TABLE ${table} (
  verse_id INTEGER NOT NULL REFERENCES verses (id),
  position INTEGER NOT NULL,
${columns.map((column) => `  ${column} NOT NULL,\n`).join('')}  PRIMARY KEY (verse_id, position)
) WITHOUT ROWID;`;
