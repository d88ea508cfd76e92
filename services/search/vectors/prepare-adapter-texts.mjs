// Tokenizes the texts with which the question adapter is trained, and writes what train-question-adapter.py reads:
//
//     node services/search/vectors/prepare-adapter-texts.mjs PAIRS.tsv FOLDER [DATA_DIR]
//
// PAIRS.tsv is what make-pairs.mjs wrote. The questions of ../questions.txt are added, each with the number of its block.
// - texts.json: source, block, tokens, rows and weights of each text
// - verses.json: the tokens of each row's verse in eng-kjv and in spa-rv1909
// - measured.json: the tokens of the queries that measure search, to leave out blocks that resemble them
// - verses.i8: the shipped vectors of verses, which training leaves as they are
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuredTexts } from '../../../packages/embeddings/model/train/measured-queries.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(here, '../../../packages/embeddings');
const require = createRequire(import.meta.url);
const { Tokenizer } = createRequire(join(packageFolder, 'package.json'))('@huggingface/tokenizers');
const { verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');
const { builtInModel, readVectors } = require('@lectern/embeddings');
const { readQuestions } = require('../dist/semantic/build-phrases.js');
const { createSharedRows, sharedVectorsFile } = require('../dist/semantic/shared-rows.js');

const [file, folder, dataDir = join(here, '../../../data')] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Give the pairs and a folder: node services/search/vectors/prepare-adapter-texts.mjs PAIRS.tsv FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const writeJson = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));

const tokenizer = new Tokenizer(JSON.parse(readFileSync(join(packageFolder, 'model/tokenizer.json'), 'utf8')), {});
const tokenize = (text) => tokenizer.encode(`${builtInModel.queryPrefix}${text}`).ids;
const { ordinals, rows: table } = await readVectors(sharedVectorsFile(dataDir, builtInModel.passageId));
writeFileSync(join(folder, 'verses.i8'), Buffer.from(table.buffer, table.byteOffset, table.byteLength));
const rowOfShared = new Map(Array.from(ordinals, (ordinal, row) => [ordinal, row]));
const sharedRows = createSharedRows({ ordinals, rowOf: (ordinal) => rowOfShared.get(ordinal) ?? null });

/** Returns the rows of the verses in `spans`, with their weights: a verse of a long span weighs less. */
function rowsOf(spans) {
  const weights = new Map();
  for (const [first, last] of spans) {
    const found = [];
    for (let ordinal = first; ordinal <= last && found.length <= 60; ordinal += 1) {
      if (ordinal % 1000 > 176) ordinal += 1000 - (ordinal % 1000);
      const row = sharedRows.rowOfStandard(ordinal);
      if (row !== null) found.push(row);
    }
    if (found.length > 30) continue;
    const weight = found.length <= 3 ? 1 : found.length <= 15 ? 0.4 : 0.25;
    for (const row of found) weights.set(row, Math.max(weight, weights.get(row) ?? 0));
  }
  return { rows: [...weights.keys()], weights: [...weights.values()] };
}

const blocks = new Map();
const blockOf = (passages) => {
  const key = JSON.stringify(passages);
  if (!blocks.has(key)) blocks.set(key, blocks.size);
  return blocks.get(key);
};
const questions = readQuestions().map(({ text, passages }) => ({
  source: 'question',
  block: blockOf(passages),
  ids: tokenize(text),
  ...rowsOf(passages.map(({ first, last }) => [first, last])),
}));
const pairs = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([source, , , spans, text]) => ({
    source,
    block: -1,
    ids: tokenize(text),
    ...rowsOf(
      spans
        .split(';')
        .map((span) => span.split('-').map(Number))
        .map(([first, last = first]) => [first, last]),
    ),
  }));
writeJson(
  'texts.json',
  [...questions, ...pairs].filter(({ rows }) => rows.length > 0),
);
writeJson('measured.json', [...new Set(measuredTexts)].filter(Boolean).map(tokenize));
const corpus = openCorpus(dataDir);
const versesOf = (identifier, rowOf) => {
  const tokens = Array.from(ordinals, () => null);
  for (const verse of corpus.range(identifier, 1, 99_999_999)) {
    const row = rowOf(verseOrdinal(verse));
    if (row !== null && row !== undefined) tokens[row] ??= tokenize(verse.text);
  }
  return tokens;
};
writeJson('verses.json', {
  kjv: versesOf('eng-kjv', sharedRows.rowOfStandard),
  rv: versesOf('spa-rv1909', (ordinal) => rowOfShared.get(ordinal)),
});
corpus.close();
console.log(`${questions.length} questions in ${blocks.size} blocks, ${pairs.length} other texts`);
