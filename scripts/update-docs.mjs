// Updates generated files: npm run docs. `npm test` fails if these files differ from their sources.
// From the code: the tables of docs/settings.md and docs/errors.md.
// From supergraph.yaml and docker-compose.yml: the subgraphs in docs/run.md.
// From bench/results.md: the figures of docs/measure.md.
// From the schema: the operations of packages/client and packages/mcp.
// From the examples of the services: docs/examples.http.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommand } from './command-line.mjs';
import { prepare, root } from './install-and-build.mjs';

const require = createRequire(join(root, 'packages', 'standalone', 'package.json'));

await runCommand({
  name: 'npm run docs --',
  description: 'Updates the generated files from the code, the schema, the examples and bench/results.md.',
  help: 'It writes tables of docs/, docs/examples.http, and operations of packages/client and packages/mcp.',
  run: updateDocs,
});

async function updateDocs() {
  await prepare({ checks: true });
  // These modules are imported after prepare(), because they import packages that prepare() installs.
  const { readSubgraphs } = await import('./schema/compose-subgraphs.mjs');
  const { functionsFile, generateFunctions, generateOperations, operationsFile } = await import(
    './generate-typed-operations.mjs'
  );
  const { generateHttpCollection, httpCollectionFile } = await import('./generate-http-collection.mjs');
  const { settingsRows } = await import('./format-settings-table.mjs');
  const { subgraphsPage, withSubgraphs } = await import('./list-subgraphs.mjs');
  const services = readSubgraphs('supergraph.yaml').map(({ name }) => name);
  updatePage('docs/settings.md', (page) => withSettings(page, services, settingsRows));
  updatePage('docs/errors.md', withErrorCodes);
  updatePage(subgraphsPage, withSubgraphs);
  updatePage('docs/measure.md', withFigures);
  for (const name of ['client', 'mcp']) writeFileSync(operationsFile(name), await generateOperations(name));
  writeFileSync(functionsFile, generateFunctions());
  writeFileSync(httpCollectionFile, await generateHttpCollection());
  return 0;
}

/**
 * @param {string} file
 * @param {(page: string) => string} update
 */
function updatePage(file, update) {
  const path = join(root, file);
  writeFileSync(path, update(readFileSync(path, 'utf8')));
}

/**
 * Replaces the tables of docs/settings.md: one for each process, with name, default and description of
 * each setting.
 */
function withSettings(page, services, settingsRows) {
  const processes = {
    'Everything in one process': '@lectern/standalone',
    'The gateway': '@lectern/gateway',
    ...Object.fromEntries(services.map((name) => [`The ${name} subgraph`, `@lectern/${name}`])),
    'The server for AI assistants': '@lectern/mcp',
  };
  return Object.entries(processes).reduce((updated, [heading, packageName]) => {
    const { settings } = require(packageName);
    return withRows(updated, `## ${heading}`, settingsRows(settings));
  }, page);
}

function withErrorCodes(page) {
  const { errorCodes } = require('@lectern/errors');
  const rows = errorCodes.map(
    ({ code, status, meaning, retry, change }) =>
      `| \`${code}\` | ${status ?? 'in the response'} | ${meaning} | ${retry} | ${change} |`,
  );
  return withRows(page, '# Errors', rows);
}

/**
 * Copies the figures of bench/results.md: the columns of docs/measure.md, without the `-constant` operations.
 */
function withFigures(page) {
  const [columns, ...measured] = tableUnder(
    readFileSync(join(root, 'bench/results.md'), 'utf8'),
    '## Requests per second',
  );
  const [[, ...quoted]] = tableUnder(page, '## How fast');
  const rows = measured
    .filter(([operation]) => !operation.includes('-constant'))
    .map((row) => `| ${[row[0], ...quoted.map((name) => row[columns.indexOf(name)])].join(' | ')} |`);
  return withRows(page, '## How fast', rows);
}

/** Returns the head and the rows of the first table after a heading, each as a list of cells. */
function tableUnder(page, heading) {
  const { begin, end } = findTable(page, heading);
  return page
    .slice(begin, end)
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('| ---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Replaces the rows of the first table after a heading. */
function withRows(page, heading, rows) {
  const { begin, end } = findTable(page, heading);
  const head = page.slice(begin, end).split('\n').slice(0, 2);
  return `${page.slice(0, begin)}${[...head, ...rows].join('\n')}\n${page.slice(end)}`;
}

function findTable(page, heading) {
  const headingStart = page.indexOf(heading);
  const table = /^\|.*\n\| ---.*\n(?:\|.*(?:\n|$))*/m.exec(page.slice(Math.max(0, headingStart)));
  if (headingStart < 0 || !table) throw new Error(`no table under "${heading}"`);
  const begin = headingStart + table.index;
  return { begin, end: begin + table[0].length };
}
