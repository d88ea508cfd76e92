import { readFileSync } from 'node:fs';
import { books, verseId } from '@lectern/canon';
import { buildASTSchema, getNamedType, isLeafType, isObjectType, isRequiredArgument, parse } from 'graphql';
import type { PrintedOperation } from './print-operation';

export interface KnownOperation extends PrintedOperation {
  /** What the operation does, for messages. */
  name: string;
}

const copies = (count: number, print: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => print(index)).join(' ');

/** Repeats a text up to the length in UTF-16 units. */
const repeated = (text: string, length: number): string => text.repeat(length).slice(0, length);

/** The maximum number of entities that a request to a subgraph may have. */
const maxVersesPerRequest = 5_000;

const operation = (name: string, query: string, variables: Record<string, unknown> = {}): KnownOperation => ({
  name,
  query,
  variables,
});

/**
 * Returns words of one letter. When a search for them was slow, each word of a query also matched
 * all words that begin with it, and most verses have words that begin with these letters.
 */
const oneLetterWords = (index: number): string =>
  `${String.fromCharCode(97 + (index % 26))} ${'t h a i o w s b '.repeat(20)}`.slice(0, 199);
/** Returns a question of many frequent words. Each index gives another question. */
const longQuestion = (index: number): string =>
  `${index} ${'señor dios rey hijo casa tierra hombre día '.repeat(5)}`.slice(0, 199);
const bookCodes = books.map(({ code }) => code);
const longList = (length: number): string =>
  `${bookCodes.join(',')},`
    .repeat(400)
    .slice(0, length)
    .replace(/,[^,]*$/, '');

/** Returns two fragments with the selections: one with `@include(if: $x)`, one with `@skip(if: $notx)`. */
const either = (condition: string, selections: string): string =>
  `... @include(if: $${condition}) { ${selections} } ... @skip(if: $not${condition}) { ${selections} }`;

/** Returns a name of 100 characters, the maximum. */
const longName = (index: number): string => `F${index}_`.padEnd(100, 'x');

/**
 * Returns fields that select verses of other chapters by cross references, so that they are
 * entities of several subgraphs.
 */
const passagesWithCrossReferences = (passages: number, verses: number, selections: string): string =>
  copies(
    passages,
    (index) =>
      `p${index}: passage(reference: "Ps 119:1-${verses}") { verses { crossReferences(first: 1) { verses(first: 1) { ${selections} } } } }`,
  );

const page = '{ totalCount facets { byBook { count } byTestament { old new } } edges { matches { start length } } }';

