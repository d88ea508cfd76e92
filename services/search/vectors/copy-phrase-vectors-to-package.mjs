// Writes phrases.vec beside this file, which Lectern ships, so that `npm run data` need not compute
// the vectors of these phrases: it finds the vector of a phrase by the hash of the phrase. Copies only
// hashes and vectors from the data folder. The text, verses and topics of the phrases are left out,
// because they come from modules that Lectern must not ship.
// Usage: node services/search/vectors/copy-phrase-vectors-to-package.mjs [DATA_DIR]
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
/** @type {typeof import('../src/semantic/phrases-file.js')} */
const { phraseCount, phrasesFile, readPhrases, writePhrases } = require('../dist/semantic/phrases-file.js');

const phrases = await readPhrases(phrasesFile(process.argv[2] ?? join(process.cwd(), 'data')));
await writePhrases(join(dirname(fileURLToPath(import.meta.url)), 'phrases.vec'), {
  ...phrases,
  starts: new Uint32Array(phraseCount(phrases) + 1),
  verses: new Int32Array(),
  weights: new Float32Array(),
  labels: [],
  labelOf: new Uint32Array(phrases.labelOf.length),
});
