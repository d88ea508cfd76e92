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

/** `study` is a look at plans with a fork; whether it is asked the same thing again says nothing that `entities` does not. */
const withConstant = new Set(['verse', 'chapter', 'search', 'entities', 'mix']);

const constantName = (name) => `${name}-constant`;

export const operationNames = Object.keys(about).flatMap((name) =>
  withConstant.has(name) ? [name, constantName(name)] : [name],
);

const different = 640;

/** A request as GraphQL and, where there is one, as the path of the route without GraphQL, which answers with the value of `field`. */
const ask = (document, variables, { field = document, path = null } = {}) => ({
  field,
  body: JSON.stringify({ query: documents[document], variables }),
  path,
});

const requests = {
  verse: ({ book, chapter, verse }) =>
    ask('verse', { book, chapter, verse }, { path: `/verse/${book}/${chapter}/${verse}` }),
  chapter: ({ book, chapter }) => ask('chapter', { book, chapter }, { path: `/chapter/${book}/${chapter}` }),
  search: (words) => ask('search', { words }, { path: `/search/${encodeURIComponent(words)}` }),
  entities: (words) => ask('entities', { words }, { field: 'search', path: `/entities/${encodeURIComponent(words)}` }),
  study: (words) => ask('study', { words }, { field: 'search' }),
};

/** What every contender can answer as soon as it is up. */
export const probe = requests.verse({ book: 'JHN', chapter: 3, verse: 16 });

/**
 * What is asked. An operation is a list of turns; a turn is the requests that one caller makes one after the other. With `-constant` all callers
 * ask one and the same thing; otherwise each asks its own share of many. `random` gives a number from 0 up to 1.
 */
export function createOperations(corpus, random) {
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  const english = readEdition(corpus, 'eng-web');
  const kingJames = readEdition(corpus, 'eng-kjv');

  const constant = {
    verse: probe,
    chapter: requests.chapter({ book: 'JHN', chapter: 3 }),
    search: requests.search('shepherd sheep'),
    entities: requests.entities('shepherd sheep'),
    study: requests.study('shepherd sheep'),
  };
  const drawn = {
    verse: () => requests.verse(oneOf(english.places)),
    chapter: () => requests.chapter(oneOf(english.chapters)),
    search: () => requests.search(twoWords(english, oneOf, random)),
    entities: () => requests.entities(twoWords(kingJames, oneOf, random)),
    study: () => requests.study(twoWords(kingJames, oneOf, random)),
  };
  const turn = (name, request) =>
    name === 'mix' ? ['chapter', 'verse', 'search', 'verse', 'entities'].map(request) : [request(name)];

  return Object.keys(about)
    .flatMap((name) => [
      {
        name,
        about: about[name],
        isConstant: false,
        turns: Array.from({ length: different }, () => turn(name, (kind) => drawn[kind]())),
      },
      { name: constantName(name), about: about[name], isConstant: true, turns: [turn(name, (kind) => constant[kind])] },
    ])
    .filter((operation) => operationNames.includes(operation.name));
}

function readEdition(corpus, identifier) {
  const edition = corpus.translation(identifier);
  if (!edition)
    throw new Error(
      `The bench asks for ${identifier}, which the corpus does not have. Make it anew with: npm run data`,
    );
  const chapters = edition.books.flatMap(({ code, chapters }) =>
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

/** Of one verse, so that there is a hit; neither so rare nor so common that nobody would look for them. */
function twoWords({ words, counts }, oneOf, random) {
  for (;;) {
    const likely = oneOf(words).filter((word) => word.length > 2 && counts.get(word) >= 5 && counts.get(word) <= 500);
    if (likely.length < 2) continue;
    const first = Math.floor(random() * (likely.length - 1));
    return `${likely[first]} ${likely[first + 1]}`;
  }
}
