import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createSearchSubgraph } from '@lectern/search';
import type { Listening, WorkContext } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { createStudySubgraph } from '@lectern/study';
import type { Subgraph } from '@lectern/subgraph';
import { serveSubgraph } from '@lectern/subgraph';
import { createMetrics } from '@lectern/telemetry';
import { dataDir, metricValue, send } from '@lectern/testing';
import { createTextSubgraph } from '@lectern/text';

/** The requests that one router sent to the subgraphs for the same operations. docs/routers.md names the operations. */
interface RecordedRouter {
  readonly router: string;
  readonly version: string;
  readonly source: string;
  readonly headers: readonly string[];
  readonly encoding?: 'base64';
  readonly requests: readonly { readonly subgraph: string; readonly body: string }[];
}

const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded-requests.json'), 'utf8')) as RecordedRouter[];

/** Each subgraph, with the compiled execution and with Apollo Server. */
const served = new Map<
  string,
  { compiled: Listening; apollo: Listening; countCompiledRequests: () => Promise<number> }
>();

beforeAll(async () => {
  const options = { host: '127.0.0.1', port: 0, secrets: '', log: silentLogger };
  const serve = async <Context extends WorkContext>(subgraph: Subgraph<Context>) => {
    const metrics = createMetrics({ service: subgraph.name });
    const countCompiledRequests = async () =>
      metricValue(await metrics.text(), 'lectern_subgraph_requests_total', 'execution="compiled"');
    const compiled = await serveSubgraph(subgraph, { ...options, metrics });
    const apollo = await serveSubgraph({ ...subgraph, close: () => {} }, { ...options, direct: false });
    served.set(subgraph.name, { compiled, apollo, countCompiledRequests });
  };
  await serve(createTextSubgraph({ dataDir, preloadParser: false }));
  await serve(await createSearchSubgraph({ dataDir, semantic: null, preloadParser: false }));
  await serve(createConcordanceSubgraph({ dataDir }));
  await serve(createStudySubgraph({ dataDir }));
});
afterAll(async () => {
  for (const { compiled, apollo } of served.values()) {
    await apollo.close({ graceMs: 0 });
    await compiled.close({ graceMs: 0 });
  }
});

const answer = async ({ port }: Listening, headers: readonly string[], body: Buffer) => {
  const response = await send(`http://127.0.0.1:${port}/graphql`, { headers, body });
  // A parsed syntax tree of the compiled execution has no locations.
  const parsed = JSON.parse(response.text, (key, value: unknown) =>
    key === 'locations' ? undefined : value,
  ) as object;
  return { status: response.status, type: response.headers['content-type'], parsed };
};

test.each(recorded)(
  'a subgraph executes the requests of $router $version ($source) without Apollo Server, and responds as Apollo Server does',
  async ({ headers, encoding, requests }) => {
    for (const { subgraph, body } of requests) {
      const services = served.get(subgraph);
      if (!services) throw new Error(`the recording names the unknown subgraph ${subgraph}`);
      const { compiled, apollo, countCompiledRequests } = services;
      const bytes = Buffer.from(body, encoding ?? 'utf8');
      const before = await countCompiledRequests();
      const response = await answer(compiled, headers, bytes);
      expect((await countCompiledRequests()) - before).toBe(1);
      expect(response).toEqual(await answer(apollo, headers, bytes));
      expect(response).toMatchObject({ status: 200, parsed: { data: expect.any(Object) } });
    }
  },
);
