import { numberWords } from '@lectern/canon';

/** Writes a number in words, in the style of some translations. */
type Style = (number: number) => string;

/** Numbers of this size and more stay in digits. */
const tooGreat = 1_000_000;

// A thousands separator has exactly three digits after it: `144,000`, `144.000`.
const number = /(?<![\p{L}\p{N}])(?:\d{1,3}(?:[.,]\d{3})+|\d{1,6})(?![\p{L}\p{N}])/gu;

/** Returns the query once for each style of numbers: `six hundred threescore and six`. English and Spanish only. */
export function withNumberWords(query: string, language: string): string[] {
  const spelled = (styles[language] ?? []).map((style) =>
    query.replace(number, (digits) => {
      const value = Number(digits.replace(/[.,]/g, ''));
      return value < tooGreat ? style(value) : digits;
    }),
  );
  return [...new Set(spelled)].filter((each) => each !== query);
}

const { eng, spa } = numberWords;
const oldWords = eng.with(18 + 6, 'threescore').with(18 + 8, 'fourscore');

/** `and` joins parts: `forty and four`. With it, no `one` is before `hundred`: the KJV has `an hundred`. */
const english =
  (numbers: readonly string[], and: string): Style =>
  (value) => {
    const below = (rest: number, words: string): string => (rest === 0 ? words : `${words} ${and}${spell(rest)}`);
    const multiple = (count: number, word: string): string => (count === 1 && and ? word : `${spell(count)} ${word}`);
    const spell: Style = (part) => {
      if (part < 20) return numbers[part] ?? '';
      if (part < 100) return below(part % 10, numbers[18 + Math.floor(part / 10)] ?? '');
      if (part < 1000) return below(part % 100, multiple(Math.floor(part / 100), 'hundred'));
      return below(part % 1000, multiple(Math.floor(part / 1000), 'thousand'));
    };
    return spell(value);
  };

const spanishHundreds =
  '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(' ');

const spanish =
  (hundred: string): Style =>
  (value) => {
    const below = (rest: number, words: string, and: string): string =>
      rest === 0 ? words : `${words} ${and}${spell(rest)}`;
    const spell: Style = (part) => {
      if (part < 20) return spa[part] ?? '';
      if (part < 100) return below(part % 10, spa[18 + Math.floor(part / 10)] ?? '', 'y ');
      if (part === 100) return hundred;
      if (part < 1000) return below(part % 100, spanishHundreds[Math.floor(part / 100)] ?? '', '');
      const thousands = Math.floor(part / 1000);
      return below(part % 1000, thousands === 1 ? 'mil' : `${spell(thousands)} mil`, '');
    };
    return spell(value);
  };

const styles: Readonly<Record<string, readonly Style[]>> = {
  eng: [english(oldWords, 'and '), english(oldWords.with(18 + 7, 'threescore and ten'), 'and '), english(eng, '')],
  spa: [spanish('cien'), spanish('ciento')],
};