/** Operations within all limits that once blocked the event loop for more than 50 ms. */
export const knownOperations = (): KnownOperation[] => [
  operation(
    '27 searches for many words of one letter',
    `query W { ${copies(27, (index) => `a${index}: searchVerses(query: "${oneLetterWords(index)}", first: 1) ${page}`)} }`,
  ),
  operation(
    '140 random verses from a list of books of 90,000 characters',
    `query W($s: String) { ${copies(140, (index) => `a${index}: randomVerse(books: $s) { id }`)} }`,
    { s: longList(90_000) },
  ),
  operation(
    '27 searches in a list of books of 90,000 characters',
    `query W($s: String) { ${copies(27, (index) => `a${index}: searchVerses(query: "lord", books: $s, first: 1) { totalCount }`)} }`,
    { s: longList(90_000) },
  ),
  ...['BEST', 'MEANING'].map((mode) =>
    operation(
      `9 searches of the mode ${mode} in one testament`,
      `query W { ${copies(9, (index) => `a${index}: searchVerses(query: "${longQuestion(index)}", translation: "spa-rv1909", mode: ${mode}, testament: NEW, first: 1) ${page}`)} }`,
    ),
  ),
  operation(
    '150 passages of references that cannot be parsed',
    `query W { ${copies(150, (index) => `a${index}: passage(reference: "${repeated(`ฤ;ถ;${index};ฐ;John; Luke; Acts;`, 200)}") { translationId }`)} }`,
  ),
  operation(
    '150 chapters of an unknown book whose name is a long list of letters',
    `query W($s: String!) { ${copies(150, (index) => `a${index}: chapter(book: $s, chapter: 1) { bookId }`)} }`,
    { s: repeated('m,f,l,h,i,a,r,y,s,g,p,i,j,i,u,z,l,l,n,r,x,e,t,o,', 100) },
  ),
  operation(
    '90 pages of the concordance in a long list of books that do not exist',
    `query W($s: String) { ${copies(90, (index) => `a${index}: strongsConcordance(translation: "spa-rv1909", number: "H3068", book: $s, first: 1) { totalCount }`)} }`,
    { s: 'John;Ps;1 Cor;Ps;Jua' },
  ),
  operation(
    'references in two texts of 9,999 characters',
    `query W { ${copies(2, (index) => `a${index}: references(text: "${repeated(`ø è ñ ú ${index} Ł `, 9_999)}") { length }`)} }`,
  ),
  operation(
    'references in a text of 10,000 characters with names of books, and entities of topics at the same time',
    `query W { a0: references(text: "${repeated('Ps  John  Gen  τ  η  1 Cor  ρ  ', 10_000)}") { length } semanticTopics(query: "tierra") { topic { sections { entries { ${copies(2, (index) => `b${index}: references { verses { commentary(first: 5) { heading } inTranslation(identifier: "spa-rv1909") { bookName } } }`)} } } } } }`,
  ),
  operation(
    '58 pages of the word index',
    `query W { ${copies(58, (index) => `a${index}: concordanceIndex(translation: "eng-kjv", minOccurrences: ${1_000 + index}, first: 200) { lemma }`)} }`,
  ),
  operation(
    '60 lists of all books',
    `query W { ${copies(60, (index) => `a${index}: bibleIndex { bookId name testament position }`)} }`,
  ),
  operation(
    'verses of several subgraphs in a fragment',
    `query W { ${copies(20, (index) => `a${index}: search(query: "lord", limit: 1) { ...A }`)} } fragment A on Verse { words { text } i: inTranslation(identifier: "eng-kjv") { text words { text } } }`,
  ),
  operation(
    '500 fields over several subgraphs under conditions',
    `query W($a: Boolean = true) { ${copies(15, (index) => `a${index}: search(query: "lord", limit: 1) { ...A @include(if: $a) ...B @skip(if: $a) }`)} } fragment A on Verse { words { text length start } topics(first: 1) { section } previous { ...C @include(if: $a) } next { ...C } } fragment B on Verse { words { text } } fragment C on Verse { words { text } crossReferences(first: 1) { verses { text words { text } } } i: inTranslation(identifier: "eng-kjv") { text words { text } } }`,
  ),
  operation(
    'conditions within conditions beside a response of several megabytes',
    `query W($a: Boolean!, $nota: Boolean!, $b: Boolean!, $notb: Boolean!) { passage(reference: "John 3:16") { ${either('a', `verses { previous { ${either('b', 'crossReferences { reference }')} } }`)} } ${copies(2, (index) => `p${index}: passage(reference: "Ps ${index + 11}8-${index + 11}9") { verses { text reference words { text start length a: text b: text c: start d: start strongs { number } } topics { section } } }`)} }`,
    { a: true, nota: false, b: true, notb: false },
  ),
  operation(
    'text marks of two long passages under aliases, beside pages of the word index',
    `query W { ${copies(2, (index) => `a${index}: concordanceIndex(translation: "eng-kjv", prefix: "unto", first: 100) { lemma }`)} ${['Mark 1-4', 'Psalm 119'].map((reference, index) => `p${index}: passage(reference: "${reference}") { ${copies(2, (list) => `b${list}: verses { chapter c: chapter d: chapter marks { ...A } e: marks { ...A } }`)} }`).join(' ')} } fragment A on TextMark { start length kind __typename }`,
  ),
  operation(
    'searches of the original texts for five words of a common kind, with facets',
    `query W { ${copies(4, (index) => `a${index}: searchOriginals(words: [${copies(5, () => '{ number: SINGULAR }')}], withinWords: ${20 + index}, first: 100) { totalCount facets { byForm { count } byParsing { count } } }`)} }`,
  ),
  operation(
    'the sections of the topics of several verses under aliases',
    `query W { semanticSearch(query: "tierra", limit: 10) { ${copies(3, (index) => `v${index}: verse { topics { topic { ${copies(4, (alias) => `s${alias}: sections { heading }`)} } } previous { similar(limit: 1) { verse { reference } } } }`)} } }`,
  ),
  operation(
    'the text of 1,500 verses under 9 aliases',
    `query W { ${copies(1, (index) => `p${index}: passage(reference: "Gen 1-50") { ${copies(9, (alias) => `t${alias}: text`)} }`)} }`,
  ),
  operation(
    '30 searches of the mode BEST for lists of books',
    `query W { ${copies(30, (index) => `a${index}: searchVerses(query: "${repeated(`${index} 1 Cor Ps III Jn JHN Apocalipsis Juan Gen `, 200)}", translation: "${index % 2 === 0 ? 'eng-web' : 'spa-rv1909'}", testament: NEW, mode: BEST) { totalCount }`)} }`,
  ),
  operation(
    'the fields of all types of the schema under 290 aliases',
    `query W { __schema { types { fields { ${copies(290, (index) => `a${index}: name`)} } } } }`,
  ),
  operation(
    'few entities with many aliases of the same fields',
    `query W { search(query: "shall", order: CANONICAL, limit: 25) { commentary { references { ...A } b: references { ...A } } } n: verseOfTheDay(date: "2026-02-31") { text } } fragment A on ParsedReferenceInText { ${copies(143, (index) => `a${index}: length`)} }`,
  ),
  operation(
    '200 unused fragments that each spread the next one, and the last one an unknown one',
    `query W { __typename } ${copies(200, (index) => `fragment U${index} on Query { ...U${index + 1} }`)}`,
  ),
  operation(
    '1,000 unknown fields after 45,000 empty lines',
    `query W { ${'\n'.repeat(45_000)}${copies(1_000, (index) => `x${index}: y`)} }`,
  ),
  operation(
    '99 invalid variables after 45,000 empty lines',
    `query W( ${'\n'.repeat(45_000)}${copies(99, (index) => `$v${index}: Int`)}) { __typename ${copies(99, (index) => `a${index}: searchVerses(query: "x", first: $v${index}) { totalCount }`)} }`,
    Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`v${index}`, 'x'])),
  ),
  operation(
    'two chains of 98 fragments that one selection set spreads',
    `query W { ...A0 ...B0 } ${copies(2, (chain) => copies(98, (index) => `fragment ${'AB'[chain]}${index} on Query { ${index < 97 ? `...${'AB'[chain]}${index + 1}` : '__typename'} }`))}`,
  ),
  operation(
    '500 operations that each spread a chain of 160 fragments',
    `query W { __typename } ${copies(500, (index) => `query O${index} { ...U0 }`)} ${copies(160, (index) => `fragment U${index} on Query { ${index < 159 ? `...U${index + 1}` : '__typename'} }`)}`,
  ),
  operation(
    '200 fragments of one selection set, with five unknown ones',
    `query W { ${copies(195, (index) => `...U${index}`)} ${copies(5, (index) => `...X${index}`)} } ${copies(195, (index) => `fragment U${index} on Query { a${index}: __typename }`)}`,
  ),
  operation(
    '57 lists of marks under aliases in each of 120 verses',
    `query W { passage(reference: "Ps 119:1-120") { verses { ${copies(57, (index) => `a${index}: marks { start __typename }`)} } } }`,
  ),
  operation(
    'a translation that does not exist, 216 times for each of 100 verses',
    `query W { ${passagesWithCrossReferences(
      24,
      100,
      copies(9, (index) => `a${index}: inTranslation(identifier: "bad") { id }`),
    )} }`,
  ),
  operation(
    'another translation, 282 times for each of 115 verses',
    `query W { ${passagesWithCrossReferences(
      6,
      115,
      copies(47, (index) => `a${index}: inTranslation(identifier: "spa-rv1909") { id }`),
    )} }`,
  ),
  operation(
    '11 fragments with long names in each of 60 selections of one field',
    `query W { ${copies(60, () => `books { ${copies(11, (index) => `...${longName(index)}`)} }`)} } ${copies(11, (index) => `fragment ${longName(index)} on Book { id }`)}`,
  ),
  operation(
    'twelve conditions within each other, with 5,000 selections of __typename',
    `query W(${copies(12, (index) => `$c${index}: Boolean = true`)}) { search(query: "lord", limit: 1) { ${copies(12, (index) => `next @include(if: $c${index}) { words { text } topics(first: 1) { section } similar(limit: 1) { similarity } ...T ...T ...T`)} id ${'}'.repeat(12)} } } fragment T on Verse { ${'... { '.repeat(120)} __typename ${'}'.repeat(120)} }`,
  ),
  operation(
    'a mutation of 100 fields in fragments within each other',
    `mutation W { ${copies(100, (index) => `... { a${index}: testField ...T }`)} } fragment T on Mutation { ${'... { '.repeat(30)} __typename ${'}'.repeat(30)} }`,
  ),
  operation(
    '200 fragments with long names in a hundred circles',
    `query W { ...${longName(0)} } ${copies(200, (index) => `fragment ${longName(index)} on Query { ${index < 199 ? `...${longName(index + 1)}` : '__typename'} ${index < 100 ? '' : `...${longName(0)}`} }`)}`,
  ),
  operation(
    'a verse in a chain of 200 fragments',
    `query W { verse(book: "JHN", chapter: 3, verse: 16) { ...U0 } } ${copies(200, (index) => `fragment U${index} on Verse { ${index < 199 ? `...U${index + 1}` : 'text words { text } topics(first: 1) { section }'} }`)}`,
  ),
  operation(
    '98 fragments of three fields that each spread the next one',
    `query W { ...U0 } ${copies(98, (index) => `fragment U${index} on Query { a${index}: __typename b${index}: __typename c${index}: __typename ${index < 97 ? `...U${index + 1}` : ''} }`)}`,
  ),
];

