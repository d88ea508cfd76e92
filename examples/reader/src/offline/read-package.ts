import type { Database } from '@sqlite.org/sqlite-wasm';
import type { Book, Chapter } from '../api';
import { offlineErrors } from './offline-error-messages';
import type { StoredPackage } from './package-store';

type Verse = Chapter['verses'][number];
type Layout = Pick<Verse, 'breaks' | 'marks' | 'notes' | 'headings'>;

interface VerseRow {
  id: number;
  verse: number;
  text: string;
}

interface BookRow {
  id: number;
  bookId: string;
  name: string;
  testament: string;
  chapterCount: number;
}

const bookColumns = 'id, code AS bookId, name, testament, chapters AS chapterCount';

/** Returns the rows of a query as objects with the names of its columns. */
export const selectRows = <Row>(db: Database, sql: string, values: readonly (string | number)[] = []): Row[] =>
  db.selectObjects(sql, [...values]) as unknown as Row[];

/**
 * Reads the books with the number of verses of each chapter, in the order of their verses. The result is like that of
 * the API's `bibleIndex`.
 */
export function readBooks(db: Database): Book[] {
  const chapters = new Map<number, { number: number; verseCount: number }[]>();
  const counts = selectRows<{ book: number; number: number; verseCount: number }>(
    db,
    'SELECT book_id AS book, chapter AS number, count(*) AS verseCount FROM verses GROUP BY 1, 2 ORDER BY min(id)',
  );
  for (const { book, ...chapter } of counts) chapters.set(book, [...(chapters.get(book) ?? []), chapter]);
  const order = [...chapters.keys()];
  return selectRows<BookRow>(db, `SELECT ${bookColumns} FROM books`)
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map(({ id, ...book }) => ({ ...book, position: id, chapters: chapters.get(id) ?? [] }));
}

/**
 * Reads a chapter with its layout. The result is like that of the API's `readingChapter`. Throws an
 * `OfflineError` if the translation has no such chapter.
 */
export function readChapter(db: Database, { translation }: StoredPackage, code: string, chapter: number): Chapter {
  const [book] = selectRows<BookRow>(db, `SELECT ${bookColumns} FROM books WHERE code = ?`, [code]);
  const rows = selectRows<VerseRow>(
    db,
    'SELECT id, verse, text FROM verses WHERE book_id = ? AND chapter = ? ORDER BY verse',
    [book?.id ?? 0, chapter],
  );
  const [first] = rows;
  const last = rows.at(-1);
  if (!book || !first || !last) throw offlineErrors.noChapter(translation.name, `${code} ${chapter}`);
  const layoutOf = readLayouts(db, first.id, last.id);
  const { id: position, ...bookFields } = book;
  return {
    number: chapter,
    book: { ...bookFields, position },
    translation,
    verses: rows.map(({ id, verse, text }) => ({
      ...verseFields(translation.identifier, { bookId: code, bookName: book.name, chapter, verse, text }),
      ...layoutOf(id),
    })),
    previous: readPlace(db, 'verses.id < ? ORDER BY verses.id DESC', first.id),
    next: readPlace(db, 'verses.id > ? ORDER BY verses.id', last.id),
  };
}

/**
 * Returns the fields of a verse that lists need, with an id and a reference. The id is unique in
 * this app, but is not the API's id.
 */
export const verseFields = (
  identifier: string,
  verse: Pick<Verse, 'bookId' | 'bookName' | 'chapter' | 'verse' | 'text'>,
) => ({
  ...verse,
  id: `${identifier}.${verse.bookId}.${verse.chapter}.${verse.verse}`,
  reference: `${verse.bookName} ${verse.chapter}:${verse.verse}`,
});

/**
 * Reads the layout of the verses from `firstId` to `lastId`. Returns a function from the id of a
 * verse to its layout, which is empty in packages of schema version 1.
 */
function readLayouts(db: Database, firstId: number, lastId: number): (id: number) => Layout {
  const hasLayout = Number(db.selectValue('PRAGMA user_version')) >= 2;
  const read = <Row>(table: string, columns: string): Map<number, Row[]> => {
    const byVerse = new Map<number, Row[]>();
    if (!hasLayout) return byVerse;
    const sql = `SELECT verse_id, kind, start, ${columns} FROM ${table} WHERE verse_id BETWEEN ? AND ? ORDER BY verse_id, position`;
    for (const { verse_id: id, ...row } of selectRows<{ verse_id: number }>(db, sql, [firstId, lastId]))
      byVerse.set(id, [...(byVerse.get(id) ?? []), row as Row]);
    return byVerse;
  };
  const breaks = read<Layout['breaks'][number]>('breaks', 'indent');
  const marks = read<Layout['marks'][number]>('marks', 'length');
  const notes = read<Omit<Layout['notes'][number], 'references'>>('notes', 'text');
  const headings = read<Layout['headings'][number]>('headings', 'text');
  return (id) => ({
    breaks: breaks.get(id) ?? [],
    marks: marks.get(id) ?? [],
    // The API also returns the references in the text of a note. A package has the text only.
    notes: (notes.get(id) ?? []).map((note) => ({ ...note, references: [] })),
    headings: headings.get(id) ?? [],
  });
}

/** Reads the chapter of the first verse that the SQL condition selects. Null if there is none. */
function readPlace(db: Database, condition: string, id: number): Chapter['next'] {
  const sql = `SELECT code AS bookId, name AS bookName, chapter AS number FROM verses JOIN books ON books.id = book_id WHERE ${condition} LIMIT 1`;
  return selectRows<NonNullable<Chapter['next']>>(db, sql, [id])[0] ?? null;
}
