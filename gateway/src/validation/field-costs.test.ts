import { parse } from 'graphql';
import { describeFieldCost, readFieldCosts } from './field-costs';

const read = (field: string) =>
  readFieldCosts(
    parse(`
      type Query { ${field} }
      type Passage { text: String verses: [String!] }
    `),
  );

test('@fieldCost takes the number of verses from one argument, from several arguments or from a list of ids', () => {
  const costs = read(`
    passage(reference: String!): Passage @fieldCost(verses: "reference", sizedFields: "verses", divide: 50)
    chapter(book: String!, chapter: Int!): [String] @fieldCost(verses: ["book", "chapter"], max: 176)
    verses(ids: [ID!]!): [String] @fieldCost(verses: "ids")`);
  expect(costs.get('Query.passage')).toMatchObject({ verses: ['reference'], sizedFields: ['verses'], divide: 50 });
  expect(costs.get('Query.chapter')).toMatchObject({ verses: ['book', 'chapter'], sizedFields: [], max: 176 });
  expect(costs.get('Query.verses')).toMatchObject({ base: 1, verses: ['ids'] });
});

test.each([
  ['@fieldCost(base: -1)', 'base is -1, but must be a whole number from 0.'],
  ['@fieldCost(base: 1.5)', 'base is 1.5, but must be a whole number from 0.'],
  ['@fieldCost(items: 0)', 'items is 0, but must be a whole number from 1.'],
  ['@fieldCost(perItem: "first", divide: 0)', 'divide is 0, but must be a whole number from 1.'],
  ['@fieldCost(perItem: "first", divide: -5)', 'divide is -5, but must be a whole number from 1.'],
  ['@fieldCost(verses: "reference", max: 0)', 'max is 0, but must be a whole number from 1.'],
  ['@fieldCost(divide: 5)', 'divide and max need perItem or verses.'],
  ['@fieldCost(sizedFields: ["verses"])', 'sizedFields needs verses.'],
  ['@fieldCost(perItem: "first", verses: "reference")', 'declare perItem or verses, not both.'],
  ['@fieldCost(verses: "reference", items: 3)', 'items does not go with verses.'],
  ['@fieldCost(perItem: "limit")', 'the field has no argument "limit".'],
  ['@fieldCost(verses: ["reference", "chapter"])', 'the field has no argument "chapter".'],
  ['@fieldCost(perItem: "reference")', 'the argument "reference" has the type String, but must have Int.'],
  [
    '@fieldCost(verses: "exact")',
    'the argument "exact" has the type Boolean, but must have String, Int, [ID] or [String].',
  ],
  ['@fieldCost(verses: ["ids", "first"])', 'a list of ids in verses must be its only argument.'],
  ['@fieldCost(verses: "reference", sizedFields: ["words"])', 'Passage has no field "words".'],
])('the invalid directive %s is rejected with one line that names the field and the mistake', (directive, problem) => {
  expect(() =>
    read(`passage(reference: String!, first: Int, exact: Boolean, ids: [ID!]): Passage ${directive}`),
  ).toThrow(new Error(`@fieldCost of Query.passage: ${problem}`));
});

test('@argumentCost gives an argument a cost by its enum value or by the length of its text', () => {
  const costs = readFieldCosts(
    parse(`
      enum Mode { WORDS BEST @argumentCost(base: 200) }
      type Query {
        search(mode: Mode = WORDS, query: String @argumentCost(characters: 10, max: 200), first: Int): String
        plain(first: Int): String
      }
    `),
  );
  expect(costs.get('Query.search')).toMatchObject({
    base: 1,
    arguments: [
      { argument: 'mode', characters: null, values: new Map([['BEST', 200]]) },
      { argument: 'query', characters: 10, max: 200, values: new Map() },
    ],
  });
  expect(costs.has('Query.plain')).toBe(false);
});

test.each([
  ['text: String @argumentCost', 'characters is null, but must be a whole number from 1.'],
  ['text: String @argumentCost(characters: 0)', 'characters is 0, but must be a whole number from 1.'],
  ['text: String @argumentCost(characters: 9, max: 0)', 'max is 0, but must be a whole number from 1.'],
  ['text: [String] @argumentCost(characters: 9)', 'only the length of a String has a cost.'],
  ['text: Int @argumentCost(characters: 9)', 'only the length of a String has a cost.'],
])(
  'an invalid @argumentCost is rejected with one line that names the argument and the mistake: %s',
  (argument, problem) => {
    expect(() => read(`search(${argument}): Passage`)).toThrow(
      new Error(`@argumentCost of Query.search(text:): ${problem}`),
    );
  },
);

test('@argumentCost without a number on an enum value is rejected with one line that names the value', () => {
  const schema = parse('enum Mode { BEST @argumentCost } type Query { search(mode: Mode): String }');
  expect(() => readFieldCosts(schema)).toThrow(
    new Error('@argumentCost of Mode.BEST: base is undefined, but must be a whole number from 0.'),
  );
});

test.each([
  ['hit: String @fieldCost(base: 3)', 'Costs 3 plus the cost of its selection.'],
  ['hit: String @fieldCost(items: 4)', 'Costs 1 plus 4 × the cost of its selection.'],
  [
    'hit(first: Int): String @fieldCost(base: 10, perItem: "first", divide: 25, max: 100)',
    'Costs `first` (1 to 100) × the cost of its selection ÷ 25, rounded down; at least 10.',
  ],
  [
    'hit(first: Int): String @fieldCost(items: 2, perItem: "first", divide: 10, max: 100)',
    'Costs `first` (1 to 100) × the cost of its selection ÷ 10, rounded down; at least 1. Without `first`, 1 plus 2 × the cost of its selection.',
  ],
  [
    'hit(order: Order, text: String @argumentCost(characters: 20, max: 200)): String @fieldCost(undivided: true)',
    'Costs 1 plus the cost of its selection. `order` adds: `BIBLE` 40. `text` adds 1 for each 20 characters, of at most 200. Counts for each item of the lists around it.',
  ],
  [
    'hit(reference: String!): [String] @fieldCost(verses: "reference", divide: 50)',
    'Costs 1 plus the cost of its selection; its selection costs once more for each 50 verses of `reference` after the first 50, rounded down.',
  ],
])('describeFieldCost describes the cost of the field %s in sentences', (field, sentences) => {
  const costs = readFieldCosts(parse(`enum Order { BIBLE @argumentCost(base: 40) RANK } type Query { ${field} }`));
  const cost = costs.get('Query.hit');
  expect(cost && describeFieldCost(cost)).toBe(sentences);
});
