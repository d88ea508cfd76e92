// Opens the built-in model with the vectors and the word index that `npm run embeddings -- build`
// made in the data folder.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** @type {typeof import('../src/index.js')} */
const embeddings = require('../dist/index.js');
const { lexicalOverlapFile, createBuiltInEmbedder, openLexicalOverlap, openVectors, vectorsFile } = embeddings;

/** @param {string} dataDir */
export async function openAll(dataDir, { cores = 2 } = {}) {
  const translation = 'spa-rv1909';
  const startedAt = performance.now();
  const embedder = createBuiltInEmbedder({ cores, queueLength: 1000 });
  const [vectors, lexicalOverlap] = await Promise.all([
    openVectors(vectorsFile(dataDir, translation), { embedder: embedder.passageId, translation }),
    openLexicalOverlap(lexicalOverlapFile(dataDir, translation)),
    embedder.warm(),
  ]);
  return {
    embedder,
    vectors,
    lexicalOverlap,
    loadMs: performance.now() - startedAt,
    close: () => Promise.all([embedder.close(), vectors.close()]),
  };
}
