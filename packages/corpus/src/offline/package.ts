import { bookByCode, type Place } from '@lectern/canon';
import type { VerseLayout } from '@lectern/verse-layout';
import Database from 'better-sqlite3';
import type { Corpus } from '../open';
import type { Licence, Translation, WordTag } from '../translation';
import { layoutTables, packageApplicationId, textTables } from './package-tables';

/** The schema versions that are built, in ascending order. */
export const schemaVersions = [1, 2] as const;
export type SchemaVersion = (typeof schemaVersions)[number];

/**
 * The value of `exported_at` in every package. With the real time, each build of the same text
 * would have other bytes, and so another URL.
 */
const exportedAt = '1970-01-01T00:00:00Z';

export interface PackageSource {
  corpus: Corpus;
  translation: Translation;
  schemaVersion: SchemaVersion;
}

/**
 * Writes the SQLite file of a package. With the same version of SQLite, the same text gives the
 * same bytes: the page size is fixed, rows are inserted in canonical order, and VACUUM orders the
 * pages. `file` must not exist.
 */
export function writePackage(file: string, source: PackageSource): void {
  const db = new Database(file);
  try {
    // No journal and no syncs are needed, because no process reads this file before it is complete.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('page_size = 4096');
    db.pragma('auto_vacuum = NONE');
    db.pragma(`application_id = ${packageApplicationId}`);
    db.pragma(`user_version = ${source.schemaVersion}`);
    db.exec(textTables);
    if (source.schemaVersion >= 2) db.exec(layoutTables);
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
      const layouts = insertLayout ? readLayouts(corpus, identifier, verses) : [];
      for (const [index, { chapter, verse, text }] of verses.entries()) {
        verseId += 1;
        insertVerse.run(verseId, position, chapter, verse, text);
        const layout = layouts[index];
        if (layout) insertLayout?.(verseId, layout);
      }
    }
  }
}

interface VerseData {
  layout: VerseLayout;
  words: readonly WordTag[];
}

function readLayouts(corpus: Corpus, identifier: string, places: readonly Place[]): VerseData[] {
  const words = corpus.words(identifier, places);
  return corpus.layouts(identifier, places).map((layout, index) => ({ layout, words: words[index] ?? [] }));
}

/** Prepares the statements that insert the layout and the Strong's numbers of a verse. */
function prepareLayoutInserts(db: Database.Database) {
  const prepare = (table: string, columns: string) =>
    db.prepare<unknown[]>(`INSERT INTO ${table} (verse_id, position, ${columns}) VALUES (?, ?, ?, ?, ?)`);
  return {
    breaks: prepare('breaks', 'kind, start, indent'),
    marks: prepare('marks', 'kind, start, length'),
    notes: prepare('notes', 'kind, start, text'),
    headings: prepare('headings', 'kind, start, text'),
    strongs: prepare('strongs', 'start, length, number'),
  };
}

/** Creates the function that inserts the layout and the Strong's numbers of one verse. */
function createInsertLayout(db: Database.Database) {
  const inserts = prepareLayoutInserts(db);
  return (verseId: number, { layout, words }: VerseData): void => {
    for (const [position, { kind, start, indent }] of layout.breaks.entries())
      inserts.breaks.run(verseId, position, kind, start, indent);
    for (const [position, { kind, start, length }] of layout.marks.entries())
      inserts.marks.run(verseId, position, kind, start, length);
    for (const [position, { kind, start, text }] of layout.notes.entries())
      inserts.notes.run(verseId, position, kind, start, text);
    for (const [position, { kind, start, text }] of layout.headings.entries())
      inserts.headings.run(verseId, position, kind, start, text);
    const numbers = words.flatMap(({ start, length, strongs }) => strongs.map((number) => ({ start, length, number })));
    for (const [position, { start, length, number }] of numbers.entries())
      inserts.strongs.run(verseId, position, start, length, number);
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

/**
 * Returns the note of a translation, with the holder, the code and the address of its licence added
 * if the note lacks them. Licences such as CC-BY require all of these beside the text.
 */
function attributionOf(note: string, { code, holder, url }: Licence): string {
  const parts = [holder, code === 'PD' || code === 'NOASSERTION' ? null : code, url];
  const missing = parts.filter((part) => part !== null && !note.includes(part));
  return missing.length === 0 ? note : [note.replace(/\.$/, ''), ...missing].join('. ');
}
