import { errors } from '@lectern/errors';
import { type Page, type PageArguments, readPage } from '@lectern/subgraph';
import { tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { Topic } from './reader';

export interface TopicArguments extends PageArguments {
  readonly query?: string | null;
}

export const maxQueryLength = 200;
/**
 * The last word of a query also matches longer words, because the user may still be typing it. This is its minimum
 * length.
 */
const minPrefixLength = 3;

/**
 * Creates the search for topics. `topics` must be all topics in alphabetical order. The search throws `tooLong` or
 * `invalidCursor`.
 */
export function createTopicSearch(db: Database, topics: readonly Topic[]) {
  const count = db.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM topic_words WHERE topic_words MATCH ?',
  );
  // In bm25, a match in the name of a topic has ten times the weight of a match in a heading.
  const select = db.prepare<[string, string, number, number], { number: number }>(
    `SELECT topic_words.rowid AS number FROM topic_words JOIN topic ON topic.number = topic_words.rowid
     WHERE topic_words MATCH ? ORDER BY topic.folded_name = ? DESC, bm25(topic_words, 10, 1), topic.number LIMIT ? OFFSET ?`,
  );
  return ({ query, first, after }: TopicArguments): Page<Topic> => {
    const text = query ?? '';
    if ([...text].length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
    const { start, limit } = readPage({ first, after });
    if (text.trim() === '') return { totalCount: topics.length, start, nodes: topics.slice(start, start + limit) };
    const words = tokenize(text).map(({ folded }) => folded);
    if (words.length === 0) return { totalCount: 0, start, nodes: [] };
    const match = matchExpression(words);
    const found = select.all(match, words.join(' '), limit, start);
    return {
      totalCount: count.get(match)?.count ?? 0,
      start,
      nodes: found.flatMap(({ number }) => topics[number - 1] ?? []),
    };
  };
}

/**
 * Returns the FTS5 expression that requires all words, and matches the last one as a prefix. All words are in
 * quotation marks, so that none is read as an operator.
 */
function matchExpression(words: readonly string[]): string {
  const isPrefix = [...(words.at(-1) ?? '')].length >= minPrefixLength;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')}${isPrefix ? '*' : ''}`;
}
