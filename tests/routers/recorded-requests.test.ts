import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listening } from '@lectern/serving';
import { send, useStarted } from '@lectern/testing';
import { serveSubgraphs } from './serve-subgraphs';

/**
 * The requests that one router sends to the subgraphs. Most routers were recorded with the same
 * operations. docs/other-routers.md says how.
 */
interface RecordedRouter {
  readonly router: string;
  readonly version: string;
  /** `recorded`, or what the requests were written from if the router itself was not run. */
  readonly source: string;
  readonly headers: readonly string[];
  /** The encoding of the bodies in the JSON file, for bodies that are not text. */
  readonly encoding?: 'base64';
  readonly requests: readonly { readonly subgraph: string; readonly body: string }[];
}

const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded-requests.json'), 'utf8')) as RecordedRouter[];

const served = useStarted(serveSubgraphs);

const post = async ({ port }: Listening, headers: readonly string[], body: Buffer) => {
  const response = await send(`http://127.0.0.1:${port}/graphql`, { headers, body });
  // Ignores the locations of errors: Lectern's own execution reports none, and Apollo Server does.
  const parsed = JSON.parse(response.text, (key, value: unknown) =>
    key === 'locations' ? undefined : value,
  ) as object;
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = response.headers;
  return { status: response.status, type, coding, parsed };
};

test.each(recorded)(
  'a subgraph answers the recorded requests of $router $version ($source) as Apollo Server, except for locations',
  async ({ headers, encoding, requests }) => {
    for (const { subgraph: name, body } of requests) {
      const subgraph = served.subgraphs.find((each) => each.name === name);
      if (!subgraph) throw new Error(`the recording names the unknown subgraph ${name}`);
      const bytes = Buffer.from(body, encoding ?? 'utf8');
      const before = await subgraph.countRequests();
      const response = await post(subgraph.compiled, headers, bytes);
      expect(await subgraph.countRequests()).toEqual({ ...before, compiled: before.compiled + 1 });
      expect(response).toEqual(await post(subgraph.apollo, headers, bytes));
      expect(response).toMatchObject({ status: 200, coding: 'identity', parsed: { data: expect.any(Object) } });
    }
  },
);
