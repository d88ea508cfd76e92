// Fails if a file uses a word of check-words/rejected-words.mjs. Prints file, line, the word and the term to use.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exceptions, wordRules } from './check-words/rejected-words.mjs';
import { runCommand } from './command-line.mjs';
import { listFiles } from './list-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readable = /\.(ts|tsx|mjs|cjs|md|ya?ml|css|sh)$|(^|\/)(Dockerfile|\.dockerignore|package\.json)$/;
const code = /\.(ts|tsx|mjs|cjs)$/;
/** The pattern of a test's name: the first argument of test() or it(), also after .each(...), .skip and others. */
// oxlint-disable-next-line lectern/linear-time -- Only files of this repository are read.
const testName = /\b(?:test|it)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/g;

await runCommand({
  name: 'npm run check:words --',
  description: "Checks that all files use the field's terms, as scripts/check-words/rejected-words.mjs lists them.",
  help: 'Exit status: 0 passed, 1 a word has a term in the field, 2 invalid command line.',
  run: checkWords,
});

function checkWords() {
  const files = listFiles('the words are').filter((file) => readable.test(file));
  const findings = [...new Set(files)].flatMap((file) => findingsIn(file));
  for (const { file, line, word, use } of findings) console.error(`${file}:${line}: "${word}" -> ${use}`);
  console.error(
    findings.length === 0
      ? `${files.length} files use the field's terms.`
      : `${findings.length} words have a term in the field. See docs/glossary.md and scripts/check-words/rejected-words.mjs.`,
  );
  return findings.length === 0 ? 0 : 1;
}

/** @param {string} file */
function findingsIn(file) {
  const text = readOrNull(join(root, file));
  if (text === null) return [];
  const lines = text.split('\n');
  const found = [
    ...match(file, 'path').map((finding) => ({ ...finding, line: 1 })),
    ...lines.flatMap((content, index) => [
      ...match(content, 'text').map((finding) => ({ ...finding, line: index + 1 })),
      ...(code.test(file) ? match(content, 'code').map((finding) => ({ ...finding, line: index + 1 })) : []),
    ]),
    ...(file.endsWith('.test.ts') ? testNamesIn(text) : []).flatMap(({ name, line }) =>
      match(name, 'test name').map((finding) => ({ ...finding, line })),
    ),
  ];
  return found.filter(({ word }) => !isException(file, word)).map((finding) => ({ file, ...finding }));
}

/**
 * @param {string} text
 * @param {import('./check-words/rejected-words.mjs').WordRule['in']} where
 */
function match(text, where) {
  return wordRules
    .filter((rule) => rule.in === where)
    .flatMap(({ pattern, use }) => [...text.matchAll(pattern)].map(([word]) => ({ word, use })));
}

/** @param {string} text */
function testNamesIn(text) {
  return [...text.matchAll(testName)].map((found) => ({
    name: found[2],
    line: text.slice(0, found.index).split('\n').length,
  }));
}

/**
 * @param {string} file
 * @param {string} word
 */
function isException(file, word) {
  return exceptions.some(({ path, words }) => file.startsWith(path) && (words === undefined || words.test(word)));
}

/** Returns null for a file that is deleted in the working tree, which git still lists. */
function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
