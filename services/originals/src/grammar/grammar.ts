/** The categories of a parsing whose values are enums in the GraphQL schema. */
export const categories = [
  'type',
  'gender',
  'number',
  'case',
  'state',
  'tense',
  'voice',
  'mood',
  'degree',
  'stem',
  'conjugation',
] as const;
export type Category = (typeof categories)[number];

/** A segment's grammar in the terms of the GraphQL schema, without the categories that the parsing code lacks. */
export interface Grammar extends Partial<Record<Category, string>> {
  /** The parsing code as the source file writes it. */
  code: string;
  partOfSpeech: string;
  person?: number;
}

/** The parts of speech whose description is not just the type followed by the part of speech. */
const heads: Readonly<Record<string, string>> = {
  'CARDINAL ADJECTIVE': 'cardinal number',
  'ORDINAL ADJECTIVE': 'ordinal number',
  'DEFINITE_ARTICLE PREPOSITION': 'preposition with definite article',
  'AFFIRMATION PARTICLE': 'particle of affirmation',
  'EXHORTATION PARTICLE': 'particle of exhortation',
  'DIRECT_OBJECT_MARKER PARTICLE': 'direct object marker',
  'INTERROGATIVE_OR_INDEFINITE PRONOUN': 'interrogative or indefinite pronoun',
  'DIRECTIONAL_HE SUFFIX': 'directional he',
  'PARAGOGIC_HE SUFFIX': 'paragogic he',
  'PARAGOGIC_NUN SUFFIX': 'paragogic nun',
};
const ordinals = ['', '1st person', '2nd person', '3rd person'];

const inWords = (term: string): string => term.toLowerCase().replaceAll('_', ' ');
const capitalized = (term: string): string => term.charAt(0) + inWords(term.slice(1));

/** Writes a parsing as one line: "verb, Qal perfect, 3rd person masculine singular". */
export function describeGrammar(grammar: Grammar): string {
  const { partOfSpeech, type, person, gender, number, state, stem, conjugation, degree } = grammar;
  const head = type === undefined ? partOfSpeech : `${type} ${partOfSpeech}`;
  const verb = [stem && capitalized(stem), ...[grammar.tense, grammar.voice, grammar.mood, conjugation].map(lower)];
  const declension = grammar.case ? [grammar.case, number, gender] : [gender, number, state];
  const agreement = [person && ordinals[person], ...declension.map(lower)];
  return [[heads[head] ?? inWords(head)], verb, agreement, [lower(degree)]]
    .map((terms) => terms.filter(Boolean).join(' '))
    .filter((part) => part !== '')
    .join(', ');
}

const lower = (term: string | undefined): string | undefined => term && inWords(term);
