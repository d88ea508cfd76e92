import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldWord, type Token } from './tokens';

/** The stop words of each language, by ISO 639-3 code. The package has no types. */
const stopWords = require('stopword') as Readonly<Record<string, readonly string[] | undefined>>;

type Stem = (folded: string) => string;

/** Languages (ISO 639-3) and their names. The name is that of Snowball's stemmer and of the lists of a language. */
const names: ReadonlyMap<string, string> = new Map(
  (
    'ara arabic|dan danish|deu german|ell greek|eng english|fin finnish|fra french|hin indian|hun hungarian|' +
    'ind indonesian|ita italian|nep nepali|nld dutch|nno norwegian|nob norwegian|nor norwegian|por portuguese|' +
    'ron romanian|rus russian|spa spanish|srp serbian|swe swedish|tur turkish|ukr ukrainian'
  )
    .split('|')
    .map((each) => each.split(' ') as [string, string]),
);

/** Whether Snowball has a stemmer that works with folded words. */
export const hasStemmer = (language: string): boolean => names.has(language);

/** Patterns of a language, and what replaces each. */
type Rules = readonly (readonly [pattern: RegExp, by: string])[];

/** Reads rules by language: those before a stemmer (`rewritings`), or of the endings of basic forms (`endings`). */
function readRules(name: 'rewritings' | 'endings'): ReadonlyMap<string, Rules> {
  const rules = new Map<string, Rules>();
  for (const line of readLines('forms', `${name}.tsv`)) {
    const [languages = '', pattern = '', by = ''] = line.split('\t');
    for (const language of languages.split(' '))
      rules.set(language, [...(rules.get(language) ?? []), [new RegExp(pattern, 'gu'), by]]);
  }
  return rules;
}

const rewrite = (word: string, rules: Rules): string =>
  rules.reduce((rewritten, [pattern, by]) => rewritten.replace(pattern, by), word);

const minEndedLetters = 3;

/** Returns what forms of a word share, in languages with endings and no stemmer. Null for others and short words. */
export function commonBeginning(folded: string, language: string): string | null {
  const rules = endings.get(language);
  return rules && [...folded].length >= minEndedLetters ? rewrite(folded, rules) : null;
}

/** In UTF-16 units. The time of the stemmers grows with the square of the length. */
const maxStemmedLength = 100;

/**
 * Maps a folded word to its stem: by the lists of forms, else by Snowball's stemmer. A very long word, or one in a
 * language without a stemmer, is its own stem. `cometh` has the stem of `come`. With `distinct`, lists only take words
 * out of another stem, and rewritings count in English only: the concordance keeps its counts.
 */
export function stemmerFor(language: string, forms: 'all' | 'distinct' = 'all'): Stem {
  const snowball = snowballFor(language, forms === 'all' || language === 'eng');
  const stems = formsOf(language)[forms];
  return (folded) => (folded.length > maxStemmedLength ? folded : (stems.get(folded) ?? snowball(folded)));
}

function snowballFor(language: string, rewrites = true): Stem {
  const stem: Stem = hasStemmer(language) ? require(`@orama/stemmers/${names.get(language)}`).stemmer : (word) => word;
  const rules = rewrites ? rewritings.get(language) : undefined;
  return rules ? (folded) => stem(rewrite(folded, rules)) : stem;
}

/** The stems of the words in a list of forms. `distinct` has the words that also leave their stem in the concordance. */
interface Forms extends Readonly<Record<'all' | 'distinct', ReadonlyMap<string, string>>> {
  /** For each stem of Snowball's, the stems that took words from it. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folded words that are forms of another word if they have an accent. */
  readonly accented: ReadonlySet<string>;
}

const formsByLanguage = new Map<string, Forms>();

/** Returns the forms of a language, perhaps none. Reads the list at its first use, which takes at most 20 ms. */
function formsOf(language: string): Forms {
  const known =
    formsByLanguage.get(language) ??
    parseForms(readLines('forms', `${names.get(language)}.txt`), snowballFor(language));
  formsByLanguage.set(language, known);
  return known;
}

