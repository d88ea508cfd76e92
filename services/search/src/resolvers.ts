import { parseVerseId, verseId, verseOrdinal } from '@lectern/canon';
import type { Position } from './full-text/cursor';
import type { FullTextSearch, SearchArguments, SearchPage } from './full-text/full-text-search';
import type { SearchOrder } from './full-text/page-collector';
import type { RequestContext } from './request-context';
import type { SemanticSearch } from './semantic/semantic-search';
import type { SearchStore, Verse } from './store';

/** Arguments with a default: a client that sends null means the default. */
type Translated<Args = object> = Args & { translation: string | null };

const defaultTranslation = 'eng-web';
const defaultSemanticTranslation = 'spa-rv1909';

interface Edge {
  hit: Position | undefined;
  node: Verse;
  page: SearchPage;
}

export interface ResolverParts {
  store: SearchStore;
  searches: FullTextSearch;
  semantic: SemanticSearch;
}

export function createResolvers({ store, searches, semantic }: ResolverParts) {
  const edition = ({ translation }: { translation: string | null }) => store.edition(translation ?? defaultTranslation);

  return {
    Query: {
      async search(
        _: unknown,
        args: Translated<{ query: string; limit: number | null; order: SearchOrder | null }>,
        context: RequestContext,
      ) {
        const page = searches.top(edition(args), args.query, args);
        return versesOf(page, context);
      },
      searchVerses: (_: unknown, args: Translated<SearchArguments & { first: number | null }>) =>
        searches.page(edition(args), {
          query: args.query,
          books: args.books ?? null,
          testament: args.testament ?? null,
          order: args.order,
          first: args.first,
          after: args.after ?? null,
        }),
      async semanticSearch(
        _: unknown,
        { query, limit, translation }: Translated<{ query: string; limit: number | null }>,
        context: RequestContext,
      ) {
        const edition = store.edition(translation ?? defaultSemanticTranslation);
        return context.nearVerses(edition, await semantic.search(edition, query, limit));
      },
    },
    Translation: {
      __resolveReference: ({ identifier }: { identifier: string }) => store.editionOrNull(identifier) && { identifier },
      hasEmbeddings: ({ identifier }: { identifier: string }) => semantic.hasEmbeddings(identifier),
    },
    VerseSearchPage: {
      totalCount: (page: SearchPage) => page.total,
      async edges(page: SearchPage, _: unknown, context: RequestContext): Promise<Edge[]> {
        const verses = await versesOf(page, context);
        return verses.map((node, index) => ({ hit: page.hits[index], node, page }));
      },
      facets: (page: SearchPage) => page,
      suggestion: (page: SearchPage) => page.suggestion(),
      pageInfo(page: SearchPage) {
        const last = page.hits.at(-1);
        return { hasNextPage: page.hasNextPage, endCursor: last ? page.cursorOf(last) : null };
      },
    },
    VerseSearchEdge: {
      cursor: ({ hit, page }: Edge) => (hit ? page.cursorOf(hit) : ''),
      matches: ({ node, page }: Edge) => page.spans(node.text),
    },
    SearchFacets: {
      byBook: ({ edition, byBook }: SearchPage) =>
        byBook.map(({ book, count }) => ({ bookId: book.code, bookName: store.bookName(edition, book.code), count })),
      byTestament: ({ byBook }: SearchPage) => ({ old: countIn(byBook, 'OT'), new: countIn(byBook, 'NT') }),
    },
    Verse: {
      __resolveReference: (reference: { id: string }, context: RequestContext) =>
        verseById(store, context, reference.id),
      id: ({ edition: { identifier }, book, chapter, verse }: Verse) =>
        verseId({ translation: identifier, book, chapter, verse }),
      bookId: (verse: Verse) => verse.book,
      bookName: (verse: Verse) => store.bookName(verse.edition, verse.book),
      similar: (verse: Verse, { limit }: { limit: number | null }, context: RequestContext) =>
        context.similar(verse, limit),
      reference: (verse: Verse) => `${store.bookName(verse.edition, verse.book)} ${verse.chapter}:${verse.verse}`,
    },
  };
}

const versesOf = ({ edition, hits }: SearchPage, context: RequestContext): Promise<Verse[]> =>
  context.foundVerses(
    edition,
    hits.map(({ ordinal }) => ordinal),
  );

const countIn = (byBook: SearchPage['byBook'], testament: string): number =>
  byBook.reduce((sum, { book, count }) => (book.testament === testament ? sum + count : sum), 0);

async function verseById(store: SearchStore, context: RequestContext, id: string): Promise<Verse | null> {
  const parts = parseVerseId(id);
  const edition = parts && store.editionOrNull(parts.translation);
  if (!edition) return null;
  const [verse] = await context.verses(edition, [verseOrdinal(parts)]);
  return verse ?? null;
}
