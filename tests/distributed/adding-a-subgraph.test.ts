import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, sendReady, useStarted } from '@lectern/testing';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames, supergraphConfig } from '../support/supergraph-yaml';

const processes = useStarted(openProcesses);
const scripts = startScriptRunner();
afterAll(() => scripts.close());

const addedSubgraph = 'study';
const otherSubgraphs = subgraphNames.filter((name) => name !== addedSubgraph);

/**
 * Composes a supergraph of the subgraphs in `urls`, and replaces the file that the gateway reads.
 */
async function writeSupergraph(file: string, urls: Readonly<Record<string, string>>): Promise<void> {
  const config = join(processes.folder, 'supergraph.yaml');
  writeFileSync(config, supergraphConfig(urls));
  const composed = await scripts.run(processes.folder, 'compose-supergraph.mjs', [
    '--config',
    config,
    '--out',
    `${file}.part`,
  ]);
  expect(composed).toMatchObject({ status: 0 });
  renameSync(`${file}.part`, file);
}

const loadQueries = [
  '{ verse(book: "John", chapter: 11, verse: 35, translation: "eng-kjv") { text words { text } } }',
  '{ search(query: "wept", translation: "eng-kjv", limit: 2) { reference chapter text } }',
  '{ concordance(translation: "eng-kjv", word: "wept", first: 2) { totalCount edges { node { verse { inTranslation(identifier: "eng-web") { text } } } } } }',
];

test('a gateway adds a new subgraph with its supergraph file, fails no request, and reports what SUBGRAPH_URLS lacks', async () => {
  const origins = await processes.serveSubgraphs(otherSubgraphs);
  const urls = Object.fromEntries(Object.entries(origins).map(([name, [origin]]) => [name, `${origin}/graphql`]));
  const supergraph = join(processes.folder, 'supergraph.graphql');
  await writeSupergraph(supergraph, urls);
  const { gateway, client } = await processes.serveGateway(origins, {
    SUPERGRAPH: supergraph,
    SUPERGRAPH_POLL_MS: '50',
  });
  const readiness = async () => (await sendReady(gateway.origin)).json();
  const topics = () =>
    client('{ verse(book: "John", chapter: 11, verse: 35) { topics(first: 1) { topic { name } } } }');
  expect(await readiness()).toEqual({ status: 'ready' });
  expect(await topics()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });

  const responses = loadQueries.map((): string[] => []);
  const stopRequests = repeatRequests(
    loadQueries.map((query, index) => async () => responses[index]?.push(JSON.stringify(await client(query)))),
  );
  const enough = async () => {
    const counts = responses.map(({ length }) => length + 5);
    await waitUntil(() => responses.every(({ length }, index) => length >= (counts[index] ?? 0)));
  };
  await enough();
  const port = await freePort();
  await processes.serveSubgraph(addedSubgraph, { port });
  await enough();
  await writeSupergraph(supergraph, { ...urls, [addedSubgraph]: `http://127.0.0.1:${port}/graphql` });
  await waitUntil(async () => !('errors' in (await topics())));
  await enough();
  await stopRequests();

  for (const received of responses) {
    expect(new Set(received)).toEqual(new Set([received[0]]));
    expect(received[0]).not.toContain('"errors"');
  }
  expect(await topics()).toEqual({ data: { verse: { topics: [{ topic: { name: expect.any(String) } }] } } });
  expect(await readiness()).toEqual({ status: 'ready', notInSubgraphUrls: [addedSubgraph] });
  expect(gateway.output().match(/"notInSubgraphUrls":\["study"\].*SUBGRAPH_URLS does not name these/g)).toHaveLength(1);
});
