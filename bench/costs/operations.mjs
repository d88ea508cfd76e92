// The operations of bench/costs.mjs: every root field with a usual selection, and what once was too cheap.
import { createRequire } from 'node:module';

const { verseId } = createRequire(import.meta.url)('../../packages/canon/dist/index.js');

const verse = 'id verse text reference';
const layout =
  'breaks { kind start indent } marks { kind start length } notes { kind start text } headings { kind text start }';
const words = 'words { text start length strongs { number lemma } }';
const notes =
  'commentary(first: 5) { heading text reference } crossReferences(first: 10) { reference verses(first: 3) { reference text } }';
const oneOf = (list, index) => list[index % list.length];
const nouns = 'lord grace mercy shepherd king water bread light love faith hope peace house son father'.split(' ');
const translations = ['eng-web', 'eng-kjv', 'spa-rv1909'];
const strongs = (index) => `${index % 2 ? 'G' : 'H'}${1 + ((index * 37) % 5_000)}`;
const place = (index) => `book: "PSA", chapter: ${1 + (index % 150)}`;
const page = 'totalCount edges { cursor node { reference text } matches { start length } } pageInfo { hasNextPage }';
const concordance =
  'totalCount entry { lemma verseCount } edges { cursor node { context verse { reference } matches { start length } } }';

const longQuery = (index) => `${index} ${'señor dios rey hijo casa tierra hombre día '.repeat(5)}`.slice(0, 199);

/** Each function returns a field of the operation; the benchmark repeats it under aliases. */
export const rootFields = {
  translations: () => 'translations { identifier name language direction note }',
  translation: (index) =>
    `translation(identifier: "${oneOf(translations, index)}") { identifier name licence { code } }`,
  languages: () => 'languages { code translationCount translations { identifier } }',
  books: () => 'books { bookId name testament position }',
  bibleIndex: (index) =>
    `bibleIndex(translation: "${oneOf(translations, index)}") { bookId name testament chapterCount }`,
  'passage, one verse': (index) => `passage(reference: "John 3:${1 + (index % 36)}") { reference verses { ${verse} } }`,
  'passage, a chapter': (index) => `passage(reference: "Psalm ${1 + (index % 150)}") { reference verses { ${verse} } }`,
  'passage, text': (index) => `passage(reference: "Psalm ${1 + (index % 150)}") { reference text }`,
  chapter: (index) => `chapter(${place(index)}) { ${verse} }`,
  verse: (index) => `verse(${place(index)}, verse: 1) { ${verse} }`,
  verses: (index) =>
    `verses(ids: [${Array.from({ length: 50 }, (_, verse) => JSON.stringify(verseId({ translation: 'eng-web', book: 'PSA', chapter: 119, verse: 1 + ((verse + index) % 176) })))}]) { ${verse} }`,
  readingChapter: (index) => `readingChapter(${place(index)}) { number book { name } verses { ${verse} ${layout} } }`,
  randomVerse: () => `randomVerse { ${verse} }`,
  verseOfTheDay: (index) =>
    `verseOfTheDay(date: "2026-0${1 + (index % 9)}-${10 + (index % 18)}") { reference verses { ${verse} } }`,
  references: (index) =>
    `references(text: "${'See John 3:16 and Romans 8:1-4 or what he said. '.repeat(40)}${index}") { reference start length }`,
  'references, a long text': (index) =>
    `references(text: "${'Ps  John  Gen  Lk 3:1 and 1 Cor 5. '.repeat(270).slice(0, 9_990)}${index}") { reference }`,
  'references, a sentence': (index) => `references(text: "See John 3:${1 + (index % 36)}") { reference start length }`,
  'searchOriginals, frequent words': (index) =>
    `searchOriginals(words: [{ partOfSpeech: VERB }, { partOfSpeech: NOUN }], withinWords: ${1 + (index % 100)}) { totalCount edges { node { reference } } }`,
  search: (index) => `search(query: "${oneOf(nouns, index)} ${oneOf(nouns, index + 4)}") { ${verse} }`,
  searchVerses: (index) => `searchVerses(query: "${oneOf(nouns, index)}", first: 25) { ${page} }`,
  'searchVerses, BEST': (index) =>
    `searchVerses(query: "what is ${oneOf(nouns, index)} ${index}", mode: BEST, first: 10) { ${page} }`,
  'searchVerses, MEANING': (index) =>
    `searchVerses(query: "what is ${oneOf(nouns, index)} ${index}", mode: MEANING, first: 10) { ${page} }`,
  'searchVerses, BEST, a long query': (index) =>
    `searchVerses(query: "${longQuery(index)}", translation: "spa-rv1909", mode: BEST, testament: NEW, first: 1) { ${page} }`,
  concordance: (index) => `concordance(translation: "eng-kjv", word: "${oneOf(nouns, index)}") { ${concordance} }`,
  concordanceIndex: (index) =>
    `concordanceIndex(translation: "eng-kjv", prefix: "${oneOf([...'abcdefghijklmnopqrst'], index)}") { lemma displayForm totalOccurrences cursor }`,
  collocates: (index) =>
    `collocates(translation: "eng-kjv", word: "${oneOf(nouns, index)}") { displayForm together logLikelihood }`,
  strongs: (index) => `strongs(number: "${strongs(index)}") { number lemma transliteration definition }`,
  strongsConcordance: (index) =>
    `strongsConcordance(translation: "eng-kjv", number: "${strongs(index)}") { ${concordance} }`,
  topics: (index) => `topics(query: "${oneOf(nouns, index)}") { totalCount edges { node { id name verseCount } } }`,
  topic: (index) =>
    `topic(name: "${oneOf(['Abba', 'Faith', 'Love', 'Prayer', 'Hope'], index)}") { name sections { heading entries { text references { reference } } } }`,
  commentaries: () => 'commentaries { id source { title } noteCount }',
  semanticSearch: (index) =>
    `semanticSearch(query: "qué es ${oneOf(nouns, index)} ${index}") { similarity verse { ${verse} } }`,
  'semanticSearch, a long query': (index) => `semanticSearch(query: "${longQuery(index)}") { similarity verse { id } }`,
  semanticTopics: (index) =>
    `semanticTopics(query: "what is ${oneOf(nouns, index)} ${index}") { similarity topic { name } }`,
};

