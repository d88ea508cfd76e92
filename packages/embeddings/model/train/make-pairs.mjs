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
const { namedPassages, spanOrdinals, standardVerses, verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');

/** A longer stretch of verses says little about a single verse. */
const maxVerses = 30;
const maxWords = 30;
/** How many sentences of one note are drawn, by commentary. */
const sentencesOfNote = { henry: 8, scofield: 2, spurgeon: 1 };
/** The sources of cross references. Those from Nave's would repeat the grades of measured queries. */
const referenceSources = ['henry', 'scofield', 'spurgeon', 'web-notes'];
const codes = { eng: 'en', spa: 'es' };

const [file, seed = '1', dataDir = join(repository, 'data')] = process.argv.slice(2);
if (file === undefined) {
  console.error('Give a file to write: node packages/embeddings/model/train/make-pairs.mjs FILE.tsv [SEED [DATA_DIR]]');
  process.exit(2);
}
const random = createRandom(Number(seed));
const readLines = (path) => readFileSync(join(repository, path), 'utf8').trimEnd().split('\n');
const works = new Database(join(dataDir, 'reference-works.sqlite'), { readonly: true });
const originals = new Database(join(dataDir, 'originals.sqlite'), { readonly: true });
const corpus = openCorpus(dataDir);
const verses = Object.fromEntries(corpus.translations.map((each) => [each.identifier, readVerses(each)]));
corpus.close();

const pairs = [makeTopics, makeNotes, makeNames, makeClauses, makeReferences, makeGlosses].flatMap((make) => make());
const kept = pairs.filter(({ text }) => text !== '' && !isMeasured(text));
const toLine = ({ source, group, language, spans, text }) =>
  [source, group, language, spans.map((span) => span.join('-')).join(';'), text].join('\t');
// In random order, so that the first part of the file is a sample.
for (let at = kept.length - 1; at > 0; at -= 1) {
  const other = Math.floor(random() * (at + 1));
  [kept[at], kept[other]] = [kept[other], kept[at]];
}
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

/** The verses of a translation, each with the verse in the standard numbering and the language. */
function readVerses({ identifier, language, numbering }) {
  return corpus.range(identifier, 1, 99_999_999).map(({ book, chapter, verse, text }) => {
    const standard = standardVerses(numbering, { book, chapter, verse }).map(verseOrdinal);
    return { text, language: codes[language] ?? language, standard, span: [standard[0], standard.at(-1)] };
  });
}

/** Draws `count` items without repetition, in their order. */
function draw(items, count) {
  const drawn = new Set();
  while (drawn.size < Math.min(count, items.length)) drawn.add(Math.floor(random() * items.length));
  return [...drawn].sort((a, b) => a - b).map((at) => items[at]);
}

/** Cuts a text to its first words. */
function cut(text) {
  return text.split(/\s+/).filter(Boolean).slice(0, maxWords).join(' ');
}

/** Returns the spans that are short enough, or null if there is none. A span never crosses a chapter here. */
function shortSpans(spans) {
  const short = spans.filter(([first, last]) => last - first < maxVerses);
  return short.length > 0 ? short : null;
}

/** Each phrase of Nave's whole and without its topic: "aaron: rod of: buds" and "rod of buds". */
function makeTopics() {
  const excluded = new Set(readLines('packages/embeddings/evaluation/topics-of-questions.txt'));
  const rows = works.prepare('SELECT name, heading, text, spans FROM topic_entry JOIN topic ON topic.number = topic').all();
  return rows.flatMap(({ name, heading, text, spans }) => {
    const short = shortSpans(JSON.parse(spans));
    if (short === null || excluded.has(name)) return [];
    const details = [heading, text].filter((each) => each && !/scriptures concerning/i.test(each));
    const texts = [[name, ...details].join(': '), details.join(' ')];
    return texts.map((each) => ({
      source: 'topic',
      group: name,
      language: 'en',
      spans: short,
      text: cut(each.toLowerCase()),
    }));
  });
}

/** The titles of chapter outlines, and sentences of commentaries. */
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
      text: cut(each),
    });
    if (heading === 'Chapter outline')
      return [...text.matchAll(/^(.+?)\.? \((\d+)(?:[-,]\s?(\d+))?\)$/gm)].map(([, title, from, to = from]) =>
        pair('outline', [chapter * 1000 + Number(from), chapter * 1000 + Number(to)], title.toLowerCase()),
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

/** The names of named passages. */
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

/** The King James Version, which no verse vector has, whole or in part, and parts of Reina-Valera with words left out. */
function makeClauses() {
  const clauses = (identifier, share, dropped) =>
    (verses[identifier] ?? []).flatMap(({ text, language, span }) => {
      if (random() > share) return [];
      const words = text.split(/\s+/).filter(() => random() >= dropped);
      const length = Math.min(maxWords, Math.max(4, Math.ceil(words.length * (1 + 2 * random()) / 3)));
      const from = Math.floor(random() * Math.max(1, words.length - length + 1));
      const group = String(Math.floor(span[0] / 1000));
      return [{ source: identifier, group, language, spans: [span], text: words.slice(from, from + length).join(' ') }];
    });
  return [...clauses('eng-kjv', 0.6, 0), ...clauses('spa-rv1909', 0.3, 0.2)];
}

/** A verse in the words of the King James Version, with the verses to which commentators refer from it. */
function makeReferences() {
  const texts = new Map((verses['eng-kjv'] ?? []).flatMap(({ text, standard }) => standard.map((each) => [each, text])));
  const ids = new Map(works.prepare('SELECT number, id FROM source').all().map(({ number, id }) => [number, id]));
  const byVerse = new Map();
  for (const { verse, first, last, sources } of works.prepare('SELECT verse, first, last, sources FROM cross_reference').all())
    if (JSON.parse(sources).some((source) => referenceSources.includes(ids.get(source))))
      byVerse.set(verse, [...(byVerse.get(verse) ?? []), [first, last]]);
  return [...byVerse].flatMap(([verse, references]) => {
    const spans = shortSpans(references);
    const text = texts.get(verse);
    if (spans === null || text === undefined) return [];
    return [{ source: 'reference', group: String(Math.floor(verse / 1000)), language: 'en', spans, text: cut(text) }];
  });
}

/** The English glosses of the Hebrew or Greek words of a verse, one after the other, for every fourth verse. */
function makeGlosses() {
  const column = originals.prepare("SELECT numbers FROM word_column WHERE name = 'lemma'").pluck().get();
  const lemmasOf = (first, words) =>
    JSON.stringify(Array.from({ length: words }, (_, index) => column.readUInt16LE(2 * (first - 1 + index))));
  const statement = originals.prepare(
    'SELECT gloss FROM json_each(?) AS word JOIN lemma ON lemma.number = word.value ORDER BY word.key',
  );
  const rows = originals
    .prepare('SELECT standard, first_word, words FROM rendering JOIN verse ON verse.number = verse WHERE NOT is_partial')
    .all();
  return rows.flatMap(({ standard, first_word: first, words }) => {
    if (random() > 0.25) return [];
    const glosses = statement.all(lemmasOf(first, words)).flatMap(({ gloss }) => {
      const [word = ''] = (gloss ?? '').split(/[,;/]/);
      return word === '' || word.includes('(') ? [] : [word.trim()];
    });
    const group = String(Math.floor(standard / 1000));
    return [{ source: 'gloss', group, language: 'en', spans: [[standard, standard]], text: cut(glosses.join(' ')) }];
  });
}
