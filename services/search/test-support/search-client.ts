import { silentLogger } from '@lectern/serving';
import type { SubgraphResponse } from '@lectern/subgraph';
import { executeInProcess } from '@lectern/subgraph';
import { buildSearchIndex, createSearchSubgraph } from '../src/index';

export interface FoundVerse {
  id: string;
  bookId: string;
  bookName: string;
  chapter: number;
  verse: number;
  text: string;
  reference: string;
}

export interface FoundPage {
  totalCount: number;
  suggestion: string | null;
  edges: { cursor: string; node: FoundVerse; matches: { start: number; length: number }[] }[];
  facets: { byBook: { bookId: string; bookName: string; count: number }[]; byTestament: { old: number; new: number } };
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface PageArguments {
  query: string;
  translation?: string | null;
  books?: string | null;
  testament?: 'OLD' | 'NEW' | null;
  order?: 'RELEVANCE' | 'CANONICAL' | null;
  first?: number | null;
  after?: string | null;
}

/** Building takes seconds, and only where the index is missing or out of date. */
export const buildingMs = 120_000;

const verseFields = 'id bookId bookName chapter verse text reference';
const searchDocument = `query Search($query: String!, $limit: Int, $translation: String, $order: SearchOrder) {
  search(query: $query, limit: $limit, translation: $translation, order: $order) { ${verseFields} }
}`;
const pageDocument = `query Page($query: String!, $translation: String, $books: String, $testament: Testament, $order: SearchOrder, $first: Int, $after: String) {
  searchVerses(query: $query, translation: $translation, books: $books, testament: $testament, order: $order, first: $first, after: $after) {
    totalCount suggestion edges { cursor node { ${verseFields} } matches { start length } }
    facets { byBook { bookId bookName count } byTestament { old new } } pageInfo { hasNextPage endCursor }
  }
}`;

/** The real index, built if need be, and ways to ask it as a gateway does. */
export async function openSearch({ corpusFile, searchFile }: { corpusFile: string; searchFile: string }) {
  await buildSearchIndex({ corpusFile, searchFile: searchFile, log: () => undefined });
  const subgraph = await createSearchSubgraph({ searchFile, semantic: null });
  const execute = executeInProcess(subgraph, silentLogger);
  const ask = async (query: string, variables?: Record<string, unknown>): Promise<SubgraphResponse> =>
    execute({ query, variables });

  const data = async <T>(document: string, variables: object, field: string): Promise<T> => {
    const answer = await ask(document, { ...variables });
    if (answer.errors) throw new Error(answer.errors.map(({ message }) => message).join('; '));
    return answer.data?.[field] as T;
  };
  const page = (asked: PageArguments): Promise<FoundPage> => data<FoundPage>(pageDocument, asked, 'searchVerses');

  return {
    ask,
    page,
    search: (
      query: string,
      options: { translation?: string | null; limit?: number | null; order?: string | null } = {},
    ): Promise<FoundVerse[]> => data<FoundVerse[]>(searchDocument, { query, ...options }, 'search'),

    /** The message and code of the one error that a search is answered with. */
    async pageError(asked: PageArguments): Promise<{ message: string; code: unknown }> {
      const { data: found, errors } = await ask(pageDocument, { ...asked });
      const [error, ...others] = errors ?? [];
      if (!error || others.length > 0 || found?.['searchVerses'] !== null)
        throw new Error(`not one error and null: ${JSON.stringify({ found, errors })}`);
      return { message: error.message, code: error.extensions?.['code'] };
    },

    /** Every verse of a search, page by page. */
    async walk(asked: PageArguments): Promise<FoundPage['edges']> {
      const edges: FoundPage['edges'] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { edges: found, pageInfo }: FoundPage = await page({ first: 100, ...asked, after });
        edges.push(...found);
        ({ endCursor: after, hasNextPage: more } = pageInfo);
      }
      return edges;
    },

    close: () => subgraph.close(),
  };
}

export type OpenSearch = Awaited<ReturnType<typeof openSearch>>;
