// Trains query-kinds.json, the classifier of queries: a softmax regression on the vector of a query and its
// largest lexical overlap with a verse. It tells whether a query has to do with the Bible, and whether the person who
// asks is in distress or celebrates an occasion, by the needs of ../needs.tsv. Reads query-kinds.tsv (kind,
// language, query). Examples of related queries are also the names of passages, the questions of ../questions.txt in
// which nobody speaks of themselves, and drawn clauses and words of verses. Needs the built packages and the data
// folder; takes some eight minutes:
//
// node services/search/query-kinds/train-query-kinds.mjs [FILE.tsv ...]
//
// With other files in the format of query-kinds.tsv, prints a table: how many queries of each kind the classifier
// assigns to each kind.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMeasured } from '../../../packages/embeddings/model/train/measured-queries.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const dataDir = join(folder, '..', '..', '..', 'data');
const require = createRequire(import.meta.url);
const { createBuiltInEmbedder } = require('@lectern/embeddings');
const { readQuestions } = require('../dist/semantic/build-phrases.js');
const { createLexicalOverlap } = require('../dist/semantic/lexical-overlap.js');
const { openSearchFiles } = require('../dist/store.js');
const { createClassifyQuery } = require('../dist/semantic/query-kind.js');
const { namedPassages } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');

const needs = join(folder, '..', 'needs.tsv');
/** The translations with whose verses the words of a query are compared. */
const translationsOf = (language) => (language === 'en' ? ['eng-kjv', 'eng-web'] : ['spa-rv1909', 'eng-web']);
/** A question with one of these words may be that of a person in distress. */
const personal =
  /(?<!\p{L})(i|i'm|i've|me|my|we|our|mi|mis|me|yo|nos|nuestr[oa]s?|estoy|tengo|siento|soy|ich|mir|mich|mein\p{L}*|unser\p{L}*|je|j'\p{L}+|moi|mon|ma|mes|io|mio|mia|miei|sono|ho|eu|meu|minha|estou|tenho|sou)(?!\p{L})/iu;
const books = ['JOB', 'PSA', 'ECC', 'ISA', 'JER', 'LAM', 'JON', 'RUT', '1SA', '2SA', '1KI', 'HOS', 'MAT', 'LUK', 'JHN', '2CO'];
const clausesOfTranslation = 1_200;
const wordsOfTranslation = 200;
/**
 * A factor for the lexical overlap: vectors have coordinates of about 0.05, and the overlap should have a similar
 * scale.
 */
const overlapScale = 0.1;
const epochs = 25;
const batchSize = 64;
const maxRate = 0.4;
const decay = 1e-5;

/** Draws numbers from 0 to 1, the same in each run (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const readQueries = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([kind, language, query]) => ({ kind, language, query }));

/** Draws clauses of at most 14 words of the books that lament most, and words of all verses, as related queries. */
function drawQueries(verses, language, random) {
  const draw = (list, count) => Array.from({ length: count }, () => list[Math.floor(random() * list.length)]);
  const clauses = verses
    .filter(({ book }) => books.includes(book))
    .flatMap(({ text }) => text.split(/[.;:!?]\s+/))
    .map((clause) => clause.split(/\s+/).slice(0, 14))
    .filter((words) => words.length >= 4)
    .map((words) => words.join(' '));
  const words = [...new Set(verses.flatMap(({ text }) => text.match(/\p{L}{5,}/gu) ?? []))];
  return [...draw(clauses, clausesOfTranslation), ...draw(words, wordsOfTranslation)].map((query) => ({
    kind: 'RELATED',
    language,
    query,
  }));
}

function readTexts() {
  const corpus = openCorpus(dataDir);
  const verses = Object.fromEntries(
    ['eng-kjv', 'eng-web', 'spa-rv1909'].map((identifier) => [identifier, corpus.range(identifier, 1, 99_999_999)]),
  );
  corpus.close();
  return verses;
}

/** Appends the feature of the lexical overlap and a constant to the vector of each query. */
async function readFeatures(queries, texts) {
  const embedder = createBuiltInEmbedder({ cores: 2, queueLength: 1_000 });
  // Vectors of an earlier run, so that a change of the queries takes seconds.
  const cacheFile = join(tmpdir(), `query-kinds-${embedder.id}.json`);
  const cache = new Map(existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : []);
  const files = openSearchFiles({ dataDir });
  const index = Object.fromEntries(
    Object.keys(texts).map((identifier) => {
      const { ordinals, stemsOf, stemOccurrences: occurrences } = files.use(identifier).index.read();
      const rows = Int32Array.from(ordinals, (_, row) => row);
      return [identifier, { verseCount: ordinals.length, stemsOf, occurrences, rows }];
    }),
  );
  const { score } = createLexicalOverlap(Math.max(...Object.values(index).map(({ verseCount }) => verseCount)));
  const features = [];
  for (const { query, language } of queries) {
    if (!cache.has(query)) {
      const [vector] = await embedder.embedQueries([query]);
      cache.set(query, Array.from(vector, (each) => Number(each.toFixed(5))));
    }
    const vector = cache.get(query);
    const overlaps = score(query, translationsOf(language).map((identifier) => index[identifier])).values;
    features.push([...vector, overlaps.reduce((max, each) => Math.max(max, each), 0) * overlapScale, 1]);
  }
  await embedder.close();
  files.close();
  writeFileSync(cacheFile, JSON.stringify([...cache]));
  return { features, embedder: embedder.id };
}
const probabilities = (feature, weights) => {
  const sums = weights.map((row) => row.reduce((sum, weight, at) => sum + weight * feature[at], 0));
  const largest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - largest));
  const total = powers.reduce((sum, each) => sum + each, 0);
  return powers.map((each) => each / total);
};

