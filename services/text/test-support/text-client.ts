import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import type { TextOptions } from '../src/subgraph';
import { createTextSubgraph } from '../src/subgraph';

/** The type `never` fits any type, so each test declares the type of the fields that it selects. */
type Data = Record<string, never>;

/** Opens the text subgraph and returns functions that execute operations in this process. */
export function openTextClient(options: TextOptions) {
  // The clock of the scheduler stands still, so that no request pauses between its reads on a slow
  // machine.
  const subgraph = createTextSubgraph({ scheduler: createWorkScheduler({ now: () => 0 }), ...options });
  const execute = executeInProcess(subgraph, silentLogger);
  return {
    execute,
    /** Rejects if the response has errors. */
    queryData: async (query: string, variables?: Record<string, unknown>): Promise<Data> => {
      const response = await execute({ query, variables });
      if (response.errors) throw new Error(response.errors.map(({ message }) => message).join('; '));
      return JSON.parse(JSON.stringify(response.data)) as Data;
    },
    queryErrors: async (query: string, variables?: Record<string, unknown>) => {
      const { errors = [] } = await execute({ query, variables });
      return errors.map(({ message, extensions, path }) => ({
        message,
        code: extensions?.['code'],
        path: path?.join('.'),
      }));
    },
    close: () => subgraph.close(),
  };
}
