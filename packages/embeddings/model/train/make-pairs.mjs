// Writes the training pairs of the model: texts that say in other words what a passage says, each with the verses of
// the passage. Reads the data folder of a started Lectern. The same data and seed give the same file:
//
//     node packages/embeddings/model/train/make-pairs.mjs FILE.tsv [SEED [DATA_DIR]]
//
// Columns: source, group, language, verses, text. Verses are spans of ordinals in the standard numbering, such as
// 1001001-1001003;1001026-1001026. Write the file outside the repository: it has texts that are never committed.
// No query that measures search is written, and no topic that gives a measured query its grades.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMeasured } from './measured-queries.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
const require = createRequire(import.meta.url);
const load = createRequire(join(repository, 'packages/corpus/package.json'));
const Database = load('better-sqlite3');
const { namedPassages, spanOrdinals } = require('@lectern/canon');

/** The maximum number of verses of a pair: a text about more verses says little about a single verse. */
const maxVerses = 30;
/** The maximum number of words of a sentence. Sentences are short, because queries are short too. */
const maxWords = 16;
/** How many sentences of one note are drawn, by commentary. */
const sentencesOfNote = { henry: 8, scofield: 2, spurgeon: 1 };
const codes = { eng: 'en', spa: 'es' };

const [file, seed = '1', dataDir = join(repository, 'data')] = process.argv.slice(2);
if (file === undefined) {
  console.error('Give a file to write: node packages/embeddings/model/train/make-pairs.mjs FILE.tsv [SEED [DATA_DIR]]');
  process.exit(2);
}
const random = createRandom(Number(seed));
const readLines = (path) => readFileSync(join(repository, path), 'utf8').trimEnd().split('\n');
const works = new Database(join(dataDir, 'reference-works.sqlite'), { readonly: true });

const pairs = [makeTopics, makeNotes, makeNames].flatMap((make) => make());
const kept = pairs.filter(({ text }) => text !== '' && !isMeasured(text));
const toLine = ({ source, group, language, spans, text }) =>
  [source, group, language, spans.map((span) => span.join('-')).join(';'), text].join('\t');
// Shuffles the pairs, so that the first part of the file is a random sample. Pairs of names come first.
for (let at = kept.length - 1; at > 0; at -= 1) {
  const other = Math.floor(random() * (at + 1));
  [kept[at], kept[other]] = [kept[other], kept[at]];
}
kept.sort((a, b) => Number(b.source === 'name') - Number(a.source === 'name'));
writeFileSync(file, `${kept.map(toLine).join('\n')}\n`);
for (const source of new Set(kept.map((pair) => pair.source)))
  console.log(`${source.padEnd(12)} ${kept.filter((pair) => pair.source === source).length}`);
console.log(`left out because they measure search: ${pairs.length - kept.length}`);

/** Draws numbers from 0 to 1, the same in each run (mulberry32). */
function createRandom(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws `count` items without repetition, in their order. */
function draw(items, count) {
  const drawn = new Set();
  while (drawn.size < Math.min(count, items.length)) drawn.add(Math.floor(random() * items.length));
  return [...drawn].sort((a, b) => a - b).map((at) => items[at]);
}

/** Returns the spans that are short enough, or null if there is none. Spans in these data never cross a chapter. */
function shortSpans(spans) {
  const short = spans.filter(([first, last]) => last - first < maxVerses);
  return short.length > 0 ? short : null;
}

/** Makes a pair of each phrase of Nave's Topical Bible, such as "aaron: rod of: buds", and its verses. */
function makeTopics() {
  const excluded = new Set(readLines('packages/embeddings/evaluation/topics-of-questions.txt'));
  const rows = works.prepare('SELECT name, heading, text, spans FROM topic_entry JOIN topic ON topic.number = topic').all();
  return rows.flatMap(({ name, heading, text, spans }) => {
    const short = shortSpans(JSON.parse(spans));
    if (short === null || excluded.has(name)) return [];
    // The same text as listTopicPhrases of packages/reference-works makes, so that the file phrases.vec has its vector.
    const phrase = [name, heading, text].filter(Boolean).join(': ').replace(/\s+/g, ' ').slice(0, 160).toLowerCase();
    return [{ source: 'topic', group: name, language: 'en', spans: short, text: phrase }];
  });
}

/** Makes pairs of the titles in chapter outlines, and of sentences of commentaries. */
function makeNotes() {
  const rows = works
    .prepare('SELECT id, first, last, heading, text FROM note JOIN source ON source.number = note.source ORDER BY note.number')
    .all();
  return rows.flatMap(({ id, first, last, heading, text }) => {
    const chapter = Math.floor(first / 1000);
    const pair = (source, span, each) => ({
      source,
      group: `${id} ${chapter}`,
      language: 'en',
      spans: [span],
      text: each.replace(/\s+/g, ' '),
    });
    if (heading === 'Chapter outline')
      return [...text.matchAll(/^(.+?) \((\d+)(?:[-,]\s?(\d+))?\)$/gm)].map(([, title, from, to = from]) =>
        pair('outline', [chapter * 1000 + Number(from), chapter * 1000 + Number(to)], title),
      );
    if (shortSpans([[first, last]]) === null) return [];
    const sentences = text
      .replace(/\(?See Scofield "[^"]*"\)?/g, ' ')
      .replace(/\([^)]*\d+:\d+[^)]*\)/g, ' ')
      .replace(/^\s*(?:\d+\.|\(\w\))\s*/gm, '')
      .split(/(?<=[.!?;])\s+|\n+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.split(' ').length >= 5 && sentence.split(' ').length <= maxWords && !/\d/.test(sentence));
    return draw(sentences, sentencesOfNote[id] ?? 0).map((sentence) => pair(id, [first, last], sentence));
  });
}

/** Makes pairs of the names of named passages, such as "Golden Rule". */
function makeNames() {
  return namedPassages().flatMap(({ id, names, passages }) => {
    const spans = shortSpans(
      passages.flat().map((span) => Object.values(spanOrdinals(span))),
    );
    if (spans === null || Object.values(names).flat().some(isMeasured)) return [];
    return Object.entries(names).flatMap(([language, list]) =>
      list.map((text) => ({ source: 'name', group: id, language: codes[language] ?? language, spans, text: text.toLowerCase() })),
    );
  });
}
