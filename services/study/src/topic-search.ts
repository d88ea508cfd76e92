import { errors } from '@lectern/errors';
import { tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { Topic } from './reader';

/** Writes the cursor of the topic at a position in the list of a query, from 0. */
export const writeCursor = (position: number): string => Buffer.from(`t${position}`, 'latin1').toString('base64url');

/** Reads a cursor of `writeCursor`, which may end with padding (`=`). Null for any other text. */
function parseCursor(cursor: string): number | null {
  if (cursor.length > 24) return null;
  const unpadded = cursor.replace(/={1,2}$/, '');
  const position = /^t(\d{1,6})$/.exec(Buffer.from(unpadded, 'base64url').toString('latin1'))?.[1];
  return position !== undefined && writeCursor(Number(position)) === unpadded ? Number(position) : null;
}

/** The arguments of a client. Null means that the client left the argument out. */
export interface TopicArguments {
  readonly query?: string | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

export interface TopicPage {
  readonly totalCount: number;
  /** The position of the page's first topic in the list, from 0. */
  readonly start: number;
  readonly topics: readonly Topic[];
}

export const maxQueryLength = 200;
const defaultFirst = 20;
const maxFirst = 100;
/** The user may still type the last word, so it matches longer words too, from 3 characters on. */
const minPrefixLength = 3;

/** `topics` are all topics in alphabetical order. The search throws `tooLong`, `invalidCursor`. */
export function createTopicSearch(db: Database, topics: readonly Topic[]) {
  const count = db.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM topic_words WHERE topic_words MATCH ?',
  );
  // bm25 weighs a match in the name of a topic ten times as much as a match in a heading.
  const select = db.prepare<[string, string, number, number], { number: number }>(
    `SELECT topic_words.rowid AS number FROM topic_words JOIN topic ON topic.number = topic_words.rowid
     WHERE topic_words MATCH ? ORDER BY topic.folded_name = ? DESC, bm25(topic_words, 10, 1), topic.number LIMIT ? OFFSET ?`,
  );
  return ({ query, first, after }: TopicArguments): TopicPage => {
    const text = query ?? '';
    if ([...text].length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
    const limit = Math.min(Math.max(first ?? defaultFirst, 1), maxFirst);
    const position = after ? parseCursor(after) : -1;
    if (position === null) throw errors.invalidCursor();
    const start = position + 1;
    if (text.trim() === '') return { totalCount: topics.length, start, topics: topics.slice(start, start + limit) };
    const words = tokenize(text).map(({ folded }) => folded);
    if (words.length === 0) return { totalCount: 0, start, topics: [] };
    const match = matchExpression(words);
    const found = select.all(match, words.join(' '), limit, start);
    return {
      totalCount: count.get(match)?.count ?? 0,
      start,
      topics: found.flatMap(({ number }) => topics[number - 1] ?? []),
    };
  };
}

/**
 * Returns a query of SQLite FTS5 that matches topics with all words, the last one as a prefix. Each
 * word stands in quotation marks, so FTS5 reads no word as an operator.
 */
function matchExpression(words: readonly string[]): string {
  const isPrefix = [...(words.at(-1) ?? '')].length >= minPrefixLength;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')}${isPrefix ? '*' : ''}`;
}
