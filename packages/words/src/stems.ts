import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stemmer as ara } from '@orama/stemmers/arabic';
import { stemmer as dan } from '@orama/stemmers/danish';
import { stemmer as nld } from '@orama/stemmers/dutch';
import { stemmer as eng } from '@orama/stemmers/english';
import { stemmer as fin } from '@orama/stemmers/finnish';
import { stemmer as fra } from '@orama/stemmers/french';
import { stemmer as deu } from '@orama/stemmers/german';
import { stemmer as ell } from '@orama/stemmers/greek';
import { stemmer as hun } from '@orama/stemmers/hungarian';
import { stemmer as hin } from '@orama/stemmers/indian';
import { stemmer as ind } from '@orama/stemmers/indonesian';
import { stemmer as ita } from '@orama/stemmers/italian';
import { stemmer as nep } from '@orama/stemmers/nepali';
import { stemmer as nor } from '@orama/stemmers/norwegian';
import { stemmer as por } from '@orama/stemmers/portuguese';
import { stemmer as ron } from '@orama/stemmers/romanian';
import { stemmer as rus } from '@orama/stemmers/russian';
import { stemmer as srp } from '@orama/stemmers/serbian';
import { stemmer as spa } from '@orama/stemmers/spanish';
import { stemmer as swe } from '@orama/stemmers/swedish';
import { stemmer as tur } from '@orama/stemmers/turkish';
import { stemmer as ukr } from '@orama/stemmers/ukrainian';
import { foldWord, type Token } from './tokens';

/** The stop words of each language, by ISO 639-3 code. The package has no types. */
const stopWords = require('stopword') as Readonly<Record<string, readonly string[] | undefined>>;

type Stem = (folded: string) => string;

const itself: Stem = (folded) => folded;

const european = { dan, deu, ell, eng, fin, fra, hun, ita, nld, nor, por, ron, rus, spa, srp, swe, tur, ukr };

/** Snowball's stemmers by ISO 639-3 code, except those that do not work with folded words. */
const stemmers: ReadonlyMap<string, Stem> = new Map(
  Object.entries({ ...european, ara, hin, ind, nep, nob: nor, nno: nor }),
);

export const hasStemmer = (language: string): boolean => stemmers.has(language);

const koreanParticles =
  '께(?:서(?:는|도)?|로(?:서)?)?|에(?:게(?:서|로|는|도)?|서(?:는|도|부터)?|까지|는|도)?|(?:으)?로(?:부터|서|써|는|도|다)?|까지|부터|마다|처럼|같이|보다|만큼|조차|마저|밖에|뿐|' +
  '이라(?:도|는|면)?|이니(?:라|이다)?|이(?:며|면|요|여|신|냐|뇨|나|든지|다)|이시(?:니|니라|요|며)|이(?:었)?더라|이로(?:다|되|소이다)|라(?:도|는|고|면)?|니(?:라|이다)|이|가|은|는|을|를|의|와|과|도|만|들';
/** Nouns of one syllable. Other words of two syllables may end like a particle: `아이` (child) is no form of `아`. */
const koreanSyllables =
  '왕주땅죄물불빛집말날길손발눈귀입몸피살뼈꿈돌산강밭성문종딸형복법금은양소개새떡술별달해밤낮씨영신뜻힘칼배섬잔옷관창활병악선의';

/** Replacements before the stemmer. The letters of a pair sound alike, or people without a letter type the other one. */
const rewritings: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  // `Huette` for `Hütte`. In `neue` and `Quelle` the letters are no umlaut.
  deu: [[/(?<![aeiouq])([aou])e/g, '$1']],
  ...Object.fromEntries(['dan', 'nob', 'nno', 'nor'].map((language) => [language, [[/oe/g, 'ø']] as const])),
  // `사랑하는` (loving) is `사랑` (love) with a verb ending, and `예수께서는` is `예수` (Jesus) with particles.
  kor: [
    [/^(..)(?:[하한할함합해했되된될됨됩돼받]).*$/u, '$1'],
    [new RegExp(`(?<=..)(?:${koreanParticles}){1,3}$`, 'u'), ''],
    [new RegExp(`^([${koreanSyllables}])(?:${koreanParticles}){1,3}$`, 'u'), '$1'],
  ],
  lat: [
    [/j/g, 'i'],
    [/v/g, 'u'],
  ],
};

/** Languages without a stemmer whose words take endings, with the endings of their basic form. */
const endings: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'aym aze azj bak ben bul ces chv crh ekk epo est eus guj hrv isl kat kaz kir lav lit lvs mar mkd mon pan pol que quz sin slk slv sqi tat tuk uig uzb'
      .split(' ')
      .map((language) => [language, /$/]),
  ),
  hye: /(?<=...)[իաեէոը]$/,
  kan: /\u0cc1$/,
  mal: /[\u0d02\u0d41\u0d4d]$/,
  tam: /\u0bae\u0bcd$|[\u0bc1\u0bcd]$/,
  tel: /\u0c21?\u0c41$/,
};
const minEndedLetters = 3;

/**
 * Returns the beginning that forms of a word have in common, in a language of `endings`. Null if its words have no
 * such endings, or if the word is too short.
 */
export function commonBeginning(folded: string, language: string): string | null {
  const ending = Object.hasOwn(endings, language) ? endings[language] : undefined;
  return ending && [...folded].length >= minEndedLetters ? folded.replace(ending, '') : null;
}

