import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { GraphqlClient, GraphqlResponse, StartedProcess } from '@lectern/testing';
import { dataDir, repositoryRoot, sendReady, withFolder } from '@lectern/testing';
import type { SchemaTree } from '../composition/check-schema-fixture';
import { allowedBreaksFile, textSchema, withSchemaTree } from '../composition/check-schema-fixture';
import { unavailableAt } from '../support/fake-subgraph';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';
import type { SchemaRegistry } from '../support/schema-registry';
import { registryKey, startSchemaRegistry } from '../support/schema-registry';
import { startScriptRunner } from '../support/script-runner';
import type { ServiceInProcess } from '../support/services-in-process';
import { subgraphNames } from '../support/supergraph-yaml';

/*
 * The steps of "Rolling out a new version" in docs/subgraphs.md with real processes: the text subgraph gets the field
 * `Query.readingTip`, clients use the field, and the field is removed again. Two replicas of the
 * text subgraph are replaced one by one.
 */

const page = readFileSync(join(repositoryRoot, 'docs/subgraphs.md'), 'utf8');
const addedSdl = /```graphql\ntype Query \{\n([^]*?)\n\}\n```/.exec(page)?.[1] ?? '';
const typeQuery = 'type Query {\n';
const tip = 'Begin with the Gospel of Mark.';

const replaceOnce = (text: string, from: string, to: string): string => {
  if (text.split(from).length !== 2) throw new Error(`the text does not contain ${JSON.stringify(from)} once`);
  return text.replace(from, to);
};

/**
 * Copies the compiled text subgraph into the folder, and adds the field `readingTip` to the schema
 * and the resolvers of the copy.
 */
function createNewVersion(folder: string): void {
  const service = join(folder, 'services/text');
  mkdirSync(service, { recursive: true });
  for (const name of ['dist', 'package.json', 'schema.graphql', 'verse-of-the-day.tsv'])
    cpSync(join(repositoryRoot, 'services/text', name), join(service, name), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  const edit = (file: string, from: string, to: string) => {
    const path = join(service, file);
    writeFileSync(path, replaceOnce(readFileSync(path, 'utf8'), from, to));
  };
  edit('schema.graphql', typeQuery, `${typeQuery}${addedSdl}\n\n`);
  edit(
    'dist/resolvers.js',
    'Query: queryResolvers(parts),',
    `Query: { ...queryResolvers(parts), readingTip: () => ${JSON.stringify(tip)} },`,
  );
}

/**
 * Operations without the new field: one on the text subgraph alone, and one on the search subgraph
 * and then on the text subgraph.
 */
const oldQueries = [
  '{ verse(book: "JHN", chapter: 3, verse: 16) { reference text } }',
  '{ search(query: "mercy", limit: 3) { reference inTranslation(identifier: "spa-rv1909") { reference text } } }',
];
const newQueries = ['{ readingTip }', `{ readingTip ${oldQueries[1]?.slice(2, -2)} }`];
const minResponses = 60;
const closedPort = 'http://127.0.0.1:9';

let processes: TestProcesses;
let registry: SchemaRegistry;
let gateway: ServiceInProcess;
let client: GraphqlClient;
const replicas: StartedProcess[] = [];
const runner = startScriptRunner();

const startReplica = (folder: string, env: Record<string, string> = {}) =>
  processes.start(relative(repositoryRoot, join(folder, 'services/text/dist/main.js')), {
    LECTERN_DATA: dataDir,
    LOG_LEVEL: 'warn',
    ...env,
  });

/** Stops a replica of the text subgraph, and starts the version in `folder` on the same port. */
async function replaceReplica(index: number, folder: string): Promise<void> {
  const old = replicas[index];
  if (!old) throw new Error(`there is no replica ${index}`);
  await processes.stop(old, 'SIGTERM');
  replicas[index] = await startReplica(folder, { PORT: String(old.port) });
}

/**
 * Publishes the schemas of these subgraphs, by default of the text subgraph. Resolves when the
 * gateway serves the new supergraph.
 */
async function publish(tree: SchemaTree, names: readonly string[] = ['text']): Promise<void> {
  const args = [...names, '--registry', registry.folder];
  expect(await tree.script('publish-schema.mjs', args)).toMatchObject({ status: 0 });
  if (!gateway) return;
  const digest = createHash('sha256')
    .update(registry.read('supergraph.graphql') ?? '')
    .digest('hex')
    .slice(0, 12);
  await waitUntil(async () => {
    const { text } = await sendReady(gateway.origin, '?verbose');
    return (JSON.parse(text) as { supergraph: { sha256: string } }).supergraph.sha256 === digest;
  });
}

beforeAll(async () => {
  processes = await openProcesses();
  registry = await startSchemaRegistry();
  replicas.push(...(await Promise.all([startReplica(repositoryRoot), startReplica(repositoryRoot)])));
  const { search = [] } = await processes.serveSubgraphs(['search']);
  await withSchemaTree(runner, (tree) => publish(tree, subgraphNames));
  ({ gateway, client } = await processes.serveGateway(
    // Nothing listens at `closedPort`: the operations of this test need only text and search.
    { text: replicas.map(({ origin }) => origin), search, concordance: [closedPort], study: [closedPort] },
    {
      LOG_LEVEL: 'warn',
      SUPERGRAPH: `${registry.url}/supergraph.graphql`,
      SUPERGRAPH_HEADERS: `${registry.keyHeader}=${registryKey}`,
      SUPERGRAPH_POLL_MS: '50',
    },
  ));
});
afterAll(async () => {
  await processes.close();
  registry.close();
  await runner.close();
});

const started: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const clients of started.splice(0)) await clients.stop();
});

