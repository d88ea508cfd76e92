import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { tokenize } = require('../../packages/words/dist/index.js');

const documents = {
  verse:
    'query Verse($book: String!, $chapter: Int!, $verse: Int!) { verse(book: $book, chapter: $chapter, verse: $verse) { bookId bookName chapter verse text reference } }',
  chapter:
    'query Chapter($book: String!, $chapter: Int!) { chapter(book: $book, chapter: $chapter) { id bookName chapter verse text } }',
  search: 'query Search($words: String!) { search(query: $words) { id bookName chapter verse text reference } }',
  entities:
    'query Entities($words: String!) { search(query: $words, translation: "eng-kjv", limit: 10) { id reference text inTranslation(identifier: "spa-rv1909") { reference text } } }',
  study:
    'query Study($words: String!) { search(query: $words, translation: "eng-kjv", limit: 5) { id reference text inTranslation(identifier: "spa-rv1909") { reference text } words { text strongs { number } } } }',
};

const about = {
  verse: 'one verse: one fetch, of the text subgraph',
  chapter: 'the verses of one chapter: one fetch, of the text subgraph',
  search: 'the first 25 verses with two words, and their texts: one fetch, of the search subgraph',
  entities:
    '10 verses with two words, each beside the Spanish one: a fetch of the search subgraph, then one of the text subgraph',
  study:
    "5 verses with two words, each beside the Spanish one and with its words and their Strong's numbers: a fetch of the search subgraph, then two at a time, of the text and the concordance subgraph",
  mix: 'of five requests two are `verse`, one `chapter`, one `search` and one `entities`',
};

/**
 * Operations that are also measured with one constant request on all connections. `study` is left out,
 * because its result would be like that of `entities`.
 */
const withConstant = new Set(['verse', 'chapter', 'search', 'entities', 'mix']);

const constantName = (name) => `${name}-constant`;

export const operationNames = Object.keys(about).flatMap((name) =>
  withConstant.has(name) ? [name, constantName(name)] : [name],
);

/** The number of different turns (lists of requests) of an operation. */
const differentTurns = 640;

/**
 * Builds a request. `body` is the GraphQL request. json-routes.mjs is a server without GraphQL: `path` is
 * the path of the same request there, or null if it does not support the operation. It responds with
 * the value of `field`.
 *
 * @param {string} document
 * @param {object} variables
 * @param {{ field?: string, path?: string | null }} [options]
 */
const request = (document, variables, { field = document, path = null } = {}) => ({
  field,
  body: JSON.stringify({ query: documents[document], variables }),
  path,
});

const requests = {
  verse: ({ book, chapter, verse }) =>
    request('verse', { book, chapter, verse }, { path: `/verse/${book}/${chapter}/${verse}` }),
  chapter: ({ book, chapter }) => request('chapter', { book, chapter }, { path: `/chapter/${book}/${chapter}` }),
  search: (words) => request('search', { words }, { path: `/search/${encodeURIComponent(words)}` }),
  entities: (words) =>
    request('entities', { words }, { field: 'search', path: `/entities/${encodeURIComponent(words)}` }),
  study: (words) => request('study', { words }, { field: 'search' }),
};

/** The request whose response shows that a gateway is ready. */
export const probe = requests.verse({ book: 'JHN', chapter: 3, verse: 16 });

/**
 * Creates the operations to measure. An operation is a list of turns; a turn is a list of requests that
 * one connection sends in order. A `-constant` operation has one turn for all connections. Other
 * operations have many turns, divided among the connections. `random` returns a number from 0 to 1.
 */
export function createOperations(corpus, random) {
  const pickOne = (list) => list[Math.floor(random() * list.length)];
  const english = readTranslation(corpus, 'eng-web');
  const kingJames = readTranslation(corpus, 'eng-kjv');

  const constantRequests = {
    verse: probe,
    chapter: requests.chapter({ book: 'JHN', chapter: 3 }),
    search: requests.search('shepherd sheep'),
    entities: requests.entities('shepherd sheep'),
    study: requests.study('shepherd sheep'),
  };
  const randomRequests = {
    verse: () => requests.verse(pickOne(english.places)),
    chapter: () => requests.chapter(pickOne(english.chapters)),
    search: () => requests.search(twoWords(english, pickOne, random)),
    entities: () => requests.entities(twoWords(kingJames, pickOne, random)),
    study: () => requests.study(twoWords(kingJames, pickOne, random)),
  };
  const turn = (name, create) =>
    name === 'mix' ? ['chapter', 'verse', 'search', 'verse', 'entities'].map(create) : [create(name)];

  return Object.keys(about)
    .flatMap((name) => [
      {
        name,
        about: about[name],
        isConstant: false,
        turns: Array.from({ length: differentTurns }, () => turn(name, (kind) => randomRequests[kind]())),
      },
      {
        name: constantName(name),
        about: about[name],
        isConstant: true,
        turns: [turn(name, (kind) => constantRequests[kind])],
      },
    ])
    .filter((operation) => operationNames.includes(operation.name));
}

function readTranslation(corpus, identifier) {
  const translation = corpus.translation(identifier);
  if (!translation)
    throw new Error(
      `The benchmark needs ${identifier}, which the corpus does not contain. Rebuild it with: npm run data`,
    );
  const chapters = translation.books.flatMap(({ code, chapters }) =>
    chapters.map((verses, index) => ({ book: code, chapter: index + 1, verses })),
  );
  const places = chapters.flatMap(({ book, chapter, verses }) => verses.map((verse) => ({ book, chapter, verse })));
  const words = Array.from(corpus.eachVerse(identifier), ({ text }) => [
    ...new Set(tokenize(text).map(({ folded }) => folded)),
  ]);
  const counts = new Map();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { places, chapters, words, counts };
}

/**
 * Draws two words of one verse that are neither very rare nor very frequent, in the order of the
 * verse.
 */
function twoWords({ words, counts }, pickOne, random) {
  for (;;) {
    const usual = pickOne(words).filter((word) => word.length > 2 && counts.get(word) >= 5 && counts.get(word) <= 500);
    if (usual.length < 2) continue;
    const first = Math.floor(random() * (usual.length - 1));
    return `${usual[first]} ${usual[first + 1]}`;
  }
}
