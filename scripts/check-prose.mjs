// Checks the prose of Markdown pages: columns of a line, words of a sentence, words of a table's cell.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { runCommand } from './command-line.mjs';
import { listFiles } from './list-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const maxColumns = 100;
const maxWords = 25;
/** A cell is one line of the source. A longer text is easier to read below the table. */
const maxCellWords = 60;
const page = /\.md$/;
/** The packages and services have pages of their own, which are not checked yet. */
const notChecked = /^(bench|packages|services|gateway|tests)\//;
/** Pages of which only the columns are checked. */
const onlyColumns = new Set(['CHANGELOG.md']);
const markdown = new MarkdownIt({ html: true });

await runCommand({
  name: 'npm run check:prose --',
  description: `Checks that lines of prose have at most ${maxColumns} columns, and sentences at most ${maxWords} words.`,
  options: [['--write', 'wrap all paragraphs']],
  help: 'Code, headings and tables may have longer lines. Exit status: 0 passed, 1 something is too long, 2 invalid command line.',
  run: checkProse,
});

function checkProse(/** @type {{ write?: boolean }} */ { write }) {
  const files = listFiles('the prose is').filter(
    (file) => page.test(file) && !notChecked.test(file) && existsSync(join(root, file)),
  );
  const findings = files.flatMap((file) => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const wrapped = write ? wrap(text) : text;
    if (wrapped !== text) writeFileSync(path, wrapped);
    return findingsIn(wrapped, { onlyColumns: onlyColumns.has(file) }).map((finding) => `${file}:${finding}`);
  });
  for (const finding of findings) console.error(finding);
  console.error(`${files.length} pages, ${findings.length} lines, sentences and cells that are too long.`);
  return findings.length === 0 ? 0 : 1;
}

/** Returns the blocks of text: paragraphs, items of lists, headings and cells of tables. */
function blocksOf(/** @type {string} */ text) {
  const tokens = markdown.parse(text, {});
  let [begin, end] = [0, 0];
  return tokens.flatMap(({ type, map, children }, index) => {
    // A cell has no place of its own: it has that of its row.
    if (map) [begin, end] = map;
    const parent = tokens[index - 1]?.type ?? '';
    return type === 'inline' ? [{ begin, end, parent, words: plainText(children ?? []) }] : [];
  });
}

/**
 * Returns the text as a person reads it. Code is one word, and pictures are left out. Code and links begin with a capital
 * letter, because a sentence may begin with them.
 */
function plainText(/** @type {{ type: string, content: string }[]} */ children) {
  const texts = children.map(({ type, content }) => {
    if (type === 'code_inline') return `‹${content.replaceAll(/[\s.!?:]+/g, '_')}›`;
    if (type === 'link_open') return '[';
    if (type === 'image' || type === 'html_inline') return '';
    return type.endsWith('break') ? ' ' : content;
  });
  return texts.join('').replaceAll(/[‹[][^\p{L}‹[]*\p{Ll}/gu, (begin) => begin.toUpperCase());
}

function findingsIn(/** @type {string} */ text, { onlyColumns = false } = {}) {
  const lines = text.split('\n');
  return blocksOf(text).flatMap(({ begin, end, parent, words }) => {
    const found = (onlyColumns ? [] : sentencesOf(words))
      .filter((sentence) => count(sentence) > maxWords)
      .map((sentence) => `${begin + 1}: ${count(sentence)} words: ${sentence}`);
    if (/^t[dh]_open$/.test(parent) && count(words) > maxCellWords)
      found.push(`${begin + 1}: a cell of ${count(words)} words: ${words.slice(0, 60)}`);
    if (parent !== 'paragraph_open') return found;
    const long = lines
      .slice(begin, end)
      .flatMap((line, offset) =>
        line.length > maxColumns && wrapLines([line]).length > 1
          ? [`${begin + offset + 1}: ${line.length} columns`]
          : [],
      );
    return [...found, ...long];
  });
}

function sentencesOf(/** @type {string} */ text) {
  return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment.trim());
}

/** Counts the words: a figure is none. */
function count(/** @type {string} */ text) {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

/** Wraps all paragraphs but those with line breaks that a reader sees. */
function wrap(/** @type {string} */ text) {
  const lines = text.split('\n');
  for (const { begin, end, parent } of blocksOf(text).toReversed()) {
    const block = lines.slice(begin, end);
    if (parent === 'paragraph_open' && !block.some((line) => /(?: {2}|\\)$/.test(line)))
      lines.splice(begin, end - begin, ...wrapLines(block));
  }
  return lines.join('\n');
}

/** Joins lines of one paragraph, and breaks them between words. Later lines begin below the text of the first. */
function wrapLines(/** @type {string[]} */ block) {
  const [first = ''] = block;
  const marker = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/.exec(first)?.[0] ?? '';
  const indent = marker.replaceAll(/[^\s>]/g, ' ');
  const words = unbreakable(
    [first.slice(marker.length), ...block.slice(1).map((line) => line.replace(/^[\s>]+/, ''))].join(' '),
  );
  const lines = [marker];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    const isEmpty = line.length === marker.length;
    if (!isEmpty && line.length + 1 + word.length > maxColumns) lines.push(indent + word);
    else lines[lines.length - 1] = isEmpty ? line + word : `${line} ${word}`;
  }
  return lines;
}

/**
 * Splits text at the blanks at which a line may end: not within code, and not before a word that begins a list, a
 * quotation, a heading or a table at the start of a line.
 */
function unbreakable(/** @type {string} */ text) {
  /** @type {string[]} */
  const words = [];
  // oxlint-disable-next-line lectern/linear-time -- Only files of this repository are read.
  for (const [word] of text.matchAll(/(?:(`+)[^`]+\1|[^\s`]|`)+/g))
    if (words.length > 0 && /^(?:[-+*>#|=]|\d+[.)]$)/.test(word)) words[words.length - 1] += ` ${word}`;
    else words.push(word);
  return words;
}