/** In UTF-16 units. The time of the stemmers grows with the square of the length. */
const maxStemmedLength = 100;

/**
 * Returns the function that maps a folded word to its stem: by the lists of forms, else by Snowball's stemmer. A very
 * long word, or a word in a language without a stemmer, is its own stem. Old English verb forms have the stem of their
 * verb: `cometh` that of `come`. With `distinct`, the lists only take words out of the stem of another word, so that
 * the concordance keeps its counts.
 */
export function stemmerFor(language: string, forms: 'all' | 'distinct' = 'all'): Stem {
  const snowball = forms === 'all' ? snowballFor(language) : (stemmers.get(language) ?? itself);
  const stems = formsOf(language)[forms];
  const stemOf = (folded: string): string => stems.get(folded) ?? snowball(folded);
  const stem: Stem = language === 'eng' ? (folded) => stems.get(folded) ?? stemOf(withoutOldEnding(folded)) : stemOf;
  return (folded) => (folded.length > maxStemmedLength ? folded : stem(folded));
}

function snowballFor(language: string): Stem {
  const stem = stemmers.get(language) ?? itself;
  const rules = Object.hasOwn(rewritings, language) ? (rewritings[language] ?? []) : [];
  return (folded) => stem(rules.reduce((word, [letters, by]) => word.replace(letters, by), folded));
}

const oldEnding = /^(?<verb>..+e)(?:th|st|dst)$/;
const ordinalNumber = /tieth$/;

/** `cometh` becomes `comed`, which has the stem of `come`, and `fleeth` becomes `flee`. */
function withoutOldEnding(folded: string): string {
  const verb = oldEnding.exec(folded)?.groups?.['verb'];
  if (verb === undefined || ordinalNumber.test(folded)) return folded;
  return verb.endsWith('ee') ? verb : `${verb}d`;
}

/** The stems of the words in a list of forms. `distinct` has the words that also leave their stem in the concordance. */
type Forms = Readonly<Record<'all' | 'distinct', ReadonlyMap<string, string>>>;

const formsByLanguage = new Map<string, Forms>();

/** Returns the forms of a language, perhaps none. Reads the list at its first use, which takes at most 20 ms. */
function formsOf(language: string): Forms {
  const known = formsByLanguage.get(language) ?? parseForms(readLines('forms', language, 'txt'), snowballFor(language));
  formsByLanguage.set(language, known);
  return known;
}

/** Parses lines such as `give gave given`. README.md explains the signs before a line. The first line of a word counts. */
function parseForms(lines: readonly string[], snowball: Stem): Forms {
  const [all, distinct] = [new Map<string, string>(), new Map<string, string>()];
  const own = new Set(lines.flatMap((line) => (line.startsWith('= ') ? line.split(' ')[1] : [])));
  for (const line of lines) {
    const words = line.replace(/^[=+] /, '').split(' ');
    const [lemma = ''] = words;
    const stem = own.has(lemma) ? lemma : snowball(lemma);
    for (const word of words.map(variantOf))
      for (const stems of /^[=+]/.test(line) ? [all, distinct] : [all]) if (!stems.has(word)) stems.set(word, stem);
  }
  return { all, distinct };
}

const acute = '\u0301';
const acuteLetter = /[áéíóúÁÉÍÓÚ\u0301]/;

/** Returns the folded word. A mark follows it if the word has an acute accent, so that `oró` is not `oro`. */
const variantOf = (word: string): string => (acuteLetter.test(word) ? foldWord(word) + acute : word);

/**
 * Creates the function that folds a word of a text to a term of an index. Some terms keep a mark of their accent,
 * because they are forms of another word: Spanish `oró` (prayed) is no form of `oro` (gold).
 */
export function createTermFolding(language: string): (token: Pick<Token, 'text' | 'folded'>) => string {
  const { all } = formsOf(language);
  return ({ text, folded }) => (acuteLetter.test(text) && all.has(folded + acute) ? folded + acute : folded);
}

/** Returns the terms of a folded word, which a text may write with or without an accent (`createTermFolding`). */
export const termsOfWord = (folded: string): readonly [string, string] => [folded, folded + acute];

const files: ReadonlyMap<string, string> = new Map([
  ['eng', 'english'],
  ['fra', 'french'],
  ['deu', 'german'],
  ['ita', 'italian'],
  ['por', 'portuguese'],
  ['spa', 'spanish'],
]);

/** Returns the folded stop words of a language (ISO 639-3), or none. The lists of `files` are Snowball's. */
export const functionWords = (language: string): ReadonlySet<string> =>
  files.has(language)
    ? readWords('function-words', language, 'stop')
    : new Set((Object.hasOwn(stopWords, language) ? stopWords[language] : [])?.map(foldWord));

/** Returns folded English or Spanish words that a spelling checker for Bible text must leave alone. */
export const ordinaryWords = (language: string): ReadonlySet<string> => readWords('ordinary-words', language, 'txt');

const readWords = (folder: string, language: string, extension: string): ReadonlySet<string> =>
  new Set(readLines(folder, language, extension).map(foldWord));

/** Returns the lines of a list, without comments. A language without a list has none. */
function readLines(folder: string, language: string, extension: string): string[] {
  const file = join(__dirname, '..', folder, `${files.get(language)}.${extension}`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
