import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOneEdit } from './named-passages';
import { foldName } from './normalize-text';

/** ALTERED: verses say something similar in other words. NOT_IN_BIBLE: none does, but people quote it as Scripture. */
type SayingStatus = 'IN_BIBLE' | 'ALTERED' | 'NOT_IN_BIBLE';

export interface Saying {
  /** The saying as people usually word it, in the language of the matching words. */
  text: string;
  status: SayingStatus;
  /** References to the nearest verses, in English and in the standard numbering: `Psalms 121:1-2; Romans 5:6`. */
  references: string;
  /** Sentences in the language of the matching words that tell the status. In English also the origin, if known. */
  note: string;
}

interface Wording {
  readonly words: readonly string[];
  /** The distinct words of the saying that are not in `smallWords`. */
  readonly mainWords: ReadonlySet<string>;
  readonly weight: number;
  /** Words that only the real verses have. A text with one of them is not this saying. */
  readonly trueWords: ReadonlySet<string>;
  readonly saying: Saying;
}

const file = join(__dirname, '..', 'sayings.tsv');
let wordingsByWord: ReadonlyMap<string, readonly Wording[]> | undefined;

/** The maximum length of a text that can be a saying, in UTF-16 units. No saying in the table is longer. */
const maxTextLength = 300;

/** The difference between a text and a saying must be less than this share of the saying's weight. */
const maxDifference = 0.25;

/**
 * Returns the saying that a text quotes, or null, whatever its case, accents, punctuation, small changes and words
 * around. A text with words of the real verses is not the altered saying. Throws if a line of the table is malformed.
 */
export function findSaying(text: string): Saying | null {
  if (text.length > maxTextLength) return null;
  wordingsByWord ??= readWordings();
  const words = wordsOf(text);
  const shared = new Map<Wording, number>();
  for (const word of new Set(words))
    for (const wording of wordingsByWord.get(word) ?? []) shared.set(wording, (shared.get(wording) ?? 0) + 1);
  const ownWords = words.filter((word) => !frame.has(word)).length;
  let best: { difference: number; saying: Saying } | null = null;
  for (const [wording, count] of shared) {
    // This rule and the next one avoid most comparisons. Each additional word costs at least a half.
    if (ownWords - wording.words.length >= 2 * maxDifference * wording.weight) continue;
    if (count < wording.mainWords.size / 2 || words.some((word) => wording.trueWords.has(word))) continue;
    const difference = differenceOf(words, wording.words) / wording.weight;
    if (difference < (best?.difference ?? maxDifference)) best = { difference, saying: wording.saying };
  }
  return best?.saying ?? null;
}

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words with half the weight, because people often leave them out or replace them. */
const smallWords = list(
  'the a an of to in and that is are but el la los las lo un una de y en que es se al del der die das den dem ein eine und ist ' +
    'in zu le les des et est une du il lo gli e un i di che o os as do da um uma em',
);

/** The words around a quoted saying that ask about it or present it as Scripture. */
const frame = list(
  'the a as is it in does do did where who what which say says said saying written scripture scriptures bible verse ' +
    'verses biblical quote god lord jesus that this of about mean meaning passage chapter find kjv niv ' +
    'la el en es esta dice decir donde quien que cual biblia biblico biblica versiculo versiculos escrito escritura ' +
    'cita dios jesus como eso significa significado de pasaje texto segun ' +
    'wo steht der die das bibel sagt vers in dass geschrieben bibelvers ist sprichwort zitat ' +
    'ou est ce dans bible dit verset ecrit le que proverbe dove scritto nella bibbia versetto il che proverbio ' +
    'onde diz na versiculo esta proverbio',
);

const weightOf = (word: string): number => (smallWords.has(word) ? 0.5 : 1);

