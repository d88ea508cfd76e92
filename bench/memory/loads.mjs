import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../../packages/corpus/dist/index.js');
const { createRandom } = require('../../packages/testing/dist/index.js');
const { tokenize } = require('../../packages/words/dist/index.js');

const documents = {
  chapters:
    'query($a: String!, $b: String!, $c: Int!) { one: chapter(book: $a, chapter: $c) { id reference text } two: chapter(book: $b, chapter: 1) { id reference text } }',
  search:
    'query($words: String!) { searchVerses(query: $words, first: 100) { totalCount edges { cursor node { id reference text } matches { start length } } facets { byBook { bookId count } } } }',
  entities:
    'query($words: String!) { search(query: $words, translation: "eng-kjv", limit: 20) { reference text inTranslation(identifier: "spa-rv1909") { reference text } words { text strongs { number } } } }',
  concordance:
    'query($word: String!) { concordance(translation: "eng-web", word: $word, first: 50) { totalCount entry { lemma surfaceForms } edges { cursor node { context matches { start length } verse { reference text } } } } }',
  semantic: 'query($words: String!) { semanticSearch(query: $words) { similarity verse { reference text } } }',
};

/** The letters of random aliases. A random alias makes each document of the load `unique` new to the gateway. */
const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Creates the loads: `heavy` repeats five expensive documents with new random variables each time, and `unique` sends no document twice.
 * Each load is a function that returns the body of the next request.
 */
export function createLoads(dataDir) {
  const random = createRandom(20_261_122);
  const pickOne = (list) => list[Math.floor(random() * list.length)];
  const corpus = openCorpus(dataDir);
  const translation = corpus.translation('eng-web');
  if (!translation) throw new Error('The corpus lacks eng-web. Rebuild it with: npm run data');
  const books = translation.books.map(({ code, chapters }) => ({ code, chapters: chapters.length }));
  const verses = Array.from(corpus.eachVerse('eng-web'), ({ text }) => tokenize(text).map(({ folded }) => folded));
  corpus.close();
  const word = () => pickOne(pickOne(verses)) ?? 'love';
  const someWords = (count) => Array.from({ length: count }, word).join(' ');
  const chapter = () => {
    const { code, chapters } = pickOne(books);
    return { a: code, c: 1 + Math.floor(random() * chapters), b: pickOne(books).code };
  };

  const variables = {
    chapters: chapter,
    search: () => ({ words: word() }),
    entities: () => ({ words: someWords(1) }),
    concordance: () => ({ word: word() }),
    semantic: () => ({ words: someWords(6) }),
  };
  const kinds = ['chapters', 'search', 'entities', 'concordance', 'chapters', 'search', 'entities', 'semantic'];
  let sent = 0;
  const heavy = () => {
    const kind = kinds[sent++ % kinds.length];
    return JSON.stringify({ query: documents[kind], variables: variables[kind]() });
  };

  const alias = () => Array.from({ length: 12 }, () => pickOne(letters)).join('');
  const uniqueFields = {
    verse: () =>
      `${alias()}: verse(book: "${pickOne(books).code}", chapter: 1, verse: 1) { ${alias()}: reference ${alias()}: text ${alias()}: bookName ${alias()}: id }`,
    search: () =>
      `${alias()}: search(query: "${word()}", limit: 3) { ${alias()}: reference ${alias()}: inTranslation(identifier: "spa-rv1909") { ${alias()}: text } }`,
    concordance: () =>
      `${alias()}: concordance(translation: "eng-web", word: "${word()}", first: 3) { ${alias()}: totalCount edges { node { ${alias()}: context verse { ${alias()}: reference } } } }`,
  };
  const unique = () => {
    const count = 1 + Math.floor(random() * 8);
    const fields = Array.from({ length: count }, () => uniqueFields[pickOne(Object.keys(uniqueFields))]());
    return JSON.stringify({ query: `{ ${fields.join(' ')} }` });
  };
  return { heavy, unique };
}
