import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';

type Stem = (folded: string) => string;

/** Snowball's stemmers by ISO 639-3 code. */
const stemmers: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ['ara', arabic],
  ['dan', danish],
  ['nld', dutch],
  ['eng', english],
  ['fin', finnish],
  ['fra', french],
  ['deu', german],
  ['ell', greek],
  ['hun', hungarian],
  ['ind', indonesian],
  ['ita', italian],
  ['nor', norwegian],
  ['nob', norwegian],
  ['nno', norwegian],
  ['por', portuguese],
  ['ron', romanian],
  ['rus', russian],
  ['spa', spanish],
  ['swe', swedish],
  ['tur', turkish],
]);

/** Returns true if the language (ISO 639-3) has a stemmer. */
export const hasStemmer = (language: string): boolean => stemmers.has(language);

/**
 * The maximum length of a word that is stemmed, in UTF-16 units. The stemmers take time that grows
 * with the square of the length.
 */
const maxStemmedLength = 100;

/**
 * Returns the function that maps a folded word to its stem. The function returns the word unchanged
 * if the language has no stemmer, or if the word has more than 100 characters.
 */
export function stemmerFor(language: string): Stem {
  const stem = stemmers.get(language);
  return stem ? (folded) => (folded.length > maxStemmedLength ? folded : stem(folded)) : (folded) => folded;
}