/** Parses lines such as `give gave given`. README.md explains the signs before a line. The first line of a word counts. */
function parseForms(lines: readonly string[], snowball: Stem): Forms {
  const [all, distinct] = [new Map<string, string>(), new Map<string, string>()];
  const taken = new Map<string, Set<string>>();
  const own = new Set(lines.flatMap((line) => (line.startsWith('= ') ? line.split(' ')[1] : [])));
  for (const line of lines) {
    const words = line.replace(/^[=+] /, '').split(' ');
    const [lemma = ''] = words;
    const stem = own.has(lemma) ? lemma : snowball(lemma);
    for (const word of words.map(variantOf)) {
      if (!all.has(word)) all.set(word, stem);
      if (!/^[=+]/.test(line) || distinct.has(word)) continue;
      distinct.set(word, stem);
      taken.set(snowball(word), (taken.get(snowball(word)) ?? new Set()).add(stem));
    }
  }
  const accented = new Set([...all.keys()].filter((word) => word.endsWith(acute)).map((word) => word.slice(0, -1)));
  return { all, distinct, taken, accented };
}

/** Returns the stems that took words from a stem of Snowball's, which clients may know from an earlier version. */
export const stemsTakenFrom = (stem: string, language: string): string[] => [
  ...(formsOf(language).taken.get(stem) ?? []),
];

const acute = '\u0301';
const acuteLetter = /[áéíóúÁÉÍÓÚ]|\u0301/;

/** Returns the folded word. A mark follows it if the word has an acute accent, so that `oró` is not `oro`. */
const variantOf = (word: string): string => (acuteLetter.test(word) ? foldWord(word) + acute : word);

/** Folds a word to a term of an index. Some keep a mark of their accent: `oró` (prayed) is no form of `oro` (gold). */
export function createTermFolding(language: string): (token: Pick<Token, 'text' | 'folded'>) => string {
  const { accented } = formsOf(language);
  if (accented.size === 0) return ({ folded }) => folded;
  return ({ text, folded }) => (accented.has(folded) && acuteLetter.test(text) ? folded + acute : folded);
}

/** Returns the terms of a folded word, which a text may write with or without an accent (`createTermFolding`). */
export const termsOfWord = (folded: string, language: string): readonly string[] =>
  formsOf(language).accented.has(folded) ? [folded, folded + acute] : [folded];

/** Returns the folded stop words of a language (ISO 639-3), or none. Those in the folder are Snowball's. */
export function functionWords(language: string): ReadonlySet<string> {
  const listed = readWords('function-words', `${names.get(language)}.stop`);
  const others = Object.hasOwn(stopWords, language) ? stopWords[language] : [];
  return listed.size > 0 ? listed : new Set(others?.map(foldWord));
}

const lemmaFiles: ReadonlyMap<string, string> = new Map([
  ['grc', 'ancient-greek'],
  ['hbo', 'ancient-hebrew'],
]);

/** Returns the function words of Ancient Greek (grc) or Hebrew (hbo) as lemmas with points and accents, or none. */
export const functionLemmas = (language: string): ReadonlySet<string> =>
  new Set(readLines('function-words', `${lemmaFiles.get(language)}.lemmas`));

/** Returns folded English or Spanish words that a spelling checker for Bible text must leave alone. */
export const ordinaryWords = (language: string): ReadonlySet<string> =>
  readWords('ordinary-words', `${names.get(language)}.txt`);

const readWords = (folder: string, file: string): ReadonlySet<string> => new Set(readLines(folder, file).map(foldWord));

/** Returns the lines of a list without comments, or none if there is no list. */
function readLines(folder: string, file: string): string[] {
  const path = join(__dirname, '..', folder, file);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.map((line) => line.trim().normalize('NFC')).filter((line) => line !== '' && !line.startsWith('#'));
}

const rewritings = readRules('rewritings');
const endings = readRules('endings');
