// Opens the built-in model and all data that semantic search ranks by: the shared vectors of
// verses, the words of verses, and the phrases of topics, outlines and questions that `npm run data` has
// collected.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { createBuiltInEmbedder } = require('@lectern/embeddings');
/** @type {typeof import('../../services/search/src/semantic/ranking.js')} */
const { openRanking } = require('../../services/search/dist/semantic/ranking.js');
const { ordinalParts } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');

/** The number of verses that a search returns. */
const limit = 50;

/**
 * @param {string} dataDir
 * @param {object} [options]
 * @param {number} [options.cores]
 * @param {string} [options.translation]
 * @param {ReadonlySet<string>} [options.without] the names of topics that are not used for ranking
 * @param {string} [options.file] the vectors of verses (default: the shared vectors)
 */
export async function openSemanticSearch(dataDir, { cores = 2, translation = 'spa-rv1909', ...options } = {}) {
  const startedAt = performance.now();
  const embedder = createBuiltInEmbedder({ cores, queueLength: 1000 });
  const corpus = openCorpus(dataDir);
  if (!corpus.translation(translation)) throw new Error(`the corpus has no translation ${translation}`);
  const [ranking] = await Promise.all([
    openRanking({ dataDir, corpus, embedder, translation, ...options }),
    embedder.warm(),
  ]);
  corpus.close();
  const loadMs = performance.now() - startedAt;
  return {
    ...ranking,
    embedder,
    loadMs,
    /** @param {string} text */
    search: async (text) =>
      (await ranking.search(text, limit)).map(({ ordinal }) => Object.values(ordinalParts(ordinal) ?? {}).join('.')),
    close: () => Promise.all([embedder.close(), ranking.close()]),
  };
}
