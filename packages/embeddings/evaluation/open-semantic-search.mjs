// Opens the built-in model and all data that semantic search ranks by: the shared vectors of
// verses, the words of verses, and the phrases of topics and outlines that `npm run data` has
// collected.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** @type {typeof import('../src/index.js')} */
const embeddings = require('../dist/index.js');
const { ordinalParts, verseOrdinal } = require('@lectern/canon');
const { openCorpus } = require('@lectern/corpus');
const {
  createBuiltInEmbedder,
  createLexicalOverlap,
  createSharedRows,
  indexWords,
  joinValues,
  lexicalBonus,
  noValues,
  openPhrases,
  openVectors,
  phrasesFile,
  rankSimilar,
  sharedVectorsFile,
  toSimilarity,
} = embeddings;

/** The number of verses that a search returns. */
const limit = 50;

/**
 * @param {string} dataDir
 * @param {object} [options]
 * @param {number} [options.cores]
 * @param {string} [options.translation]
 * @param {ReadonlySet<string>} [options.without] the names of topics that are not used for ranking
 */
export async function openSemanticSearch(dataDir, { cores = 2, translation = 'spa-rv1909', without = new Set() } = {}) {
  const startedAt = performance.now();
  const embedder = createBuiltInEmbedder({ cores, queueLength: 1000 });
  const [vectors] = await Promise.all([
    openVectors(sharedVectorsFile(dataDir, embedder.passageId), { embedder: embedder.passageId }),
    embedder.warm(),
  ]);
  const sharedRows = createSharedRows(vectors);
  const corpus = openCorpus(dataDir);
  const texts = [...new Set([translation, 'eng-web'])].map((each) => readWords(corpus, each, sharedRows));
  corpus.close();
  const lexicalOverlap = createLexicalOverlap(vectors.header.count);
  const ordinalsOfRow = groupByRow(texts[0]);
  const phrases = await openPhrases(phrasesFile(dataDir), {
    embedder: embedder.id,
    without,
  });
  const findPhraseBonus = phrases.createFindPhraseBonus(sharedRows.rowOfStandard);
  const loadMs = performance.now() - startedAt;

  /** @param {string} text */
  async function search(text) {
    const [vector = new Float32Array()] = await embedder.embedQueries([text]);
    const overlap = lexicalOverlap.score(text, texts);
    const bonus = joinValues(lexicalBonus(overlap ?? noValues), await findPhraseBonus(vector));
    const { indices, cosines, bonuses } = await vectors.nearestRows({ vector, limit, bonus });
    const found = Array.from(indices).flatMap((row, at) =>
      (ordinalsOfRow.get(row) ?? []).map((ordinal) => ({
        ordinal,
        similarity: toSimilarity(cosines[at] + bonuses[at]),
      })),
    );
    const similar = {
      ordinals: found.map(({ ordinal }) => ordinal),
      similarities: found.map(({ similarity }) => similarity),
    };
    return rankSimilar(similar, limit).map(({ ordinal }) => Object.values(ordinalParts(ordinal) ?? {}).join('.'));
  }
  const close = () => Promise.all([embedder.close(), vectors.close(), phrases.close()]);
  return { search, loadMs, close };
}

/**
 * Indexes the words of a translation in memory.
 * @param {import('@lectern/corpus').Corpus} corpus
 * @param {string} identifier
 * @param {import('../src/index.js').SharedRows} sharedRows
 */
function readWords(corpus, identifier, sharedRows) {
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  const { language, numbering, books } = translation;
  const verses = books.flatMap(({ code }) =>
    corpus.range(
      identifier,
      verseOrdinal({ book: code, chapter: 0, verse: 0 }),
      verseOrdinal({ book: code, chapter: 999, verse: 999 }),
    ),
  );
  const ordinals = verses.map(({ book, chapter, verse }) => verseOrdinal({ book, chapter, verse }));
  const words = indexWords(
    language,
    verses.map(({ text }) => text),
  );
  return {
    ...words,
    ordinals,
    rows: Int32Array.from(ordinals, (ordinal) => sharedRows.rowOf(ordinal, numbering) ?? -1),
  };
}

/** @param {ReturnType<typeof readWords>} words */
function groupByRow({ ordinals, rows }) {
  const byRow = new Map();
  for (const [verse, ordinal] of ordinals.entries())
    byRow.set(rows[verse], [...(byRow.get(rows[verse]) ?? []), ordinal]);
  return byRow;
}
