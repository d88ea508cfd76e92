// Writes the tables of docs/settings.md and docs/errors.md from what the code says; `npm test` holds the pages to it. npm run docs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
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
  const rows = Object.keys(described).map((name) => `| \`${name}\` | ${defaults[name] === '' ? '' : `\`${defaults[name]}\``} | ${described[name].desc} |`);
  settings = withRows(settings, `## ${heading}`, rows);
}
writeFileSync(join(root, 'docs/settings.md'), settings);

const { errorCodes } = require('@lectern/errors');
const errors = readFileSync(join(root, 'docs/errors.md'), 'utf8');
writeFileSync(join(root, 'docs/errors.md'), withRows(errors, '# Errors', errorCodes.map(({ code, status, meaning }) => `| \`${code}\` | ${status ?? 'in the answer'} | ${meaning} |`)));

/** The page with these as the rows of the first table after a heading. */
function withRows(page, heading, rows) {
  const at = page.indexOf(heading);
  const ruler = /^\| --- .*\n/m.exec(page.slice(at));
  if (at < 0 || !ruler) throw new Error(`no table under "${heading}"`);
  const begin = at + ruler.index + ruler[0].length;
  const old = /^(\|.*\n?)*/.exec(page.slice(begin))[0];
  return `${page.slice(0, begin)}${rows.join('\n')}\n${page.slice(begin + old.length)}`;
}
