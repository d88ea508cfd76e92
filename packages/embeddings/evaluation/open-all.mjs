// What a question needs, as `npm run embeddings -- build` left it in the data folder.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const {
  lexicalOverlapFile,
  createBuiltInEmbedder,
  openLexicalOverlap,
  openVectors,
  vectorsFile,
} = require('../dist/index.js');

export async function openAll(dataDir, { cores = 2 } = {}) {
  const translation = 'spa-rv1909';
  const began = performance.now();
  const embedder = createBuiltInEmbedder({ cores, queueLength: 1000 });
  const [vectors, lexicalOverlap] = await Promise.all([
    openVectors(vectorsFile(dataDir, translation), { embedder: embedder.id, translation }),
    openLexicalOverlap(lexicalOverlapFile(dataDir, translation)),
    embedder.warm(),
  ]);
  return {
    embedder,
    vectors,
    lexicalOverlap,
    loadMs: performance.now() - began,
    close: () => Promise.all([embedder.close(), vectors.close()]),
  };
}
