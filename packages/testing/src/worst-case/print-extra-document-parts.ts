import type { ExtraPart } from './operation-candidate';

interface PrintedExtraPart {
  /** The text to add to the operation's outermost selection set: fields or fragment spreads. */
  inside: string;
  /** The definitions beside the operation. */
  outside: string;
}

/** Declares a variable with a value and returns its name. */
type Declare = (prefix: string, type: string, value: unknown) => string;

/** Prints a part that a document has beside the selected fields of the candidate. */
export function printExtraPart({ kind, count }: ExtraPart, declare: Declare): PrintedExtraPart {
  const nothing: PrintedExtraPart = { inside: '', outside: '' };
  const nested = (open: string, close: string) => `${open.repeat(count)}${close.repeat(count)}`;
  switch (kind) {
    case 'unused fragments':
      return { ...nothing, outside: times(count, (index) => `fragment U${index} on Query { ...U${index + 1} }`) };
    case 'a chain of fragments':
      return { inside: '...E0', outside: printChain('E', count) };
    case 'a chain of fragments in a verse':
      return {
        inside: 'e: verse(book: "JHN", chapter: 3, verse: 16) { ...V0 }',
        outside: printChain('V', count, { type: 'Verse', last: 'text words { text } topics(first: 1) { section }' }),
      };
    case 'operations that spread a chain of fragments':
      return {
        ...nothing,
        outside: `${times(count, (index) => `query P${index} { ...P0 }`)} ${printChain('P', Math.ceil(count / 3))}`,
      };
    case 'three chains of fragments':
      return {
        inside: '...A0 ...B0 ...C0',
        outside: ['A', 'B', 'C'].map((chain) => printChain(chain, Math.ceil(count / 3))).join(' '),
      };
    case 'chained fragments of two fields':
      return {
        inside: '...D0',
        outside: printChain('D', count, { fields: (index) => `d${index}: __typename e${index}: __typename` }),
      };
    case 'invalid variables after empty lines':
      return {
        ...nothing,
        inside:
          '\n'.repeat(count * linesPerCount) +
          times(99, (index) => `i${index}: search(query: "x", limit: ${declare('i', 'Int', 'x')}) { id }`),
      };
    case 'unknown fields after empty lines':
      return { ...nothing, inside: '\n'.repeat(count * linesPerCount) + times(100, (index) => `unknown${index}`) };
    case 'other operations':
      return { ...nothing, outside: times(count, (index) => `query O${index} { __typename }`) };
    case 'unknown fields':
      return { ...nothing, inside: times(count, (index) => `unknown${index}`) };
    case 'conflicting fields':
      return {
        ...nothing,
        inside: times(count, (index) => `x: verse(book: "x${index}", chapter: 1, verse: 1) { id }`),
      };
    case 'conflicting fragments':
      return {
        ...nothing,
        inside: times(count, (index) => `...X${index}`),
        outside: times(
          count,
          (index) => `fragment X${index} on Query { x: verse(book: "x${index}", chapter: 1, verse: 1) { id } }`,
        ),
      };
    case 'unused variables':
      for (let index = 0; index < count; index += 1) declare('u', '[[String!]!]', [['x']]);
      return nothing;
    case 'unknown types of variables':
      for (let index = 0; index < count; index += 1) declare('k', `VerseType${index}`, 'x');
      return nothing;
    case 'repeated directives':
      return { ...nothing, inside: `t: __typename ${times(count, () => '@include(if: true)')}` };
    case 'nested lists':
      return { ...nothing, inside: `verse(book: ${nested('[', ']')}, chapter: 1, verse: 1) { id }` };
    case 'nested objects in a variable':
      return {
        ...nothing,
        inside: `n: verseOfTheDay(date: ${declare('n', 'ISO8601Date', JSON.parse(nested('[', ']')))}) { text }`,
      };
    case 'comments':
      return { ...nothing, outside: `\n${'# comment\n'.repeat(count)}` };
  }
}

interface ChainOptions {
  type?: string;
  /** Prints the fields of each fragment beside the spread of the next one. */
  fields?: (index: number) => string;
  /** The selection of the last fragment. */
  last?: string;
}

/** Prints fragments that each spread the next one. */
const printChain = (
  name: string,
  count: number,
  { type = 'Query', fields = () => '', last = '__typename' }: ChainOptions = {},
): string =>
  times(
    count,
    (index) =>
      `fragment ${name}${index} on ${type} { ${fields(index)} ${index < count - 1 ? `...${name}${index + 1}` : last} }`,
  );

/** How many empty lines precede the invalid part for each unit of `count`. */
const linesPerCount = 20;

const times = (count: number, print: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => print(index)).join(' ');
