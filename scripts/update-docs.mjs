// Writes the tables of docs/settings.md and docs/errors.md from what the code says, and the README's figures from bench/results.md; `npm test` holds the pages to it. npm run docs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const require = createRequire(join(root, 'packages', 'standalone', 'package.json'));
const { cleanEnv } = require('envalid');
const rooms = {
  'Everything in one process': '@lectern/standalone',
  'The gateway': '@lectern/gateway',
  'The text subgraph': '@lectern/text',
  'The search subgraph': '@lectern/search',
  'The concordance subgraph': '@lectern/concordance',
};

let settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
for (const [heading, room] of Object.entries(rooms)) {
  const described = require(room).settings;
  const defaults = cleanEnv({}, described);
  const rows = Object.keys(described).map(
    (name) => `| \`${name}\` | ${defaults[name] === '' ? '' : `\`${defaults[name]}\``} | ${described[name].desc} |`,
  );
  settings = withRows(settings, `## ${heading}`, rows);
}
writeFileSync(join(root, 'docs/settings.md'), settings);

const { errorCodes } = require('@lectern/errors');
const errors = readFileSync(join(root, 'docs/errors.md'), 'utf8');
writeFileSync(
  join(root, 'docs/errors.md'),
  withRows(
    errors,
    '# Errors',
    errorCodes.map(({ code, status, meaning }) => `| \`${code}\` | ${status ?? 'in the answer'} | ${meaning} |`),
  ),
);

const [, contenders, , ...measured] = /^## Requests a second.*\n\n([^]*?)\n\n/m
  .exec(readFileSync(join(root, 'bench/results.md'), 'utf8'))[0]
  .split('\n')
  .filter((line) => line !== '')
  .map(cellsOf);
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, ...quoted] = cellsOf(/^\| operation .*$/m.exec(readme)[0]);
const figures = measured
  .filter(([operation]) => !operation.includes('-constant'))
  .map((row) => `| ${[row[0], ...quoted.map((name) => row[contenders.indexOf(name)])].join(' | ')} |`);
writeFileSync(join(root, 'README.md'), withRows(readme, '## How fast', figures));

function cellsOf(row) {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The page with these as the rows of the first table after a heading. */
function withRows(page, heading, rows) {
  const at = page.indexOf(heading);
  const ruler = /^\| --- .*\n/m.exec(page.slice(at));
  if (at < 0 || !ruler) throw new Error(`no table under "${heading}"`);
  const begin = at + ruler.index + ruler[0].length;
  const old = /^(\|.*\n?)*/.exec(page.slice(begin))[0];
  return `${page.slice(0, begin)}${rows.join('\n')}\n${page.slice(begin + old.length)}`;
}
