import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { dataDir } from '@lectern/testing';
import { buildSearchIndex, createSearchSubgraph } from '../src/index';

export interface VerseData {
  id: string;
  bookId: string;
  bookName: string;
  chapter: number;
  verse: number;
  text: string;
  reference: string;
}

export interface PageData {
  totalCount: number;
  suggestion: string | null;
  correctedQuery: string | null;
  relaxed: string[] | null;
  reference: string | null;
  edges: {
    cursor: string;
    node: VerseData;
    alsoIn: { id: string; reference: string }[];
    matches: { start: number; length: number }[];
  }[];
  facets: { byBook: { bookId: string; bookName: string; count: number }[]; byTestament: { old: number; new: number } };
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

export interface PageArguments {
  query: string;
  translation?: string | null;
  translations?: readonly string[] | null;
  books?: string | null;
  testament?: 'OLD' | 'NEW' | null;
  prefix?: boolean | null;
  order?: 'RELEVANCE' | 'CANONICAL' | null;
  first?: number | null;
  after?: string | null;
}

const verseFields = 'id bookId bookName chapter verse text reference';
const searchDocument = `query Search($query: String!, $limit: Int, $translation: String, $order: SearchOrder) {
  search(query: $query, limit: $limit, translation: $translation, order: $order) { ${verseFields} }
}`;
const pageDocument = `query Page($query: String!, $translation: String, $translations: [String!], $books: String, $testament: Testament, $prefix: Boolean, $order: SearchOrder, $first: Int, $after: String) {
  searchVerses(query: $query, translation: $translation, translations: $translations, books: $books, testament: $testament, prefix: $prefix, order: $order, first: $first, after: $after) {
    totalCount suggestion correctedQuery relaxed reference edges { cursor node { ${verseFields} } alsoIn { id reference } matches { start length } }
    facets { byBook { bookId bookName count } byTestament { old new } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/** Opens the search subgraph without semantic search; builds its index first if necessary. */
export async function openSearchClient() {
  await buildSearchIndex({ dataDir, log: () => undefined });
  // The scheduler pauses requests that take long. Its clock stands still here, so that no request
  // pauses between its reads on a slow machine.
  const scheduler = createWorkScheduler({ now: () => 0 });
  const subgraph = await createSearchSubgraph({ dataDir, semantic: null, scheduler });
  const executeRequest = executeInProcess(subgraph, silentLogger);
  const execute = async (query: string, variables?: Record<string, unknown>) => executeRequest({ query, variables });

  const queryField = async <T>(document: string, variables: object, field: string): Promise<T> => {
    const response = await execute(document, { ...variables });
    if (response.errors) throw new Error(response.errors.map(({ message }) => message).join('; '));
    return response.data?.[field] as T;
  };
  const page = (args: PageArguments): Promise<PageData> => queryField<PageData>(pageDocument, args, 'searchVerses');

  return {
    execute,

    /** Executes `searchVerses`. Rejects if the response has errors. */
    page,

    /** Executes `search`. Rejects if the response has errors. */
    search: (
      query: string,
      options: { translation?: string | null; limit?: number | null; order?: string | null } = {},
    ): Promise<VerseData[]> => queryField<VerseData[]>(searchDocument, { query, ...options }, 'search'),

    /** Executes `searchVerses` and returns its error. Rejects if there is not exactly one error. */
    async pageError(args: PageArguments): Promise<{ message: string; code: unknown }> {
      const { data, errors } = await execute(pageDocument, { ...args });
      const [error, ...others] = errors ?? [];
      if (!error || others.length > 0 || data?.['searchVerses'] !== null)
        throw new Error(`Expected one error and null: ${JSON.stringify({ data, errors })}`);
      return { message: error.message, code: error.extensions?.['code'] };
    },

    /** Follows the cursors and returns the edges of all pages. */
    async allEdges(args: PageArguments): Promise<PageData['edges']> {
      const edges: PageData['edges'] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { edges: pageEdges, pageInfo }: PageData = await page({ first: 100, ...args, after });
        edges.push(...pageEdges);
        ({ endCursor: after, hasNextPage: more } = pageInfo);
      }
      return edges;
    },

    close: () => subgraph.close(),
  };
}

export type SearchClient = Awaited<ReturnType<typeof openSearchClient>>;
