import type { GraphqlClient } from '@lectern/testing';

/** Joins the texts that `make` returns for the indexes from 0, separated by spaces. */
export const repeat = (times: number, make: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => make(index)).join(' ');

/** Creates the checks of a test file on query limits. `client` returns the client when the service has started. */
export function createLimitChecks(client: () => GraphqlClient) {
  /** Resolves with the errors of the response, each as `CODE: message`. */
  const errorsOf = async (query: string, variables?: Record<string, unknown>, operationName?: string) => {
    const { errors = [] } = await client()(query, variables, operationName);
    return errors.map(({ message, extensions }) => `${String(extensions?.['code'])}: ${message}`);
  };
  return {
    errorsOf,
    /** Expects that the response has no errors. */
    passes: async (query: string, variables?: Record<string, unknown>, operationName?: string) =>
      expect(await errorsOf(query, variables, operationName)).toEqual([]),
  };
}
