// Opens the search subgraph, to measure `semanticSearch` without HTTP. Needs `npm run build` and `npm run data`.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { verseOrdinal } = require('../../packages/canon/dist/index.js');
const { readSettings, silentLogger } = require('../../packages/serving/dist/index.js');
const { executeInProcess } = require('../../packages/subgraph/dist/index.js');
const {
  createSearchSubgraph,
  createSemanticOptions,
  semanticSettings,
} = require('../../services/search/dist/index.js');

const document = `query($query: String!, $translation: String, $limit: Int) {
  semanticSearch(query: $query, translation: $translation, limit: $limit) { verse { book: bookId chapter verse } }
}`;

/**
 * Opens all translations with the model that the settings EMBEDDINGS_ choose.
 * @param {string} dataDir
 * @param {{ without?: ReadonlySet<string> }} [options] `without`: the names of topics that are not used for ranking
 */
export async function openSemanticSearch(dataDir, { without } = {}) {
  const env = { ...process.env, SEMANTIC_TRANSLATIONS: '*', SEMANTIC_TIMEOUT_MS: '60000' };
  const settings = readSettings(env, semanticSettings);
  /** @type {any} */
  const semantic = await createSemanticOptions({ settings, dataDir, log: silentLogger });
  const subgraph = await createSearchSubgraph({ dataDir, semantic: { ...semantic, without } });
  const execute = executeInProcess(subgraph, silentLogger);
  return {
    /**
     * @param {string} query
     * @param {string} translation
     * @param {number} limit
     * @returns {Promise<number[]>} the ordinals of the verses, best first
     */
    async search(query, translation, limit) {
      /** @type {any} */
      const { data, errors } = await execute({ query: document, variables: { query, translation, limit } });
      if (errors) throw new Error(errors[0].message);
      return data.semanticSearch.map(({ verse }) => verseOrdinal(verse));
    },
    close: () => subgraph.close(),
  };
}
