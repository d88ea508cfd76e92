// Measures full-text search in the search subgraph, without HTTP, and compares the subgraph with plain
// SQLite FTS5: node bench/full-text-search.mjs. Each search includes the total, facets and highlights. The words are
// drawn from random verses. No response is cached.
// Needs `npm run build` and `npm run data`. Setting: QUERIES.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const Database = createRequire(require.resolve('../services/search/package.json'))('better-sqlite3');
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');
const { createSearchSubgraph } = require('../services/search/dist/index.js');
const { stemmerFor, tokenize } = require('../packages/words/dist/index.js');

const folder = process.env.LECTERN_DATA ?? 'data';
const rounds = Number(process.env.QUERIES ?? 2_000);
/** A word with fewer hits than this counts as rare. */
const maxRareHits = 2_000;
const frequentWords = 50;

// A random generator with a fixed seed (mulberry32), so that each run sends the same queries.
let state = 20_240_501;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
const pickOne = (list) => list[Math.floor(random() * list.length)];

const corpus = openCorpus(folder);
const texts = corpus.translations.map(({ identifier, language }, translationIndex) => {
  const verses = Array.from(corpus.eachVerse(identifier), ({ book, text }) => ({
    book,
    words: tokenize(text).map(({ folded }) => folded),
  }));
  const counts = new Map();
  for (const { words } of verses) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, frequentWords)
    .map(([word]) => word);
  return { translationIndex, identifier, language, verses, counts, common };
});

/** Draws one to four rare words of one verse. In each fifth query, one of the words is replaced by a frequent word. */
const drawQuery = (number) => {
  const { translationIndex, identifier, verses, counts, common } = pickOne(texts);
  for (;;) {
    const { words } = pickOne(verses);
    const rareWords = [...new Set(words)].filter((word) => counts.get(word) < maxRareHits);
    const wordCount = 1 + (number % 4);
    if (rareWords.length < wordCount) continue;
    const chosen = rareWords.sort(() => random() - 0.5).slice(0, wordCount);
    if (number % 5 === 0) chosen[Math.floor(random() * wordCount)] = pickOne(common);
    return { translationIndex, translation: identifier, words: chosen, query: chosen.join(' ') };
  }
};
const queries = Array.from({ length: rounds }, (_, number) => drawQuery(number));

const report = (name, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2).padStart(7);
  console.log(`  ${name.padEnd(44)} p50${at(0.5)}  p95${at(0.95)}  p99${at(0.99)}  max${at(1)} ms`);
};

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} queries of one to four words in ${texts.map(({ identifier }) => identifier).join(', ')}\n`,
);

const subgraph = await createSearchSubgraph({ dataDir: folder, semantic: null });
const execute = executeInProcess(subgraph, silentLogger);
const document = `query S($query: String!, $translation: String, $after: String) { searchVerses(query: $query, translation: $translation, after: $after) {
  totalCount edges { cursor node { id bookName chapter verse text reference } matches { start length } }
  facets { byBook { bookId bookName count } byTestament { old new } } pageInfo { hasNextPage endCursor } } }`;
const search = async (variables) => {
  const started = performance.now();
  const { data, errors } = await execute({ query: document, variables });
  const took = performance.now() - started;
  if (errors) throw new Error(errors[0].message);
  return { page: Object(data).searchVerses, took };
};

const measured = [];
for (const { query: text, translation } of queries) measured.push(await search({ query: text, translation }));
const withFrequentWord = measured.filter((_, number) => number % 5 === 0);
console.log('search subgraph, searchVerses with all fields (25 verses)');
report(
  'all',
  measured.map(({ took }) => took),
);
report(
  'only rare words',
  measured.filter((_, number) => number % 5 !== 0).map(({ took }) => took),
);
report(
  `with one of the ${frequentWords} most frequent words`,
  withFrequentWord.map(({ took }) => took),
);
const alone = [];
for (const { identifier, common } of texts)
  for (const word of common) alone.push((await search({ query: word, translation: identifier })).took);
report(`each of the ${frequentWords} most frequent words alone`, alone);

console.log('\npage by page: `the` in eng-web');
const pages = [];
for (let after = null, hasMore = true; hasMore && pages.length < 800; ) {
  const { page, took } = await search({ query: 'the', translation: 'eng-web', after });
  pages.push(took);
  ({ endCursor: after, hasNextPage: hasMore } = page.pageInfo);
}
report('pages 1 to 20', pages.slice(0, 20));
report(`pages ${pages.length - 19} to ${pages.length}`, pages.slice(-20));

const misspeltTimes = [];
for (const { words, translation } of queries.slice(0, 60)) {
  const misspelt = [`${words[0].slice(0, 2)}x${words[0].slice(2)}q`, ...words.slice(1)].join(' ');
  const started = performance.now();
  await execute({
    query:
      'query S($query: String!, $translation: String) { searchVerses(query: $query, translation: $translation) { totalCount suggestion } }',
    variables: { query: misspelt, translation },
  });
  misspeltTimes.push(performance.now() - started);
}
console.log('\nmisspelt word, with a suggestion');
report('all', misspeltTimes);
subgraph.close();

// Builds an index with FTS5 as its manual describes. It has one table for all translations, ranks with
// bm25, and counts facets with SQL.
const scratch = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
try {
  const db = new Database(join(scratch, 'plain.sqlite'));
  db.pragma('journal_mode = OFF');
  db.exec(
    "CREATE TABLE verse (id INTEGER PRIMARY KEY, translation INTEGER, book TEXT); CREATE VIRTUAL TABLE fts USING fts5(exact, stem, content='', prefix='2 3 4', tokenize='ascii'); BEGIN",
  );
  const verse = db.prepare('INSERT INTO verse VALUES (?, ?, ?)');
  const row = db.prepare('INSERT INTO fts (rowid, exact, stem) VALUES (?, ?, ?)');
  let id = 0;
  for (const { translationIndex, language, verses } of texts) {
    const stem = stemmerFor(language);
    for (const { book, words } of verses) {
      id += 1;
      verse.run(id, translationIndex, book);
      row.run(id, words.join(' '), words.map(stem).join(' '));
    }
  }
  db.exec('COMMIT');
  const from = 'FROM fts JOIN verse ON verse.id = fts.rowid WHERE fts MATCH ? AND verse.translation = ?';
  const best = db.prepare(`SELECT fts.rowid ${from} ORDER BY bm25(fts), fts.rowid LIMIT 25`);
  const facets = db.prepare(`SELECT book, count(*) AS count ${from} GROUP BY book`);
  const times = queries.slice(0, 500).map(({ words, translationIndex, translation }) => {
    const stem = stemmerFor(translation.slice(0, 3));
    const match = words.map((word) => `(exact : "${word}" * OR stem : "${stem(word)}")`).join(' AND ');
    const started = performance.now();
    best.all(match, translationIndex);
    facets.all(match, translationIndex);
    return performance.now() - started;
  });
  console.log('\nfor comparison: plain FTS5 (no tiers, texts or highlights), 500 of the queries');
  report('all', times);
  report(
    `with one of the ${frequentWords} most frequent words`,
    times.filter((_, number) => number % 5 === 0),
  );
  db.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
corpus.close();