/** Starts three clients that send these queries in turn until `stop` is called. */
function startClients(queries: readonly string[]) {
  const responses = queries.map((): GraphqlResponse[] => []);
  let turn = 0;
  const sendNext = async () => {
    turn += 1;
    const index = turn % queries.length;
    responses[index]?.push(await client(queries[index] ?? ''));
  };
  const stopRequests = repeatRequests([sendNext, sendNext, sendNext], 10);
  const count = () => responses.flat().length;
  const clients = {
    /** Waits for `minResponses` more responses, which come from the current replicas. */
    async more(): Promise<void> {
      const before = count();
      await waitUntil(() => count() > before + minResponses);
    },
    /** Stops the clients. Returns the different responses to each query. */
    async stop(): Promise<string[][]> {
      await stopRequests();
      return responses.map((each) => [...new Set(each.map((response) => JSON.stringify(response)))]);
    },
  };
  started.push(clients);
  return clients;
}

const expectedOf = (queries: readonly string[]) =>
  Promise.all(queries.map(async (query) => [JSON.stringify(await client(query))]));

/** Sends `{ readingTip }` until the gateway no longer rejects the field as unknown. */
async function waitForField(): Promise<void> {
  await waitUntil(async () => (await client('{ readingTip }')).errors?.[0]?.extensions?.['code'] !== unknownField);
}
const unknownField = 'GRAPHQL_VALIDATION_FAILED';

test('no request fails while a field is added to a subgraph and removed again, replica by replica', () =>
  withFolder(async (folder) => {
    createNewVersion(folder);
    await withSchemaTree(runner, async (tree) => {
      const expected = await expectedOf(oldQueries);
      expect(expected.flat().join()).not.toContain('"errors"');
      expect(await client('{ readingTip }')).toMatchObject({ errors: [{ extensions: { code: unknownField } }] });
      const clients = startClients(oldQueries);
      await clients.more();

      // 1. The new version of the subgraph replaces the old version, replica by replica.
      await replaceReplica(0, folder);
      await clients.more();
      await replaceReplica(1, folder);
      await clients.more();

      // 2. The schema is published. Clients use the field as soon as the gateway serves it.
      tree.edit(textSchema, typeQuery, `${typeQuery}${addedSdl}\n\n`);
      const adopting = waitForField().then(() => startClients(newQueries));
      await publish(tree);
      const newClients = await adopting;
      await newClients.more();

      // A replica of the old version runs again, although the supergraph has the field.
      await replaceReplica(0, repositoryRoot);
      await newClients.more();
      await replaceReplica(0, folder);
      await newClients.more();

      // 3. Clients stop using the field. The schema is published without the field. Then the old
      // version of the subgraph replaces the version with the field.
      const [tips, tipsAndVerses] = await newClients.stop();
      expect(tips).toEqual([JSON.stringify({ data: { readingTip: tip } })]);
      expect(tipsAndVerses).toHaveLength(1);
      expect(JSON.parse(tipsAndVerses?.[0] ?? '')).toEqual({
        data: { readingTip: tip, ...(JSON.parse(expected[1]?.[0] ?? '') as GraphqlResponse).data },
      });
      tree.edit(textSchema, `${typeQuery}${addedSdl}\n\n`, typeQuery);
      tree.write(
        allowedBreaksFile,
        `- change: "Field 'readingTip' was removed from object type 'Query'"\n  until: ${inOneDay()}\n  reason: no application uses it any more\n`,
      );
      await publish(tree);
      expect(await client('{ readingTip }')).toMatchObject({ errors: [{ extensions: { code: unknownField } }] });
      for (const index of replicas.keys()) {
        await replaceReplica(index, repositoryRoot);
        await clients.more();
      }
      expect(await clients.stop()).toEqual(expected);
    });
  }));

const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

test('a field that the running subgraph lacks is null with SUBGRAPH_UNAVAILABLE until its new version runs', () =>
  withFolder(async (folder) => {
    createNewVersion(folder);
    await withSchemaTree(runner, async (tree) => {
      tree.edit(textSchema, typeQuery, `${typeQuery}${addedSdl}\n\n`);
      await publish(tree);
      expect(await client('{ readingTip }')).toEqual({
        data: { readingTip: null },
        errors: [unavailableAt('readingTip')],
      });
      expect(await client('{ readingTip search(query: "mercy", limit: 1) { reference } }')).toMatchObject({
        data: { readingTip: null, search: [{ reference: expect.any(String) as string }] },
        errors: [unavailableAt('readingTip')],
      });
      expect(await client(oldQueries[0] ?? '')).not.toHaveProperty('errors');
      expect(await client('{ readingTip }')).toMatchObject({ errors: [unavailableAt('readingTip')] });
      const logged = gateway.output().split('\n');
      expect(logged.filter((line) => line.includes('a subgraph rejects an operation that fits'))).toEqual([
        expect.stringMatching(/"subgraph":"text".*Cannot query field/),
      ]);
      expect(logged.filter((line) => line.includes('a subgraph is unavailable'))).toEqual([]);
      for (const index of replicas.keys()) await replaceReplica(index, folder);
      expect(await client('{ readingTip }')).toEqual({ data: { readingTip: tip } });
    });
  }));
