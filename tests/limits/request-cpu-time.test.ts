import { graphqlHeaders, send } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

/** The selections of a query that needs more than 10 ms of CPU time. */
const fields = Array.from(
  { length: 27 },
  (_, index) => `a${index}: searchVerses(query: "the and of to in that he", first: 1) { totalCount }`,
);

test.each(['auto', 'standard'] as const)(
  'with EXECUTION_STRATEGY=%s, the last field of a request that exceeds REQUEST_CPU_MS is null with REQUEST_TOO_EXPENSIVE, and the request counts against the quota',
  async (executionStrategy) => {
    const lectern = await startEmbeddedLectern({
      executionStrategy,
      requestCpuMs: 10,
      limits: { tokens: 5_000, depth: 15, complexity: 10_000 },
      rates: { perMinute: 0, keyPerMinute: 0, perDay: 10, keyRequestsPerHour: 0 },
    });
    try {
      const { status, headers, text } = await send(lectern.url, {
        headers: graphqlHeaders(lectern.token),
        body: JSON.stringify({ query: `{ ${fields.join(' ')} }` }),
      });
      const { data, errors } = JSON.parse(text) as {
        data: Record<string, unknown>;
        errors: { path: string[]; message: string; extensions: { code: string } }[];
      };
      expect(status).toBe(200);
      expect(data['a26']).toBeNull();
      expect(errors.at(-1)).toEqual(
        expect.objectContaining({
          path: ['a26'],
          message: 'The request needs more than 10 ms of computing time; ask for fewer fields, or less at once',
          extensions: { code: 'REQUEST_TOO_EXPENSIVE' },
        }),
      );
      expect(headers['ratelimit']).toMatch(/^"key";r=9;/);
    } finally {
      await lectern.close();
    }
  },
);
