import type { RequestBody } from './start-execution-strategies';

/**
 * Operations that are hard to plan, merge or format. The name says what is special in the
 * operation.
 */
export const edgeCaseOperations: readonly [name: string, body: RequestBody][] = [
  [
    'introspection beside a field of a subgraph',
    { query: '{ __schema { queryType { name fields { name } } } books { name } }' },
  ],
  [
    'the introspection field __type beside a field of a subgraph',
    {
      query:
        '{ __type(name: "Verse") { name } verse(book: "JHN", chapter: 3, verse: 16) { __typename t: __typename text } }',
    },
  ],
  [
    'one of two operations, selected by operationName',
    { query: 'query A { books { name } } query B { languages { code } }', operationName: 'B' },
  ],
  ['two operations without an operationName', { query: 'query A { books { name } } query B { languages { code } }' }],
  ['a value for an undeclared variable', { query: '{ books { name } }', variables: { nobody: 1 } }],
  [
    'a list of one number as the value of a variable of the type Int!',
    { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }', variables: { v: [16] } },
  ],
  [
    'null for a variable with a default',
    {
      query: 'query ($t: String = "eng-kjv") { verse(book: "JHN", chapter: 3, verse: 16, translation: $t) { text } }',
      variables: { t: null },
    },
  ],
  [
    'aliases that are names of Object.prototype',
    { query: '{ __proto__: books { constructor: name toString: usfm } hasOwnProperty: languages { code } }' },
  ],
  [
    'a field of another subgraph under @skip(if: true) and @include(if: false)',
    {
      query:
        '{ verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv") { text ... @skip(if: true) { words { text } } } search(query: "love", translation: "eng-kjv") @include(if: false) { id } }',
    },
  ],
  [
    'a field of another subgraph that one variable both includes and skips',
    {
      query:
        'query ($a: Boolean = true) { verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv") { text words @include(if: $a) @skip(if: $a) { text } } }',
    },
  ],
  [
    'nested fragments that one variable both includes and skips',
    {
      query:
        'query ($a: Boolean = true) { verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv") { text ... @skip(if: $a) { reference ...W } } } fragment W on Verse { ... @include(if: $a) { words { text } } }',
    },
  ],
  [
    'fields of other subgraphs with conditions within conditions',
    {
      query:
        'query ($a: Boolean = true, $b: Boolean = false) { search(query: "love", translation: "eng-kjv", limit: 2) { ... @include(if: $a) { ...S ... @skip(if: $b) { previous { ...S } } ... @include(if: $b) { next { ...S } } } ... @skip(if: $b) { next { ...S } } } } fragment S on Verse { words @include(if: $a) { text } inTranslation(identifier: "eng-kjv") @skip(if: $b) { text ... @include(if: $a) { words { text } } } }',
    },
  ],
  [
    'five conditional fields of one object',
    {
      query:
        'query ($a: Boolean = true, $b: Boolean = true, $c: Boolean = true, $d: Boolean = true, $e: Boolean = true) { books { name @skip(if: $a) id @skip(if: $b) bookId @include(if: $c) position @include(if: $d) testament @include(if: $e) } }',
    },
  ],
  [
    'fields that merge across nested fragments',
    {
      query:
        '{ a: verse(book: "JHN", chapter: 3, verse: 16) { ...A ...B } a: verse(book: "JHN", chapter: 3, verse: 16) { inTranslation(identifier: "spa-rv1909") { verse } } } fragment A on Verse { inTranslation(identifier: "spa-rv1909") { text } ...B } fragment B on Verse { id inTranslation(identifier: "spa-rv1909") { reference } }',
    },
  ],
  [
    'fields of one type in several fragments with other fields between',
    {
      query:
        'query ($y: Boolean = true) { search(query: "love", translation: "eng-kjv", limit: 1) { ... on Verse { id } text ... on Verse { words { start ... { text } length ... { start text } } } ... @include(if: $y) { verse } chapter ... @include(if: $y) { bookId } } }',
    },
  ],
  [
    'a condition on the variable $__proto__',
    {
      query:
        'query ($__proto__: Boolean!) { books { name bookId @include(if: $__proto__) } search(query: "love", translation: "eng-kjv", limit: 1) { id words @skip(if: $__proto__) { text } } }',
      variables: JSON.parse('{"__proto__":true}'),
    },
  ],
  [
    'arguments from the variables $__proto__ and $constructor',
    {
      query:
        'query ($__proto__: Int, $constructor: Int) { a: search(query: "love", limit: $__proto__) { id } b: search(query: "love", limit: $constructor) { id } }',
      variables: JSON.parse('{"__proto__":2}'),
    },
  ],
  [
    'an object for a variable of a custom scalar',
    { query: 'query ($d: ISO8601Date) { verseOfTheDay(date: $d) { reference } }', variables: { d: { a: [1] } } },
  ],
  ['a mutation', { query: 'mutation { __typename }' }],
  [
    'a field that fails beside a field that succeeds',
    {
      query:
        '{ a: verse(book: "Nope", chapter: 1, verse: 1) { text } b: verse(book: "JHN", chapter: 3, verse: 16) { text } }',
    },
  ],
];
