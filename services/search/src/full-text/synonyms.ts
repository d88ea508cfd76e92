import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stemmerFor } from '@lectern/words';

const readLines = (file: string): string[] =>
  readFileSync(join(__dirname, '..', '..', 'synonyms', file), 'utf8')
    .trimEnd()
    .split('\n');

const wordsByMember = new Map<string, string[]>();
for (const line of readLines('written.txt')) {
  const members = /^[#!]/.test(line) ? [] : line.split(' ');
  for (const member of members)
    wordsByMember.set(member, [...(wordsByMember.get(member) ?? []), ...members.filter((other) => other !== member)]);
}

/** The old English ending of verbs: `goeth` and `giveth` stand for `go` and `give`. */
const oldEnding = /^(\p{L}{2,})eth$/u;

/**
 * Returns the synonyms of a word: the words that other translations use instead, from groups written by hand. All words
 * are without case and accents.
 */
export function synonymsOf(folded: string): readonly string[] {
  const stem = oldEnding.exec(folded)?.[1];
  return [...(wordsByMember.get(folded) ?? []), ...(stem === undefined ? [] : [stem, `${stem}e`])];
}

/** A synonym that was learned from verses in which one translation has the typed word and another has this word. */
interface LearnedSynonym {
  readonly word: string;
  /** How many verses have the typed word in the translation in which it is most frequent. */
  readonly typedVerses: number;
}

/** The learned synonyms, by the language of the typed word, its stem, and the language of the searched translation. */
const learned = new Map<string, LearnedSynonym[]>();
const typedLanguages = new Set<string>();
const keyOf = (typedLanguage: string, folded: string, language: string): string =>
  `${typedLanguage} ${stemmerFor(typedLanguage)(folded)} ${language}`;
for (const line of readLines('learned.tsv').slice(1)) {
  const [language = '', word = '', verses, otherLanguage = '', other = '', otherVerses] = line.split('\t');
  const add = (key: string, synonym: LearnedSynonym): unknown =>
    learned.set(key, [...(learned.get(key) ?? []), synonym]);
  add(keyOf(language, word, otherLanguage), { word: other, typedVerses: Number(verses) });
  add(keyOf(otherLanguage, other, language), { word, typedVerses: Number(otherVerses) });
  typedLanguages.add(language).add(otherLanguage);
}

/** A word is rare in a translation if at most this share of its verses in other translations have it here too. */
const rareShare = 1 / 4;

/**
 * Returns the words that a translation in `language` may have in place of a word. Returns none if the translation uses
 * the word often. `verses` is the number of its verses with the word.
 */
export const learnedSynonymsOf = (folded: string, language: string, verses: number): string[] =>
  [...typedLanguages]
    .flatMap((typedLanguage) => learned.get(keyOf(typedLanguage, folded, language)) ?? [])
    .filter(({ typedVerses }) => verses <= typedVerses * rareShare)
    .map(({ word }) => word);

/** Creates the test for function words (`you`, `to`) and their old forms (`thou`, `unto`). */
export const createFunctionWordCheck =
  (functionWords: ReadonlySet<string>) =>
  (folded: string): boolean =>
    functionWords.has(folded) || synonymsOf(folded).some((other) => functionWords.has(other));