const wordsOf = (text: string): string[] =>
  foldName(text.replaceAll(/['’‘ʼ`´]/g, '').replaceAll(/œ/giu, 'oe')).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the cost of replacing a word. It is low if the words differ by one edit and have at least five letters. */
function replacementCost(word: string, said: string): number {
  if (word === said) return 0;
  return said.length >= 5 && isOneEdit(word, said) ? 0.25 : Math.max(weightOf(word), weightOf(said));
}

/** Returns the edit distance between the words of a text and of a saying. Words around the saying cost nothing. */
function differenceOf(words: readonly string[], saying: readonly string[]): number {
  const start = words.findIndex((word) => !frame.has(word));
  const end = words.findLastIndex((word) => !frame.has(word));
  let row = [0];
  for (const said of saying) row.push((row.at(-1) ?? 0) + weightOf(said));
  for (const [at, word] of words.entries()) {
    const next = [(row[0] ?? 0) + (at < start ? 0 : weightOf(word))];
    for (const [index, said] of saying.entries()) {
      const isAfter = at > end && index === saying.length - 1;
      const added = (row[index + 1] ?? 0) + (isAfter ? 0 : weightOf(word));
      const replaced = (row[index] ?? 0) + replacementCost(word, said);
      next.push(Math.min(added, replaced, (next[index] ?? 0) + weightOf(said)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The columns of the table with wordings, and the sentences that tell the status in each language. */
const languages: readonly Readonly<Record<SayingStatus, string>>[] = [
  {
    IN_BIBLE: '"%" is from the Bible.',
    ALTERED: '"%" is often quoted as Scripture, but the Bible has other words.',
    NOT_IN_BIBLE: '"%" is often quoted as Scripture, but no verse says it.',
  },
  {
    IN_BIBLE: '«%» está en la Biblia.',
    ALTERED: '«%» se cita a menudo como Escritura, pero la Biblia lo dice con otras palabras.',
    NOT_IN_BIBLE: '«%» se cita a menudo como Escritura, pero ningún versículo lo dice.',
  },
  {
    IN_BIBLE: '„%“ steht in der Bibel.',
    ALTERED: '„%“ wird oft als Bibelwort zitiert, aber die Bibel sagt es mit anderen Worten.',
    NOT_IN_BIBLE: '„%“ wird oft als Bibelwort zitiert, aber kein Vers sagt es.',
  },
  {
    IN_BIBLE: '« % » se trouve dans la Bible.',
    ALTERED: '« % » est souvent cité comme parole biblique, mais la Bible le dit autrement.',
    NOT_IN_BIBLE: '« % » est souvent cité comme parole biblique, mais aucun verset ne le dit.',
  },
  {
    IN_BIBLE: '«%» è nella Bibbia.',
    ALTERED: '«%» è spesso citato come Scrittura, ma la Bibbia lo dice con altre parole.',
    NOT_IN_BIBLE: '«%» è spesso citato come Scrittura, ma nessun versetto lo dice.',
  },
  {
    IN_BIBLE: '«%» está na Bíblia.',
    ALTERED: '«%» é muitas vezes citado como Escritura, mas a Bíblia o diz com outras palavras.',
    NOT_IN_BIBLE: '«%» é muitas vezes citado como Escritura, mas nenhum versículo o diz.',
  },
];

/** Reads the table. The result has the wordings with each main word. */
function readWordings(): ReadonlyMap<string, readonly Wording[]> {
  const byWord = new Map<string, Wording[]>();
  for (const wording of readFileSync(file, 'utf8').trimEnd().split('\n').slice(1).flatMap(parseLine))
    for (const word of wording.mainWords) byWord.set(word, [...(byWord.get(word) ?? []), wording]);
  return byWord;
}

function parseLine(line: string): Wording[] {
  const [status = '', references = '', trueWords = '', origin = '', ...wordings] = line.split('\t');
  if (!isStatus(status) || references === '' || wordings[0] === '' || wordings.length > languages.length)
    throw new Error(`Malformed line in the table of sayings: ${line}`);
  return languages.flatMap((sentences, at) => {
    const all = (wordings[at] ?? '').split('|').filter((wording) => wording !== '');
    const text = all[0] ?? '';
    const notes = [sentences[status].replace('%', text), ...(at === 0 && origin !== '' ? [origin] : [])];
    const saying: Saying = { text, status, references, note: notes.join(' ') };
    return all.map((wording) => {
      const words = wordsOf(wording);
      const weight = words.reduce((sum, word) => sum + weightOf(word), 0);
      const mainWords = new Set(words.filter((word) => !smallWords.has(word)));
      return { words, mainWords, weight, trueWords: list(trueWords), saying };
    });
  });
}

const isStatus = (text: string): text is SayingStatus => Object.keys(languages[0] ?? {}).includes(text);
