import { bookName, firstIndexFrom, ordinalParts, verseOrdinal } from '@lectern/canon';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../context';
import type { OriginalVerse } from '../reader';
import { parsingOfWord, withoutSeams } from '../word-resolvers';
import { type SearchResult, writeCursor } from './search';

export interface Edge {
  readonly verse: OriginalVerse;
  /** The numbers of the matching words. */
  readonly matches: readonly number[];
}

const maxFacets = 100;
const cursorOf = (verse: OriginalVerse): string => writeCursor(verse.text.id, verseOrdinal(verse));
const pageOf = ({ verses, start, limit }: SearchResult): readonly number[] => verses.slice(start, start + limit);

export const searchResolvers = {
  OriginalSearchPage: {
    totalCount: ({ verses }: SearchResult) => verses.length,
    wordCount: ({ matches }: SearchResult) => matches.length,
    edges: (result: SearchResult, _: unknown, { store: { reader } }: RequestContext): Edge[] =>
      pageOf(result).map((number) => {
        const verse = reader.verseAt(number);
        const from = firstIndexFrom(result.matches, verse.firstWord);
        const to = firstIndexFrom(result.matches, verse.firstWord + verse.wordCount);
        return { verse, matches: Array.from(result.matches.subarray(from, to)) };
      }),
    pageInfo(result: SearchResult, _: unknown, { store: { reader } }: RequestContext) {
      const last = pageOf(result).at(-1);
      const hasNextPage = last !== undefined && last !== result.verses.at(-1);
      return { hasNextPage, endCursor: last === undefined ? null : cursorOf(reader.verseAt(last)) };
    },
    facets: (result: SearchResult) => result,
  },
  OriginalSearchEdge: {
    cursor: ({ verse }: Edge) => cursorOf(verse),
    node: ({ verse }: Edge) => verse,
    matches({ verse, matches }: Edge, _: unknown, context: RequestContext, info: GraphQLResolveInfo) {
      context.countWords(matches.length, info);
      return matches.map((number) => context.store.reader.wordAt(verse, number - verse.firstWord + 1));
    },
  },
  OriginalSearchFacets: {
    byBook({ verses }: SearchResult, _: unknown, { store: { reader } }: RequestContext) {
      const counts = new Map<number, number>();
      for (const number of verses) {
        const position = Math.floor(reader.ordinal(number) / 1_000_000);
        counts.set(position, (counts.get(position) ?? 0) + 1);
      }
      return Array.from(counts, ([position, count]) => {
        const book = ordinalParts(position * 1_000_000)?.book ?? 'GEN';
        return { bookId: book, bookName: bookName(book, 'eng'), count };
      });
    },
    byForm: ({ matches }: SearchResult, _: unknown, { store: { reader, search } }: RequestContext) =>
      rankKeys(matches, search.formCount, search.formOf).map(([form, count]) => ({
        form: withoutSeams(reader.forms.spelling(form).surface),
        count,
      })),
    byParsing: ({ matches }: SearchResult, _: unknown, { store: { reader, search } }: RequestContext) =>
      rankKeys(matches, reader.grammars.length, search.parsingOf).map(([parsing, count]) => ({
        parsing: parsingOfWord(reader.grammarOf(parsing)),
        count,
      })),
  },
};

/** The keys of the words with their counts, most frequent first, then by key: at most `maxFacets`. */
function rankKeys(words: Uint32Array, keyCount: number, keyOf: (word: number) => number): [number, number][] {
  // An array is ten times as fast as a map: there may be 400,000 words.
  const counts = new Uint32Array(keyCount);
  for (const word of words) {
    const key = keyOf(word);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  const found: [number, number][] = [];
  let least = 0;
  for (const [key, count] of counts.entries()) {
    if (count <= least) continue;
    const at = found.findIndex(([, other]) => other < count);
    found.splice(at < 0 ? found.length : at, 0, [key, count]);
    if (found.length > maxFacets) found.pop();
    if (found.length === maxFacets) least = found.at(-1)?.[1] ?? 0;
  }
  return found;
}
