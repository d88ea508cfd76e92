import type { Category, Grammar } from './grammar';

const partsOfSpeech: Readonly<Record<string, readonly [partOfSpeech: string, type?: string]>> = {
  'A-': ['ADJECTIVE'],
  'C-': ['CONJUNCTION'],
  'D-': ['ADVERB'],
  'I-': ['INTERJECTION'],
  'N-': ['NOUN'],
  'P-': ['PREPOSITION'],
  RA: ['ARTICLE'],
  RD: ['PRONOUN', 'DEMONSTRATIVE'],
  RI: ['PRONOUN', 'INTERROGATIVE_OR_INDEFINITE'],
  RP: ['PRONOUN', 'PERSONAL'],
  RR: ['PRONOUN', 'RELATIVE'],
  'V-': ['VERB'],
  'X-': ['PARTICLE'],
};

/** The categories of the letters that follow the letter for the person in MorphGNT's parsing code, in order. */
const slots: readonly (readonly [Category, Readonly<Record<string, string>>])[] = [
  ['tense', { P: 'PRESENT', I: 'IMPERFECT', F: 'FUTURE', A: 'AORIST', X: 'PERFECT', Y: 'PLUPERFECT' }],
  ['voice', { A: 'ACTIVE', M: 'MIDDLE', P: 'PASSIVE' }],
  ['mood', { I: 'INDICATIVE', D: 'IMPERATIVE', S: 'SUBJUNCTIVE', O: 'OPTATIVE', N: 'INFINITIVE', P: 'PARTICIPLE' }],
  ['case', { N: 'NOMINATIVE', G: 'GENITIVE', D: 'DATIVE', A: 'ACCUSATIVE', V: 'VOCATIVE' }],
  ['number', { S: 'SINGULAR', P: 'PLURAL' }],
  ['gender', { M: 'MASCULINE', F: 'FEMININE', N: 'NEUTER' }],
  ['degree', { C: 'COMPARATIVE', S: 'SUPERLATIVE' }],
];

/** Decodes a parsing code such as "V- 3AAI-S--". Throws an Error that names a letter without a meaning. */
export function decodeGreek(code: string): Grammar {
  const [name = '', letters = ''] = code.split(' ');
  const [partOfSpeech, type] = partsOfSpeech[name] ?? [];
  if (partOfSpeech === undefined) throw new Error(`unknown part of speech '${name}' in the parsing '${code}'`);
  if (!/^[-123].{7}$/.test(letters)) throw new Error(`unknown parsing '${code}'`);
  const grammar: Grammar = { code, partOfSpeech };
  if (type) grammar.type = type;
  if (letters[0] !== '-') grammar.person = Number(letters[0]);
  for (const [index, [category, terms]] of slots.entries()) {
    const letter = letters[index + 1] ?? '-';
    if (letter === '-') continue;
    const term = terms[letter];
    if (term === undefined) throw new Error(`unknown ${category} '${letter}' in the parsing '${code}'`);
    grammar[category] = term;
  }
  return grammar;
}