const aliased = (count, field) => Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');
const passage = (reference, selection) =>
  `{ passage(reference: "${reference}", translation: "eng-kjv") { ${selection} } }`;

/** Whole operations: what readers see, and what was cheaper than it is. */
export const wholeOperations = {
  'Psalm 119 with text and layout': passage('Psalm 119', `reference verses { ${verse} ${layout} }`),
  'Psalm 119 with words and Strongs numbers': passage('Psalm 119', `verses { id ${words} }`),
  'John 3 with words and Strongs numbers': passage('John 3', `reference verses { ${verse} ${words} }`),
  'John 3 with notes': passage('John 3', `verses { id ${notes} }`),
  'John with words': passage('John', 'verses { words { text } }'),
  'Genesis with one field': passage('Genesis', 'verses { text }'),
  'the text of Psalms': passage('Psalms', 'text'),
  'Psalm 119 with references of notes': passage('Psalm 119', 'verses { text notes { text references { reference } } }'),
  'Psalm 119 with another translation': passage(
    'Psalm 119',
    'verses { text inTranslation(identifier: "spa-rv1909") { text } }',
  ),
  'Psalms 1-150 with words': passage(
    'Psalms 1-150',
    'verses { id words { text strongs { number lemma definition } } }',
  ),
  '59 pages of the word index': `{ ${aliased(59, () => 'concordanceIndex(translation: "eng-kjv") { lemma cursor displayForm }')} }`,
  '100 mutations': `mutation { ${aliased(100, () => 'testField')} }`,
  '290 names of types': `{ __schema { types { ${aliased(290, () => 'name')} } } }`,
  'a schema for tools':
    '{ __schema { types { name kind description fields { name description type { name kind ofType { name kind ofType { name kind } } } args { name } } } } }',
};
