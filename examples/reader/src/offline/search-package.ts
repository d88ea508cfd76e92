import type { Database } from '@sqlite.org/sqlite-wasm';
import type { SearchPage } from '../api';
import { selectRows, verseFields } from './read-package';

/** The maximum length of a query in UTF-16 units. The rest of a longer query is ignored. */
const maxQueryLength = 500;

/**
 * The start of every cursor of a search in a package, which distinguishes it from the API's
 * cursors.
 */
const cursorPrefix = 'package:';

/** Returns whether a cursor, and thus the page that ended with it, came from a package. */
export const isPackageCursor = (cursor: string | undefined): boolean => cursor?.startsWith(cursorPrefix) ?? false;

/** The control characters with which FTS5's `highlight()` marks a match. No verse contains them. */
const matchStart = '\u0002';
const matchEnd = '\u0003';

interface MatchRow {
  bookId: string;
  bookName: string;
  chapter: number;
  verse: number;
  text: string;
  marked: string;
}

interface CountRow {
  bookId: string;
  bookName: string;
  testament: string;
  count: number;
}

export interface PackageSearch {
  readonly query: string;
  /** The maximum number of results on a page. */
  readonly first: number;
  /** The `endCursor` of the previous page. */
  readonly after?: string | undefined;
}

const tables = 'verses_fts JOIN verses ON verses.id = verses_fts.rowid JOIN books ON books.id = book_id';

/**
 * Finds the verses that contain all words of a query, best first. The result is like that of the
 * API's `searchVerses` with `mode: WORDS`. Words in quotation marks have to follow each other. Case
 * and accents do not matter.
 */
export function searchPackage(db: Database, identifier: string, { query, first, after }: PackageSearch): SearchPage {
  const match = toMatchExpression(query);
  const offset = after === undefined ? 0 : Number(after.slice(cursorPrefix.length));
  const byBook = match === '' ? [] : countByBook(db, match);
  const rows = match === '' ? [] : selectMatches(db, match, first, offset);
  const totalCount = sum(byBook);
  const edges = rows.map(({ marked, ...verse }, index) => ({
    cursor: `${cursorPrefix}${offset + index + 1}`,
    similarity: null,
    matchedBy: ['WORDS' as const],
    matches: parseMatches(marked),
    node: { ...verseFields(identifier, verse), translation: { identifier } },
    alsoIn: [],
  }));
  return {
    totalCount,
    mode: 'WORDS',
    suggestion: null,
    correctedQuery: null,
    relaxed: null,
    reference: null,
    edges,
    facets: {
      byBook: byBook.map(({ bookId, bookName, count }) => ({ bookId, bookName, count })),
      byTestament: {
        old: sum(byBook.filter(({ testament }) => testament === 'OT')),
        new: sum(byBook.filter(({ testament }) => testament === 'NT')),
      },
    },
    pageInfo: {
      hasNextPage: offset + edges.length < totalCount,
      hasPreviousPage: offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

const sum = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0);

/**
 * Puts every word and every phrase in quotation marks, so that FTS5 does not read words such as NOT
 * as operators.
 */
function toMatchExpression(query: string): string {
  const terms =
    query
      .slice(0, maxQueryLength)
      .replaceAll('\0', ' ')
      .match(/"[^"]*"|[^\s"]+/g) ?? [];
  return terms
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => (term.startsWith('"') ? term : `"${term}"`))
    .join(' ');
}

const countByBook = (db: Database, match: string): CountRow[] =>
  selectRows(
    db,
    `SELECT code AS bookId, name AS bookName, testament, count(*) AS count FROM ${tables} WHERE verses_fts MATCH ? GROUP BY books.id ORDER BY books.id`,
    [match],
  );

const selectMatches = (db: Database, match: string, first: number, offset: number): MatchRow[] =>
  selectRows(
    db,
    `SELECT code AS bookId, name AS bookName, chapter, verse, verses.text AS text, highlight(verses_fts, 0, ?, ?) AS marked
     FROM ${tables} WHERE verses_fts MATCH ? ORDER BY rank, verses.id LIMIT ? OFFSET ?`,
    [matchStart, matchEnd, match, first, offset],
  );

/**
 * Returns the place of each match in the text without `matchStart` and `matchEnd`, in UTF-16 units.
 */
function parseMatches(marked: string): { start: number; length: number }[] {
  const [before = '', ...parts] = marked.split(matchStart);
  let start = before.length;
  return parts.map((part) => {
    const [word = '', rest = ''] = part.split(matchEnd);
    const match = { start, length: word.length };
    start += word.length + rest.length;
    return match;
  });
}
