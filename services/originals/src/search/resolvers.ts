import { bookName, firstIndexFrom, placeOf, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { GraphQLResolveInfo } from 'graphql';
import { type AlignedVerse, wordsThatRender } from '../alignment/aligned-verses';
import { renderingOf } from '../alignment/interlinear';
import type { RequestContext } from '../context';
import type { OriginalVerse } from '../reader';
import { parsingOfWord, withoutSeams } from '../word-resolvers';
import { type SearchResult, writeCursor } from './search';

export interface Edge {
  readonly verse: OriginalVerse;
  /** The numbers of the matching words. */
  readonly matches: readonly number[];
  readonly matchesQere: boolean;
}

const maxFacets = 100;
/** The maximum number of verses for the counts of renderings. Aligning so many takes about 50 ms. */
const maxRenderedVerses = 300;
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
        const matches = Array.from(result.matches.subarray(from, to));
        return { verse, matches, matchesQere: matches.some((word) => !result.isWritten(word)) };
      }),
    pageInfo(result: SearchResult, _: unknown, { store: { reader } }: RequestContext) {
      const page = pageOf(result);
      const cursorAt = (number: number | undefined) => (number === undefined ? null : cursorOf(reader.verseAt(number)));
      return {
        hasNextPage: page.length > 0 && page.at(-1) !== result.verses.at(-1),
        hasPreviousPage: result.start > 0,
        startCursor: cursorAt(page.at(0)),
        endCursor: cursorAt(page.at(-1)),
      };
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
        const { book } = placeOf(position * 1_000_000);
        return { bookId: book, bookName: bookName(book, 'eng'), count };
      });
    },
    byForm: ({ matches }: SearchResult, _: unknown, { store: { reader } }: RequestContext) =>
      rankKeys(matches, reader.columns.form, reader.forms.count + 1).map(([form, count]) => ({
        form: withoutSeams(reader.forms.spelling(form).surface),
        count,
      })),
    byParsing: ({ matches }: SearchResult, _: unknown, { store: { reader } }: RequestContext) =>
      rankKeys(matches, reader.columns.parsing, reader.grammars.length).map(([parsing, count]) => ({
        parsing: parsingOfWord(reader.grammarOf(parsing)),
        count,
      })),
    async byRendering(result: SearchResult, { translation }: { translation: string }, context: RequestContext) {
      const { reader } = context.store;
      if (result.verses.length > maxRenderedVerses)
        throw errors.badUserInput(
          `byRendering counts the words of at most ${maxRenderedVerses} verses, and this search finds ${result.verses.length}; name books, or more words`,
        );
      const aligned = await Promise.all(
        result.verses.map((number) => context.versesThatRender(reader.verseAt(number), translation)),
      );
      return context.work.runInSteps(countRenderings(result, translation, aligned));
    },
  },
};

/** Counts how the verses of a translation render the matching words. Yields after each verse. */
function* countRenderings(
  { matches }: SearchResult,
  translation: string,
  aligned: readonly (readonly AlignedVerse[] | null)[],
): Generator<void, { rendering: string; count: number }[]> {
  const wanted = new Set(matches);
  const spellings = new Map<string, number>();
  for (const verses of aligned) {
    if (!verses) throw errors.translationNotFound(translation);
    const counted = new Set<number>();
    for (const verse of verses)
      for (const word of verse.originals) {
        if (!wanted.has(word.number) || counted.has(word.number)) continue;
        const rendering = renderingOf({ verse, originals: [word], words: wordsThatRender(verse, word) });
        if (rendering === null) continue;
        counted.add(word.number);
        spellings.set(rendering, (spellings.get(rendering) ?? 0) + 1);
      }
    yield;
  }
  // Spellings that differ only in capitals are counted together, under the most frequent of them.
  const renderings = new Map<string, { rendering: string; count: number }>();
  for (const [rendering, count] of [...spellings].sort((a, b) => b[1] - a[1])) {
    const key = rendering.toLowerCase();
    const same = renderings.get(key);
    if (same) same.count += count;
    else renderings.set(key, { rendering, count });
  }
  return [...renderings.values()].sort((a, b) => b.count - a.count).slice(0, maxFacets);
}

/** Counts words by key. Returns at most `maxFacets` keys and counts, the most frequent first, equal counts by key. */
function rankKeys(words: Uint32Array, keys: Uint32Array | Uint16Array, keyCount: number): [number, number][] {
  // The counts are in an array, which is ten times as fast as a map for up to 400,000 words.
  const counts = new Uint32Array(keyCount);
  for (let index = 0; index < words.length; index += 1) {
    const key = keys[(words[index] ?? 0) - 1] ?? 0;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  let found: [number, number][] = [];
  let least = 0;
  for (let key = 0; key < keyCount; key += 1) {
    const count = counts[key] ?? 0;
    if (count <= least) continue;
    found.push([key, count]);
    if (found.length < 10 * maxFacets) continue;
    found = firstOf(found);
    least = found.at(-1)?.[1] ?? 0;
  }
  return firstOf(found);
}

/** Returns the pairs with the largest counts. The sort is stable, so pairs with equal counts stay in order. */
const firstOf = (counts: [number, number][]): [number, number][] =>
  counts.sort((a, b) => b[1] - a[1]).slice(0, maxFacets);
