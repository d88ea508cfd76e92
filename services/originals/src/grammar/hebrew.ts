import { readPairs } from '../script/fold';
import type { Category, Grammar } from './grammar';

type Terms = Readonly<Record<string, string>>;

/** Terms of the GraphQL schema by their letter in the parsing code. */
const termsOf = (table: string): Terms => Object.fromEntries(readPairs(table));

const partsOfSpeech = termsOf(
  'A:ADJECTIVE C:CONJUNCTION D:ADVERB N:NOUN P:PRONOUN R:PREPOSITION S:SUFFIX T:PARTICLE V:VERB',
);

/** The types by part of speech and letter. '' if the part of speech already implies the type. */
const types: Readonly<Record<string, Terms>> = {
  A: termsOf('a: c:CARDINAL g:GENTILIC o:ORDINAL'),
  N: termsOf('c:COMMON g:GENTILIC p:PROPER'),
  P: termsOf('d:DEMONSTRATIVE f:INDEFINITE i:INTERROGATIVE p:PERSONAL r:RELATIVE'),
  R: termsOf('d:DEFINITE_ARTICLE'),
  S: termsOf('d:DIRECTIONAL_HE h:PARAGOGIC_HE n:PARAGOGIC_NUN p:PRONOMINAL'),
  T: termsOf(
    'a:AFFIRMATION d: e:EXHORTATION i:INTERROGATIVE j: m:DEMONSTRATIVE n:NEGATIVE o:DIRECT_OBJECT_MARKER r:RELATIVE',
  ),
};

/** The codes of particles that are not PARTICLE in the GraphQL schema, but have their own part of speech. */
const ownParticles = termsOf('Td:ARTICLE Tj:INTERJECTION');

/** The stems of Hebrew (H) and Aramaic (A) verbs. */
const stems: Readonly<Record<string, Terms>> = {
  H: termsOf(`
    q:QAL N:NIPHAL p:PIEL P:PUAL h:HIPHIL H:HOPHAL t:HITHPAEL o:POLEL O:POLAL r:HITHPOLEL m:POEL M:POAL k:PALEL
    K:PULAL Q:QAL_PASSIVE l:PILPEL L:POLPAL f:HITHPALPEL D:NITHPAEL j:PEALAL i:PILEL u:HOTHPAAL c:TIPHIL
    v:HISHTAPHEL w:NITHPALEL y:NITHPOEL z:HITHPOEL
  `),
  A: termsOf(`
    q:PEAL Q:PEIL u:HITHPEEL N:NIPHAL p:PAEL P:ITHPAAL M:HITHPAAL a:APHEL h:HAPHEL s:SAPHEL e:SHAPHEL H:HOPHAL
    i:ITHPEEL t:HISHTAPHEL v:ISHTAPHEL w:HITHAPHEL o:POLEL z:ITHPOEL r:HITHPOLEL f:HITHPALPEL b:HEPHAL c:TIPHEL
    m:POEL l:PALPEL L:ITHPALPEL O:ITHPOLEL G:ITTAPHAL
  `),
};

const conjugations = termsOf(`
  p:PERFECT q:SEQUENTIAL_PERFECT i:IMPERFECT w:SEQUENTIAL_IMPERFECT h:COHORTATIVE j:JUSSIVE v:IMPERATIVE
  r:ACTIVE_PARTICIPLE s:PASSIVE_PARTICIPLE a:INFINITIVE_ABSOLUTE c:INFINITIVE_CONSTRUCT
`);

const agreement: readonly (readonly [Category, Terms])[] = [
  ['gender', { b: 'BOTH', c: 'COMMON', f: 'FEMININE', m: 'MASCULINE' }],
  ['number', { s: 'SINGULAR', d: 'DUAL', p: 'PLURAL' }],
];
const state: readonly [Category, Terms] = ['state', { a: 'ABSOLUTE', c: 'CONSTRUCT', d: 'DETERMINED' }];
const person: readonly ['person', Terms] = ['person', { 1: '1', 2: '2', 3: '3' }];

/** Returns the language of a parsing code: A is Aramaic, any other first letter Hebrew. */
export const languageOfCode = (code: string): 'hbo' | 'arc' => (code.startsWith('A') ? 'arc' : 'hbo');

/** Decodes each segment of a code such as HR/Ncfsa. Throws an Error that names a letter without a meaning. */
export function decodeHebrew(code: string): Grammar[] {
  const language = stems[code.charAt(0)];
  if (!language) throw new Error(`unknown language '${code.charAt(0)}' in the parsing '${code}'`);
  return code
    .slice(1)
    .split('/')
    .map((segment) => decodeSegment(segment, language));
}

function decodeSegment(code: string, stemTerms: Terms): Grammar {
  const name = code.charAt(0);
  const partOfSpeech = ownParticles[code] ?? partsOfSpeech[name];
  if (partOfSpeech === undefined) throw new Error(`unknown part of speech '${name}' in the parsing '${code}'`);
  const grammar: Grammar = { code, partOfSpeech };
  const slots = slotsOf(code, stemTerms);
  const letters = code.slice(1);
  for (const [index, letter] of [...letters].entries()) {
    const [category, terms] = slots[index] ?? noSlot;
    const term = letter === 'x' && category !== 'letter' ? '' : terms[letter];
    if (term === undefined) throw new Error(`unknown ${category} '${letter}' in the parsing '${code}'`);
    if (term === '' || category === 'letter') continue;
    if (category === 'person') grammar.person = Number(term);
    else grammar[category] = term;
  }
  return grammar;
}

type Slot = readonly [Category | 'person' | 'letter', Terms];

const noSlot: Slot = ['letter', {}];

/** Returns the meanings of the letters after the first letter of a code, in order. */
function slotsOf(code: string, stemTerms: Terms): readonly Slot[] {
  const type = ['type', types[code.charAt(0)] ?? {}] as const;
  switch (code.charAt(0)) {
    case 'A':
    case 'N':
      return [type, ...agreement, state];
    case 'P':
    case 'S':
      return [type, person, ...agreement];
    case 'R':
    case 'T':
      return [type];
    case 'V': {
      const verb = [['stem', stemTerms] as const, ['conjugation', conjugations] as const];
      if (/^..[rs]/.test(code)) return [...verb, ...agreement, state];
      return /^..[ac]/.test(code) ? verb : [...verb, person, ...agreement];
    }
    default:
      return [];
  }
}