/** Minimizes the cross entropy with Adam on small batches. Returns a row of weights for each kind. */
function train(features, kindOf, kinds, random) {
  const size = features[0].length;
  const rows = () => kinds.map(() => new Float64Array(size));
  const [weights, first, second] = [rows(), rows(), rows()];
  const steps = Math.ceil((epochs * features.length) / batchSize);
  for (let step = 1; step <= steps; step += 1) {
    const gradient = rows();
    for (let drawn = 0; drawn < batchSize; drawn += 1) {
      const at = Math.floor(random() * features.length);
      const found = probabilities(features[at], weights);
      for (const [kind, row] of gradient.entries()) {
        const error = (found[kind] - (kindOf[at] === kind ? 1 : 0)) / batchSize;
        for (let i = 0; i < size; i += 1) row[i] += error * features[at][i];
      }
    }
    const rate = (maxRate * (1 - step / steps)) / (1 - 0.9 ** step);
    for (const [kind, row] of weights.entries())
      for (let i = 0; i < size; i += 1) {
        const slope = gradient[kind][i] + (i < size - 1 ? decay * row[i] : 0);
        first[kind][i] = 0.9 * first[kind][i] + 0.1 * slope;
        second[kind][i] = 0.999 * second[kind][i] + 0.001 * slope * slope;
        row[i] -= (rate * first[kind][i]) / (Math.sqrt(second[kind][i] / (1 - 0.999 ** step)) + 1e-8);
      }
  }
  return weights;
}

const random = createRandom(1);
const texts = readTexts();
const queries = [
  ...readQueries(join(folder, 'query-kinds.tsv')),
  ...Object.entries(texts).flatMap(([identifier, verses]) =>
    drawQueries(verses, identifier.startsWith('spa') ? 'es' : 'en', random),
  ),
];
const known = new Set(queries.map(({ query }) => query.toLowerCase()));
for (const [language, query] of [
  ...readQuestions().map(({ text }) => ['other', text]),
  ...namedPassages().flatMap(({ names }) => [...names.eng.map((name) => ['en', name]), ...names.spa.map((name) => ['es', name])]),
])
  if (!known.has(query.toLowerCase()) && !personal.test(query) && !isMeasured(query))
    queries.push({ kind: 'RELATED', language, query });
const groups = new Map(
  readFileSync(needs, 'utf8').trimEnd().split('\n').slice(1).map((line) => line.split('\t').slice(0, 2)),
);
const kinds = [...new Set(['RELATED', 'UNRELATED', ...queries.map(({ kind }) => kind)])];
const kindOf = ({ kind }) => (kind === 'RELATED' || kind === 'UNRELATED' ? kind : (groups.get(kind) ?? 'DISTRESS'));
const { features, embedder } = await readFeatures(queries, texts);
const weights = train(
  features,
  queries.map(({ kind }) => kinds.indexOf(kind)),
  kinds,
  random,
);
const rounded = weights.map((row) => Array.from(row, (weight) => Number(weight.toPrecision(4))));
writeFileSync(
  join(folder, 'query-kinds.json'),
  `${JSON.stringify({
    embedder,
    kinds: kinds.map((kind, at) => ({
      kind,
      group: groups.get(kind) ?? kind,
      bias: rounded[at].at(-1),
      overlap: Number((rounded[at].at(-2) * overlapScale).toPrecision(4)),
      weights: rounded[at].slice(0, -2),
    })),
  })}\n`,
);

// The service's own function reads the file that was just written.
const classify = createClassifyQuery(embedder);
for (const file of process.argv.slice(2)) {
  const tested = readQueries(file);
  const { features: testedFeatures } = await readFeatures(tested, texts);
  const found = testedFeatures.map((feature) => {
    const { isRelated, need } = classify(feature.slice(0, -2), feature.at(-2) / overlapScale);
    if (need) return groups.get(need.id);
    return isRelated ? 'RELATED' : 'UNRELATED';
  });
  process.stdout.write(`${file}\n`);
  for (const kind of ['RELATED', 'UNRELATED', 'DISTRESS', 'OCCASION'])
    for (const as of ['RELATED', 'UNRELATED', 'DISTRESS', 'OCCASION']) {
      const queries = tested.filter((each, at) => kindOf(each) === kind && found[at] === as);
      process.stdout.write(`${kind} as ${as}: ${queries.length}\n`);
      if (kind !== as) process.stdout.write(queries.map(({ query }) => `    ${query}\n`).join(''));
    }
}
