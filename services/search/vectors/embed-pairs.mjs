// Embeds the first texts of the training pairs as queries, and writes what train-verse-vectors.py reads. The vectors of
// topics and outlines come from phrases.vec, which has nearly all of them.
//
//     node services/search/vectors/embed-pairs.mjs PAIRS.tsv FOLDER [DATA_DIR [TEXTS]]
//
// - verses.i8: the shared vectors before training
// - queries.f32, starts.i32, rows.i32, weights.f32: the vector of each pair, and the rows of its verses with weights
// - pairs.json: the source of each pair
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { createBuiltInEmbedder, readVectors } = require('@lectern/embeddings');
const { hashPhrase, phrasesFile, readPhrases } = require('../dist/semantic/phrases-file.js');
const { createSharedRows, sharedVectorsFile } = require('../dist/semantic/shared-rows.js');

const [file, folder, dataDir = join(dirname(fileURLToPath(import.meta.url)), '../../../data'), texts = '11400'] =
  process.argv.slice(2);
if (folder === undefined) {
  console.error('Give the pairs and a folder: node services/search/vectors/embed-pairs.mjs PAIRS.tsv FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const write = (name, array) =>
  writeFileSync(join(folder, name), Buffer.from(array.buffer, array.byteOffset, array.byteLength));
const writeJson = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));

const embedder = createBuiltInEmbedder({ cores: 2, queueLength: 1_000 });
const { ordinals, rows: table, dimensions } = await readVectors(sharedVectorsFile(dataDir, embedder.passageId));
write('verses.i8', table);
const { rowOfStandard } = createSharedRows({ ordinals, rowOf: () => null });

/** Returns the rows of the verses in `spans`, with their weights: a verse of a long span weighs less. */
function rowsOf(spans) {
  const weights = new Map();
  for (const span of spans.split(';')) {
    const [first, last] = span.split('-').map(Number);
    const found = [];
    for (let ordinal = first; ordinal <= last && found.length <= 60; ordinal += 1) {
      if (ordinal % 1000 > 176) ordinal += 1000 - (ordinal % 1000);
      const row = rowOfStandard(ordinal);
      if (row !== null) found.push(row);
    }
    const weight = found.length <= 3 ? 1 : found.length <= 15 ? 0.4 : 0.25;
    for (const row of found) weights.set(row, Math.max(weight, weights.get(row) ?? 0));
  }
  return [...weights];
}

const phrases = await readPhrases(phrasesFile(dataDir), { embedder: embedder.id });
const { length: hashLength } = hashPhrase('');
const phraseOfHash = new Map();
for (let at = 0; at * hashLength < phrases.hashes.length; at += 1)
  phraseOfHash.set(Buffer.from(phrases.hashes.subarray(at * hashLength, (at + 1) * hashLength)).toString('hex'), at);

/** Returns the vector of a phrase of topics or outlines, or null. */
function vectorOfPhrase(text) {
  const at = phraseOfHash.get(hashPhrase(text).toString('hex'));
  if (at === undefined) return null;
  const row = phrases.rows.subarray(at * dimensions, (at + 1) * dimensions);
  const length = Math.hypot(...row);
  return Float32Array.from(row, (value) => value / length);
}

const pairs = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([source, , , spans, text]) => ({ source, text, verses: rowsOf(spans), vector: vectorOfPhrase(text) }))
  .filter(({ verses }) => verses.length > 0);
const unknown = pairs
  .filter(({ source, vector }) => vector === null && source !== 'topic' && source !== 'outline')
  .slice(0, Number(texts));
for (let from = 0; from < unknown.length; from += 50) {
  const part = unknown.slice(from, from + 50);
  const embedded = await embedder.embedQueries(part.map(({ text }) => text));
  for (const [at, pair] of part.entries()) pair.vector = embedded[at];
  if (from % 1_000 === 0) console.log(`${from} of ${unknown.length} texts embedded`);
}
const used = pairs.filter(({ vector }) => vector !== null);
writeJson(
  'pairs.json',
  used.map(({ source }) => source),
);
write('queries.f32', Float32Array.from(used.flatMap(({ vector }) => [...vector])));
const verses = used.flatMap((pair) => pair.verses);
const starts = new Int32Array(used.length + 1);
for (const [at, pair] of used.entries()) starts[at + 1] = starts[at] + pair.verses.length;
write('starts.i32', starts);
write(
  'rows.i32',
  Int32Array.from(verses, ([row]) => row),
);
write(
  'weights.f32',
  Float32Array.from(verses, ([, weight]) => weight),
);
await embedder.close();
