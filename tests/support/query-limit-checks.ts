import type { GraphqlClient } from '@lectern/testing';
import { graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from './embedded-lectern';

export const repeat = (times: number, make: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => make(index)).join(' ');

/** Resolves with the cost of a query, which the gateway reports for `Lectern-Report: cost`. */
export async function costOf({ url, token }: EmbeddedLectern, query: string): Promise<number> {
  const { json } = await send(url, {
    headers: [...graphqlHeaders(token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query }),
  });
  return (json() as { extensions: { cost: { complexity: number } } }).extensions.cost.complexity;
}

/**
 * Creates functions that check limits. `client` is a function, because the client does not exist
 * before its service has started.
 */
export function createLimitChecks(client: () => GraphqlClient) {
  /** Sends a query. Resolves with the errors of the response, each as `CODE: message`. */
  const errorsOf = async (query: string, variables?: Record<string, unknown>, operationName?: string) => {
    const { errors = [] } = await client()(query, variables, operationName);
    return errors.map(({ message, extensions }) => `${String(extensions?.['code'])}: ${message}`);
  };
  return {
    errorsOf,
    /** Sends a query and expects a response without errors. */
    passes: async (query: string, variables?: Record<string, unknown>, operationName?: string) =>
      expect(await errorsOf(query, variables, operationName)).toEqual([]),
  };
}
