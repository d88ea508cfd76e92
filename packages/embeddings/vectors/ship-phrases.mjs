// Writes phrases.vec beside this file: the vectors of the phrases in the data folder by the hash of
// each phrase, without its text, its verses and its topic.
// Usage: node packages/embeddings/vectors/ship-phrases.mjs [DATA_DIR]
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
/** @type {typeof import('../src/phrases-file.js')} */
const { phraseCount, phrasesFile, readPhrases, writePhrases } = require('../dist/phrases-file.js');

const phrases = await readPhrases(phrasesFile(process.argv[2] ?? join(process.cwd(), 'data')));
await writePhrases(join(dirname(fileURLToPath(import.meta.url)), 'phrases.vec'), {
  ...phrases,
  starts: new Uint32Array(phraseCount(phrases) + 1),
  verses: new Int32Array(),
  weights: new Float32Array(),
  labels: [],
  labelOf: new Uint32Array(phrases.labelOf.length),
});
