import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grammar } from '../grammar/grammar';
import { type OriginalsReader, type OriginalWord, ownSegment } from '../reader';
import { foldOriginal } from '../script/fold';
import type { OriginalPart } from './align';

interface OtherNumber {
  readonly number: string;
  /** The form of the word, folded, to which the number belongs. Undefined if it belongs to all forms. */
  readonly form: string | undefined;
}

/** The Strong's numbers of the Hebrew prefix that means "from". No other prefix has a number. */
const prefixNumbers: Readonly<Record<string, readonly string[]>> = { m: ['H4480', 'H4481'] };
/** The Strong's numbers that translations give to suffixes (I, we, thou, he, they), by person and number. */
const suffixNumbers: Readonly<Record<string, readonly string[]>> = {
  '1 SINGULAR': ['H589'],
  '1 PLURAL': ['H587'],
  '2 SINGULAR': ['H859'],
  '2 PLURAL': ['H859'],
  '3 SINGULAR': ['H1931'],
  '3 PLURAL': ['H1992', 'H2007'],
};
/** The maximum distance of a split rendering, in Strong's numbers. Other parts of speech never have one. */
const splitDistances: Readonly<Record<string, number>> = {
  ADJECTIVE: 5,
  ADVERB: 5,
  NOUN: 5,
  VERB: 5,
  PREPOSITION: 2,
  PRONOUN: 2,
};

/** Creates the function that lists the parts of words, in order, as `alignTags` needs them. */
export function createParts({ grammarOf, lemmaOf }: OriginalsReader) {
  const others = readOtherNumbers();
  return (words: readonly OriginalWord[]): OriginalPart[] =>
    words.flatMap((word, index) => {
      const grammar = grammarOf(word.parsing);
      const prefixed = grammar.prefixes.flatMap((prefix) => prefixNumbers[prefix] ?? []);
      const suffix = grammar.segments.at(-1);
      const suffixed = suffix?.type === 'PRONOMINAL' ? suffixNumbers[`${suffix.person} ${suffix.number}`] : undefined;
      return [
        ...(prefixed.length > 0 ? [partWith(index, prefixed)] : []),
        ownPart(word, index, ownSegment(grammar)),
        ...(suffixed ? [partWith(index, suffixed)] : []),
      ];
    });

  function ownPart(word: OriginalWord, index: number, own: Grammar): OriginalPart {
    const isGreek = word.verse.text.language === 'grc';
    const listed = others.get(isGreek ? word.lemma : (word.strongs ?? '')) ?? [];
    const form = listed.length > 0 ? foldOriginal(word.surface) : '';
    const numbers = [
      ...(word.strongs ? [word.strongs] : []),
      ...(word.qere ?? []).flatMap((read) => lemmaOf(read.lemma).strongs ?? []),
      ...listed.map(({ number }) => number),
    ];
    return {
      word: index,
      numbers: new Set(numbers),
      formNumber: listed.find((each) => each.form === form)?.number ?? null,
      agreement: own.case ? `${own.case} ${own.number} ${own.gender}` : '',
      splitDistance: own.type === 'PERSONAL' ? 0 : (splitDistances[own.partOfSpeech] ?? 0),
    };
  }
}

const partWith = (word: number, numbers: readonly string[]): OriginalPart => ({
  word,
  numbers: new Set(numbers),
  formNumber: null,
  agreement: '',
  splitDistance: 0,
});

/** Reads the additional Strong's numbers of a lemma in translations, by Greek lemma or Hebrew number. */
export function readOtherNumbers(): ReadonlyMap<string, readonly OtherNumber[]> {
  const numbers = new Map<string, OtherNumber[]>();
  for (const line of readFileSync(join(__dirname, '..', '..', 'other-numbers.tsv'), 'utf8')
    .trimEnd()
    .split('\n')) {
    const [number = '', lemma = '', form] = line.split('\t');
    numbers.set(lemma, [...(numbers.get(lemma) ?? []), { number, form }]);
  }
  return numbers;
}
