import { books, verseId } from '@lectern/canon';
import type { GraphQLArgument } from 'graphql';
import { getNamedType, isEnumType, isListType, isNonNullType, isScalarType } from 'graphql';
import type { RandomChoices } from '../random-choices';
import type { TextChoice, ValueChoice } from './operation-candidate';
import { characterClasses } from './text-pieces-by-kind';

const translations = ['eng-web', 'eng-kjv', 'spa-rv1909'];
const bookCodes = books.map(({ code }) => code);

/** Values that exist in the data, by argument name. */
const valuesByName: Readonly<Record<string, readonly unknown[]>> = {
  book: ['PSA', 'GEN', 'Jeremiah', 'Salmos', ...bookCodes],
  books: ['GEN', bookCodes.join(','), 'Psalms, Isaías', 'OBA'],
  chapter: [1, 119, 3, 23],
  verse: [1, 16, 3],
  identifier: translations,
  translation: translations,
  reference: ['Psalms', 'Gen 1-50', 'John; Luke; Acts', 'Ps 119; 1 Chr 1-9'],
  number: ['G3588', 'G2316', 'H430', 'H3068', 'H853'],
  date: ['2026-12-25', '2024-02-29'],
  testament: ['OT', 'NT'],
  name: ['Verse', 'Query', '__Type'],
  first: [1, 1, 1, 25, 100, 200],
  limit: [1, 1, 1, 25, 50, 100],
  words: [
    { partOfSpeech: 'NOUN' },
    { number: 'SINGULAR' },
    { mood: 'IMPERATIVE' },
    { lemma: 'κύριος' },
    { form: 'אלהים' },
  ],
};

/** Lengths of texts below, at and above the maximum lengths of text arguments: 100, 200 and 10,000 characters. */
const textLengths = [1, 3, 20, 100, 200, 200, 1_000, 10_000, 90_000, 90_000];
/** The kind of a text that consists of values in `valuesByName`. */
const validWords = 'valid values';
/** The kinds of text that the search for slow operations tries with each argument. */
export const commonKinds: readonly string[] = [
  validWords,
  'small letters',
  'digits',
  'punctuation',
  'whitespace',
  'function words',
  'book names',
  'parts of references',
];
const separators = [' ', ' ', ' ', '', ',', ',', ', ', ';', ':', '-', '"', ' "', '\n', '. ', '  '];
const integers = [0, 1, 1, 2, 5, 10, 25, 50, 100, 200, 1_000, -1, 2_147_483_647];
const entityCounts = [1, 10, 100, 1_000, 5_000, 10_000];

/** Page cursors of earlier responses. The search for slow operations adds to the list. */
export type Cursors = string[];

/**
 * Chooses a random text for an argument: words of one or two kinds, with a separator. `kind` is a
 * key of `characterClasses` or `valid values`.
 */
export function randomText(
  argumentName: string,
  { pick, pickSeveral, chance }: RandomChoices,
  kind: string = chance(0.7) ? pick(commonKinds) : pick(Object.keys(characterClasses)),
): TextChoice {
  const words = kind === validWords ? valuesByName[argumentName]?.map(String) : characterClasses[kind];
  const others = chance(0.2) ? pick(Object.values(characterClasses)) : [];
  return {
    kind: 'text',
    words: pickSeveral([...(words ?? characterClasses['frequent words'] ?? []), ...others], 40),
    separator: pick(separators),
    length: pick(textLengths),
  };
}

/** Returns whether clients may send any text as the value of the argument. */
export const acceptsText = ({ type }: GraphQLArgument): boolean =>
  isScalarType(getNamedType(type)) && !['Int', 'Float', 'Boolean', '_Any'].includes(getNamedType(type).name);

/**
 * Chooses values of the argument's type, most of which the argument accepts: values that exist in
 * the data, enum values, numbers, cursors, frequent words, or representations for `_Any`.
 */
export function randomValidValue(argument: GraphQLArgument, choices: RandomChoices, cursors: Cursors): ValueChoice {
  const { pickSeveral, chance } = choices;
  const named = getNamedType(argument.type);
  if (named.name === '_Any') return randomRepresentations(choices);
  const constants = (values: readonly unknown[]): ValueChoice => ({
    kind: 'constants',
    values: pickSeveral(values, 8).map((value) => (isListType(nullable(argument)) ? [value] : value)),
  });
  if (isEnumType(named)) return constants(named.getValues().map(({ name }) => name));
  if (named.name === 'Boolean') return constants([true, false]);
  const known = valuesByName[argument.name];
  if (named.name === 'Int') return constants(chance(0.7) && typeof known?.[0] === 'number' ? known : integers);
  if (argument.name === 'after' && cursors.length > 0) return constants(cursors);
  return constants(known ?? characterClasses['frequent words'] ?? []);
}

const nullable = ({ type }: GraphQLArgument) => (isNonNullType(type) ? type.ofType : type);

/** Adjacent verses, verses of several books, one verse, translations, or keys that do not exist. */
function randomRepresentations(choices: RandomChoices): ValueChoice {
  const { pick, chance } = choices;
  const count = pick(entityCounts);
  const verse = (book: (typeof bookCodes)[number], index: number, translation: string) => ({
    __typename: 'Verse',
    id: verseId({ translation, book, chapter: 1 + (Math.floor(index / 20) % 20), verse: 1 + (index % 20) }),
  });
  const translation = pick(translations);
  const several = Array.from({ length: Math.min(count, 1_000) }, (_, index) => index);
  const kinds = [
    () => several.map((index) => verse('PSA', index, translation)),
    () => several.map((index) => verse(pick(bookCodes), index * 7, translation)),
    () => several.map((index) => verse(pick(bookCodes), index, pick(translations))),
    () => [verse('JHN', 5, translation)],
    () => several.map((index) => ({ __typename: 'Verse', id: `${index}` })),
    () => translations.map((identifier) => ({ __typename: 'Translation', identifier })),
    () => [{ __typename: 'Translation', identifier: 'x'.repeat(10) }],
  ];
  const kind = chance(0.6) ? kinds[1] : pick(kinds);
  return { kind: 'representations', representations: kind?.() ?? [], count };
}

/**
 * An operation selects one field many times, under aliases. Returns the argument of the selection with the number `copy`,
 * counted from 0, so that the selections differ.
 */
export function valueOfCopy(choice: ValueChoice, copy: number): unknown {
  switch (choice.kind) {
    case 'constants': {
      const value = choice.values[copy % choice.values.length];
      // If there are more copies than values, the further copies of a number are increased, so that the copies differ.
      return typeof value === 'number' ? value + Math.floor(copy / choice.values.length) : value;
    }
    case 'text': {
      const { words, separator, length } = choice;
      const first = copy % words.length;
      const turn = [...words.slice(first), ...words.slice(0, first)].join(separator) + separator;
      return turn.repeat(Math.ceil(length / Math.max(1, turn.length))).slice(0, length);
    }
    case 'representations':
      return Array.from(
        { length: choice.count },
        (_, index) => choice.representations[(index + copy) % choice.representations.length],
      );
  }
}