/** The most expensive fields of a verse. For other subgraphs, all leaf fields are selected. */
const expensiveVerseFields: Readonly<Record<string, string>> = {
  originals: 'id original { reference words { surface transliteration } }',
  text: 'id text reference inTranslation(identifier: "eng-kjv") { text }',
  search: 'id text reference',
  concordance: 'id text words { text strongs { number } }',
  study:
    'id topics(first: 100) { topic { id name } section entry } crossReferences(first: 100) { reference verses(first: 50) { id } sources { id } } commentary(first: 20) { heading text }',
};

/**
 * Returns two requests for verses to a subgraph: one with the maximum number of verses, and one with
 * too many. Returns [] if the subgraph has no type Verse.
 */
export function knownEntityRequests(subgraph: string, schemaFile: string): KnownOperation[] {
  const fields = expensiveVerseFields[subgraph] ?? leafFieldsOfVerse(schemaFile);
  if (fields === '') return [];
  const representations = Array.from({ length: 10_000 }, (_, index) => ({
    __typename: 'Verse',
    id: verseId({
      translation: index % 2 === 0 ? 'eng-web' : 'spa-rv1909',
      book: bookCodes[index % bookCodes.length] ?? 'PSA',
      chapter: 1 + (Math.floor(index / 66) % 10),
      verse: 1 + (Math.floor(index / 660) % 16),
    }),
  }));
  return [maxVersesPerRequest, representations.length].map((count) =>
    operation(
      `${count} entities`,
      `query W($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { ${fields} } } }`,
      { r: representations.slice(0, count) },
    ),
  );
}

function leafFieldsOfVerse(schemaFile: string): string {
  const schema = buildASTSchema(parse(readFileSync(schemaFile, 'utf8')), { assumeValid: true, assumeValidSDL: true });
  const verse = schema.getType('Verse');
  if (!isObjectType(verse)) return '';
  return Object.values(verse.getFields())
    .filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument))
    .map(({ name }) => name)
    .join(' ');
}
