import { type BookCode, verseId } from '@lectern/canon';
import type { GraphQLFormattedError } from 'graphql';

interface Response {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[] | undefined;
}

/** Returns the id of a verse such as "eng-web GEN 1:1". */
export function idOf(place: string): string {
  const [, translation = '', book = '', chapter, verse] = /^(\S+) (\S+) (\d+):(\d+)$/.exec(place) ?? [];
  return verseId({ translation, book: book as BookCode, chapter: Number(chapter), verse: Number(verse) });
}

/** Returns functions that send queries to a subgraph and read the responses. */
export function createSubgraphQueries(
  execute: (query: string, variables?: Record<string, unknown>) => Promise<Response> | Response,
) {
  /** Resolves with the data of a query. Rejects if the response has errors. */
  async function data<Data>(query: string, variables?: Record<string, unknown>): Promise<Data> {
    const response = await execute(query, variables);
    if (response.errors) throw new Error(`the response has errors: ${JSON.stringify(response.errors)}`);
    return response.data as Data;
  }
  return {
    data,

    /** Resolves with the message and the code of the first error. */
    async error(query: string, variables?: Record<string, unknown>): Promise<[string | undefined, unknown]> {
      const { errors } = await execute(query, variables);
      return [errors?.[0]?.message, errors?.[0]?.extensions?.['code']];
    },

    /** Selects fields of verses such as "eng-web GEN 1:1" through `_entities`, as a gateway does. */
    async verses<Verse>(selection: string, places: readonly string[]): Promise<(Verse | null)[]> {
      const representations = places.map((place) => ({ __typename: 'Verse', id: idOf(place) }));
      const query = `query ($representations: [_Any!]!) { verses: _entities(representations: $representations) { ... on Verse { ${selection} } } }`;
      const { verses } = await data<{ verses: (Verse | null)[] }>(query, { representations });
      return verses;
    },
  };
}
