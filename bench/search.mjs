// What a search costs inside the search subgraph, totals, facets and highlights included, beside FTS5 used the plain way: node bench/search.mjs
// Needs `npm run data`. The words are drawn from the verses themselves, and nothing between them remembers an answer.
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
const wordOfMost = 2_000;
const commonest = 50;

// The same numbers on every run (mulberry32).
let state = 20_240_501;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
const oneOf = (list) => list[Math.floor(random() * list.length)];

const corpus = openCorpus(join(folder, 'corpus.sqlite'));
const texts = corpus.translations.map(({ identifier, language }, edition) => {
  const verses = Array.from(corpus.eachVerse(identifier), ({ book, text }) => ({
    book,
    words: tokenize(text).map(({ folded }) => folded),
  }));
  const counts = new Map();
  for (const { words } of verses) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, commonest)
    .map(([word]) => word);
  return { edition, identifier, language, verses, counts, common };
});

/** One to four words of one verse; four queries in five of words with few hits, every fifth with one of the commonest among them. */
const query = (number) => {
  const { edition, identifier, verses, counts, common } = oneOf(texts);
  for (;;) {
    const { words } = oneOf(verses);
    const fewHits = [...new Set(words)].filter((word) => counts.get(word) < wordOfMost);
    const wanted = 1 + (number % 4);
    if (fewHits.length < wanted) continue;
    const chosen = fewHits.sort(() => random() - 0.5).slice(0, wanted);
    if (number % 5 === 0) chosen[Math.floor(random() * wanted)] = oneOf(common);
    return { edition, translation: identifier, words: chosen, query: chosen.join(' ') };
  }
};
const queries = Array.from({ length: rounds }, (_, number) => query(number));

const report = (name, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2).padStart(7);
  console.log(`  ${name.padEnd(44)} p50${at(0.5)}  p95${at(0.95)}  p99${at(0.99)}  worst${at(1)} ms`);
};

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} queries of one to four words in ${texts.map(({ identifier }) => identifier).join(', ')}\n`,
);

const subgraph = await createSearchSubgraph({ searchFile: join(folder, 'search.sqlite'), semantic: null });
const execute = executeInProcess(subgraph, silentLogger);
const document = `query S($query: String!, $translation: String, $after: String) { searchVerses(query: $query, translation: $translation, after: $after) {
  totalCount edges { cursor node { id bookName chapter verse text reference } matches { start length } }
  facets { byBook { bookId bookName count } byTestament { old new } } pageInfo { hasNextPage endCursor } } }`;
const ask = async (variables) => {
  const started = performance.now();
  const { data, errors } = await execute({ query: document, variables });
  const took = performance.now() - started;
  if (errors) throw new Error(errors[0].message);
  return { page: data.searchVerses, took };
};

const measured = [];
for (const { query: text, translation } of queries) measured.push(await ask({ query: text, translation }));
const commonOnes = measured.filter((_, number) => number % 5 === 0);
console.log('search subgraph, searchVerses with everything (25 verses)');
report(
  'all',
  measured.map(({ took }) => took),
);
report(
  'those of words with few hits',
  measured.filter((_, number) => number % 5 !== 0).map(({ took }) => took),
);
report(
  `those with one of the ${commonest} commonest words`,
  commonOnes.map(({ took }) => took),
);
const alone = [];
for (const { identifier, common } of texts)
  for (const word of common) alone.push((await ask({ query: word, translation: identifier })).took);
report(`each of the ${commonest} commonest words alone`, alone);

console.log('\nthe same page by page: `the` in eng-web');
const pages = [];
for (let after = null, more = true; more && pages.length < 800; ) {
  const { page, took } = await ask({ query: 'the', translation: 'eng-web', after });
  pages.push(took);
  ({ endCursor: after, hasNextPage: more } = page.pageInfo);
}
report('pages 1 to 20', pages.slice(0, 20));
report(`pages ${pages.length - 19} to ${pages.length}`, pages.slice(-20));

const unfitting = [];
for (const { words, translation } of queries.slice(0, 60)) {
  const misspelt = [`${words[0].slice(0, 2)}x${words[0].slice(2)}q`, ...words.slice(1)].join(' ');
  const started = performance.now();
  await execute({
    query:
      'query S($query: String!, $translation: String) { searchVerses(query: $query, translation: $translation) { totalCount suggestion } }',
    variables: { query: misspelt, translation },
  });
  unfitting.push(performance.now() - started);
}
console.log('\na misspelt word, with a suggestion');
report('all', unfitting);
subgraph.close();

// FTS5 as its manual shows it: one table for all editions, bm25, a count, and the facets by GROUP BY.
const scratch = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
try {
  const db = new Database(join(scratch, 'plain.sqlite'));
  db.pragma('journal_mode = OFF');
  db.exec(
    "CREATE TABLE verse (id INTEGER PRIMARY KEY, edition INTEGER, book TEXT); CREATE VIRTUAL TABLE fts USING fts5(exact, stem, content='', prefix='2 3 4', tokenize='ascii'); BEGIN",
  );
  const verse = db.prepare('INSERT INTO verse VALUES (?, ?, ?)');
  const row = db.prepare('INSERT INTO fts (rowid, exact, stem) VALUES (?, ?, ?)');
  let id = 0;
  for (const { edition, language, verses } of texts) {
    const stem = stemmerFor(language);
    for (const { book, words } of verses) {
      id += 1;
      verse.run(id, edition, book);
      row.run(id, words.join(' '), words.map(stem).join(' '));
    }
  }
  db.exec('COMMIT');
  const from = 'FROM fts JOIN verse ON verse.id = fts.rowid WHERE fts MATCH ? AND verse.edition = ?';
  const best = db.prepare(`SELECT fts.rowid ${from} ORDER BY bm25(fts), fts.rowid LIMIT 25`);
  const facets = db.prepare(`SELECT book, count(*) AS count ${from} GROUP BY book`);
  const times = queries.slice(0, 500).map(({ words, edition, translation }) => {
    const stem = stemmerFor(translation.slice(0, 3));
    const match = words.map((word) => `(exact : "${word}" * OR stem : "${stem(word)}")`).join(' AND ');
    const started = performance.now();
    best.all(match, edition);
    facets.all(match, edition);
    return performance.now() - started;
  });
  console.log('\nfor comparison: plain FTS5 (no tiers, no texts, no highlights), 500 of the queries');
  report('all', times);
  report(
    `those with one of the ${commonest} commonest words`,
    times.filter((_, number) => number % 5 === 0),
  );
  db.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
corpus.close();
