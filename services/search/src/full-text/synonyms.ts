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

/** Returns words of other translations for a word, from a list written by hand. All words are folded. */
export const synonymsOf = (folded: string): readonly string[] => wordsByMember.get(folded) ?? [];

/** Learned from verses with the typed word in one translation and the synonym in another. */
interface LearnedSynonym {
  readonly word: string;
  /** The number of verses with the typed word, in the translation that has it most often. */
  readonly typedVerses: number;
}

/** The learned synonyms, by language and stem of the typed word, and language of the searched translation. */
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

/** A typed word is rare in a translation if it is in at most this share of `typedVerses` verses. */
const rareShare = 1 / 4;

/** Returns what a translation may have for a typed word that is rare there, in only `verses` verses. */
export const learnedSynonymsOf = (folded: string, language: string, verses: number): string[] =>
  [...typedLanguages]
    .flatMap((typedLanguage) => learned.get(keyOf(typedLanguage, folded, language)) ?? [])
    .filter(({ typedVerses }) => verses <= typedVerses * rareShare)
    .map(({ word }) => word);

/** Creates the function that tests for function words (`you`, `to`) and old forms of them (`thou`, `unto`). */
export const createFunctionWordCheck =
  (functionWords: ReadonlySet<string>) =>
  (folded: string): boolean =>
    functionWords.has(folded) || synonymsOf(folded).some((other) => functionWords.has(other));
