import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphqlResponse } from '@lectern/testing';
import { graphqlHeaders, readExamples, repositoryRoot, send } from '@lectern/testing';
import { clientOperations, variables } from '../operations/client-operations';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { serveSubgraphs } from './serve-subgraphs';
import type { RouterProgram } from './start-router';
import { routerPrograms, startRouter, supergraphWithUrls } from './start-router';

const secret = '0123456789abcdef0123456789abcdef';

interface Operation {
  readonly name: string;
  readonly document: string;
  readonly variables: Record<string, unknown>;
}

const operations: readonly Operation[] = [
  ...clientOperations.map(({ name, document }) => ({ name, document, variables: variables[name] ?? {} })),
  ...['text', 'search', 'concordance', 'study'].flatMap((service) =>
    readExamples(join(repositoryRoot, 'services', service, 'examples.graphql')).map(({ name, query }) => ({
      name,
      document: query,
      variables: {},
    })),
  ),
];

/**
 * Configuration with which Hive Router estimates the cost of an operation and has no limit. A list
 * counts as one item if the argument for its length is absent.
 */
const demandControl = `demand_control:
  enabled: true
  operation_cost: { max: 0, mode: measure, expose_headers: { estimated: true } }
  subgraphs_budget: { mode: measure }
  default_list_size: { all: 1 }
`;

/**
 * Operations with randomVerse have different data each time, so the tests compare only the names of
 * their root fields.
 */
const isRandom = ({ document }: Operation): boolean => document.includes('randomVerse');

// Without the program of a router, its tests are skipped, also with CI=true, which otherwise makes
// a missing program an error: no Debian package has these programs.
const programs = routerPrograms.map((router) => ({ ...router, program: process.env[router.setting] ?? '' }));
const installed = programs.filter(({ program }) => program !== '');
for (const { name, setting, program } of programs)
  if (program === '') process.stderr.write(`skipped: tests with ${name} (${setting} names its program)\n`);

(installed.length === 0 ? describe.skip : describe)('routers over subgraphs with a header secret', () => {
  let lectern: EmbeddedLectern;
  let served: Awaited<ReturnType<typeof serveSubgraphs>>;
  beforeAll(async () => {
    served = await serveSubgraphs({ headerSecrets: secret });
    // High limits on depth and cost, so that Lectern's gateway rejects no operation: the other
    // routers have no limits here.
    lectern = await startEmbeddedLectern({ limits: { tokens: 5_000, depth: 100, complexity: 1_000_000 } });
  });
  afterAll(async () => {
    await lectern.close();
    await served.close();
  });

  const withRouter = async (
    { program, ...router }: RouterProgram & { program: string },
    { sentSecret = secret, moreConfig = '' }: { sentSecret?: string; moreConfig?: string },
    use: (started: Awaited<ReturnType<typeof startRouter>>) => Promise<void>,
  ) => {
    const urls = new Map(
      served.subgraphs.map(({ name, compiled }) => [name, `http://127.0.0.1:${compiled.port}/graphql`]),
    );
    const started = await startRouter(program, router, {
      supergraph: supergraphWithUrls(urls),
      secret: sentSecret,
      moreConfig,
    });
    await use(started).finally(started.close);
  };

  test.each(installed)(
    'the operations in tests/operations and examples.graphql return the same data through $name as through Lectern',
    async (router) => {
      await withRouter(router, {}, async ({ client }) => {
        for (const operation of operations) {
          const { document, name } = operation;
          const actual = await client(document, operation.variables, name);
          const expected = await lectern.client(document, operation.variables, name);
          const compared = isRandom(operation) ? Object.keys : (data: object) => data;
          expect([name, compared(actual.data ?? {})]).toEqual([name, compared(expected.data ?? {})]);
        }
      });
      for (const { name, countRequests } of served.subgraphs) {
        const { compiled, apollo } = await countRequests();
        expect([name, compiled > 0, apollo]).toEqual([name, true, 0]);
      }
    },
  );

  test.each(installed)(
    'NOT_FOUND and BAD_USER_INPUT have the same message, code and path through $name as through Lectern',
    async (router) => {
      const query = `{
        verse(book: "Nobody", chapter: 1, verse: 1) { id }
        search(query: "shepherd", limit: 1) { inTranslation(identifier: "nothing") { id } }
        passage(reference: "${'x'.repeat(201)}") { reference }
      }`;
      const errorsByPath = ({ errors = [] }: GraphqlResponse) =>
        Object.fromEntries(errors.map(({ path, message, extensions }) => [path?.join('.'), { message, extensions }]));
      const expected = {
        verse: { message: "Book 'Nobody' not found", extensions: { code: 'NOT_FOUND' } },
        'search.0.inTranslation': { message: "Translation 'nothing' not found", extensions: { code: 'NOT_FOUND' } },
        passage: { message: 'reference must be 200 characters or fewer', extensions: { code: 'BAD_USER_INPUT' } },
      };
      expect(errorsByPath(await lectern.client(query))).toEqual(expected);
      await withRouter(router, {}, async ({ client }) => {
        expect(errorsByPath(await client(query))).toEqual(expected);
      });
    },
  );

  test.each(installed)(
    'if the router $name sends a wrong secret, subgraphs reject its requests, and fields are null with errors',
    async (router) => {
      await withRouter(router, { sentSecret: 'x'.repeat(32) }, async ({ client }) => {
        const { data, errors } = await client('{ languages { code } }');
        expect(data?.['languages'] ?? null).toBeNull();
        expect(errors?.length).toBeGreaterThan(0);
      });
    },
  );

  test.each(installed.filter(({ setting }) => setting === 'HIVE_ROUTER'))(
    'docs/other-routers.md states costs by @cost and @listSize within a factor of 2 of those that the router $name estimates',
    async (router) => {
      const page = readFileSync(join(repositoryRoot, 'docs', 'other-routers.md'), 'utf8');
      const documented = [...page.matchAll(/^\| (\w+) \| \d+ \| (\d+) \|$/gm)];
      await withRouter(router, { moreConfig: demandControl }, async ({ origin }) => {
        for (const [, name = '', cost] of documented) {
          const query = clientOperations.find((operation) => operation.name === name)?.document;
          const body = JSON.stringify({ query, variables: variables[name], operationName: name });
          const { headers } = await send(`${origin}/graphql`, { headers: graphqlHeaders(lectern.token), body });
          const factor = Number(headers['x-cost-estimated']) / Number(cost);
          expect([name, factor >= 0.5 && factor <= 2]).toEqual([name, true]);
        }
      });
    },
  );
});
