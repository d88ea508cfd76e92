// @ts-check
// Writes the section "API" of CHANGELOG.md into dist/changes.json, for the page /changes and its feed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseChangelog } from './dist/changes.js';

const changelog = join(import.meta.dirname, '..', '..', 'CHANGELOG.md');
writeFileSync(
  join(import.meta.dirname, 'dist', 'changes.json'),
  JSON.stringify(parseChangelog(readFileSync(changelog, 'utf8'))),
);
