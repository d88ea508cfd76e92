import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCodes } from '@lectern/errors';
import { settings as gatewaySettings } from '@lectern/gateway';
import { mcpPath, settings as mcpSettings, tools } from '@lectern/mcp';
import { settings as standaloneSettings } from '@lectern/standalone';
import { repositoryRoot } from '@lectern/testing';
import { cleanEnv } from 'envalid';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { readDocumentationExamples } from '../support/read-documentation-examples';
import { repositorySubgraphs, settingsOfSubgraph } from '../support/supergraph-yaml';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

/**
 * Returns the rows whose first cell begins with a backtick, of the tables in the section whose
 * heading begins with `heading`, or of the whole page without such a section. The cells are trimmed
 * and have no backticks.
 */
function table(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(heading)) ?? markdown;
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

test('docs/errors.md lists the codes of packages/errors with status, meaning, whether a retry helps and what to change', () => {
  expect(table(read('docs/errors.md'), 'Errors')).toEqual(
    errorCodes.map(({ code, status, meaning, retry, change }) =>
      [code, String(status ?? 'in the response'), meaning, retry, change].map((cell) => cell.replaceAll('`', '')),
    ),
  );
});

test.each(errorCodes)(
  'packages/errors states in whole sentences whether a retry after the error $code helps, and what to change',
  (error) => {
    expect(error.retry).toMatch(/^(Yes|Once|No)\b.*\.$/);
    expect(error.change).toMatch(/^[A-Z].*\.$/);
  },
);

test.each<[string, Parameters<typeof cleanEnv>[1]]>([
  ['Everything in one process', standaloneSettings],
  ['The gateway', gatewaySettings],
  ...repositorySubgraphs.map(({ name }): [string, Parameters<typeof cleanEnv>[1]] => [
    `The ${name} subgraph`,
    settingsOfSubgraph(name),
  ]),
  ['The server for AI assistants', mcpSettings],
])(
  'docs/settings.md lists the settings of the process under "%s" with their defaults and descriptions',
  (heading, settings) => {
    const defaults = cleanEnv({}, settings) as Record<string, unknown>;
    const described = settings as unknown as Record<string, { desc?: string }>;
    expect(table(read('docs/settings.md'), heading)).toEqual(
      Object.keys(described).map((name) => [name, String(defaults[name]), described[name]?.desc?.replaceAll('`', '')]),
    );
  },
);

test.each([
  ['packages/client/src/operations.generated.ts', 'generate-typed-operations.mjs', 'generateOperations', 'client'],
  ['packages/client/src/functions.generated.ts', 'generate-typed-operations.mjs', 'generateFunctions', undefined],
  ['packages/mcp/src/operations.generated.ts', 'generate-typed-operations.mjs', 'generateOperations', 'mcp'],
  ['docs/examples.http', 'generate-http-collection.mjs', 'generateHttpCollection', undefined],
])('the committed file %s equals the output of `npm run docs`', async (file, script, name, packageName) => {
  const module = (await import(pathToFileURL(join(repositoryRoot, 'scripts', script)).href)) as Record<
    string,
    (packageName?: string) => Promise<string>
  >;
  expect(read(file)).toBe(await module[name]?.(packageName));
});

test('docs/run.md lists the subgraphs of supergraph.yaml, with the images and the memory of docker-compose.yml', async () => {
  const { withSubgraphs } = (await import(pathToFileURL(join(repositoryRoot, 'scripts/list-subgraphs.mjs')).href)) as {
    withSubgraphs: (page: string) => string;
  };
  const page = read('docs/run.md');
  expect(withSubgraphs(page)).toBe(page);
  for (const { name, routingUrl } of repositorySubgraphs)
    expect(page).toContain(`| \`${name}\` | ${new URL(routingUrl).port} |`);
});

test('docs/mcp.md lists the tools for AI assistants with their arguments', () => {
  const rows = table(read('docs/mcp.md'), 'The tools').map(([name, args]) => ({ name, args }));
  expect(rows).toEqual(tools.map(({ name, arguments: args }) => ({ name, args: args.join(', ') })));
});

