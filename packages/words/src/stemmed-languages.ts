/** The languages that @orama/stemmers has a Snowball stemmer for, as ISO 639-3. */
const stemmed: ReadonlySet<string> = new Set([
  'ara', 'hye', 'bul', 'dan', 'nld', 'eng', 'fin', 'fra', 'deu', 'ell', 'hun', 'hin', 'ind', 'gle', 'ita', 'lit', 'nep', 'nor', 'nob', 'nno',
  'por', 'ron', 'rus', 'srp', 'spa', 'swe', 'tam', 'tur', 'ukr', 'san',
]);

/** Whether the forms of a word can be grouped in this language (ISO 639-3). */
export const hasStemmer = (language: string): boolean => stemmed.has(language);
