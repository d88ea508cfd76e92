import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import type { TextOptions } from '../src/subgraph';
import { createTextSubgraph } from '../src/subgraph';

/** What a test reads is whatever it asked for; the schema's types are the schema's own tests. */
type Data = Record<string, never>;

/** The subgraph, asked as a gateway asks it. */
export function openText(options: TextOptions) {
  const subgraph = createTextSubgraph(options);
  const ask = executeInProcess(subgraph, silentLogger);
  return {
    ask,
    /** Throws when there are errors beside it. */
    data: async (query: string, variables?: Record<string, unknown>): Promise<Data> => {
      const answer = await ask({ query, variables });
      if (answer.errors) throw new Error(answer.errors.map(({ message }) => message).join('; '));
      return JSON.parse(JSON.stringify(answer.data)) as Data;
    },
    fault: async (query: string, variables?: Record<string, unknown>) => {
      const { errors = [] } = await ask({ query, variables });
      return errors.map(({ message, extensions, path }) => ({
        message,
        code: extensions?.['code'],
        at: path?.join('.'),
      }));
    },
    close: () => subgraph.close(),
  };
}