test('the configurations of AI assistants in docs/mcp.md name an existing file and only settings that the MCP server reads', () => {
  const files = [...read('docs/mcp.md').matchAll(/```json .*\n([^`]*)```/g)].map(
    ([, text = '']) => JSON.parse(text) as Partial<Record<'servers' | 'mcpServers', { lectern: McpEntry }>>,
  );
  const entries = files.flatMap(({ servers = {}, mcpServers = {} }) => Object.values({ ...servers, ...mcpServers }));
  expect(entries).toHaveLength(3);
  for (const entry of entries) {
    const [file = ''] = entry.args;
    expect(existsSync(join(repositoryRoot, file.replace('/path/to/lectern/', '')))).toBe(true);
    expect(Object.keys(mcpSettings)).toEqual(expect.arrayContaining(Object.keys(entry.env)));
  }
});

test('the server.json of docs/mcp.md has the path and the header that the MCP server over HTTP wants', () => {
  const [, text = ''] = /```json server\.json\n([^`]*)```/.exec(read('docs/mcp.md')) ?? [];
  const { name, description, remotes } = JSON.parse(text) as McpRegistryEntry;
  expect([name.split('/').length, description.length <= 100]).toEqual([2, true]);
  expect(remotes).toMatchObject([
    { type: 'streamable-http', headers: [{ name: 'Authorization', value: 'Bearer {key}' }] },
  ]);
  expect(new URL(remotes[0]?.url ?? '').pathname).toBe(mcpPath);
});

interface McpRegistryEntry {
  readonly name: string;
  readonly description: string;
  readonly remotes: readonly { readonly url: string }[];
}

/** How the configuration of an AI assistant starts the MCP server. */
interface McpEntry {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** All pages of the repository. The folder may be a copy without git. */
const pages = ['.', 'docs', 'examples', 'gateway', 'packages', 'services', 'tests', 'bench', 'deploy'].flatMap(
  (folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => join(folder, file)),
);

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  const prose = read(page).replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.replaceAll(/\]\([^)]*\)/g, ']').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

test.each(pages)('every relative link of the page %s leads to an existing file, folder or heading', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(
    ([, file = '', anchor]) => ({ file: file === '' ? page : join(dirname(page), file), anchor }),
  );
  const leadsNowhere = ({ file, anchor }: (typeof links)[number]) =>
    !existsSync(join(repositoryRoot, file)) ||
    (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor));
  expect(links.filter(leadsNowhere)).toEqual([]);
});

test('the figures under the heading "How fast" in docs/measure.md equal those of bench/results.md', () => {
  const rowsOf = (markdown: string) =>
    markdown
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  const [contenders = [], , ...measured] = rowsOf(
    read('bench/results.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Requests per second')) ?? '',
  );
  const [heads = [], , ...quoted] = rowsOf(
    read('docs/measure.md')
      .split(/^## /m)
      .find((part) => part.startsWith('How fast')) ?? '',
  );
  expect(quoted.map(([operation]) => operation)).toEqual(
    measured.map(([operation]) => operation).filter((operation) => !operation?.includes('-constant')),
  );
  for (const row of quoted) {
    const source = measured.find(([operation]) => operation === row[0]) ?? [];
    for (const [column, cell] of row.entries())
      expect([row[0], heads[column], cell]).toEqual([
        row[0],
        heads[column],
        source[column === 0 ? 0 : contenders.indexOf(heads[column] ?? '')],
      ]);
  }
});

test.each(['README.md', 'docs/commands.md'])(
  'every npm command in %s is a script of package.json or a command of npm itself',
  (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const ownCommands = new Set(['init', 'install']);
    const named = new Set(
      [...read(page).matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => name !== 'in'),
    );
    expect([...named].filter((name) => !(name in scripts) && !ownCommands.has(name))).toEqual([]);
  },
);

test('the queries of README.md and docs/queries.md return the responses that these pages show', async () => {
  const lectern = await startEmbeddedLectern();
  const examples = ['README.md', 'docs/queries.md'].flatMap((page) => {
    const blocks = readDocumentationExamples(page);
    return blocks.flatMap(({ language, code }, index) => {
      const before = blocks[index - 1];
      if (language !== 'json' || before === undefined) return [];
      const [, body] = /-d '(\{.*\})'/.exec(before.code) ?? [];
      const query = body === undefined ? before.code : (JSON.parse(body) as { query: string }).query;
      return [{ query, response: JSON.parse(code) as unknown }];
    });
  });
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const { query, response } of examples) expect(await lectern.client(query)).toEqual(response);
  await lectern.close();
});
