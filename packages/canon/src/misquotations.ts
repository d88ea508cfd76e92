import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOneEdit } from './named-passages';
import { foldName } from './normalize-text';

/** A saying that people often quote as Scripture, although the Bible does not have it, or has it in other words. */
export interface Misquotation {
  /** The saying as people usually word it, in the language of the matching words. */
  saying: string;
  /** ALTERED: verses say something similar in other words. ABSENT: no verse says it. */
  kind: 'ABSENT' | 'ALTERED';
  /** References to the nearest verses, in English and in the standard numbering: `Psalms 121:1-2; Romans 5:6`. */
  references: string;
  /** English sentences that explain the finding and name the references. */
  message: string;
}

interface Wording {
  readonly words: readonly string[];
  /** The words of the saying that are not in `smallWords`. */
  readonly mainWords: readonly string[];
  readonly weight: number;
  /** Words that only the real verses have. A text with one of them is no misquotation. */
  readonly trueWords: ReadonlySet<string>;
  readonly misquotation: Misquotation;
}

const file = join(__dirname, '..', 'misquotations.tsv');
let wordings: readonly Wording[] | undefined;

/** The maximum length of a text that can be a misquotation, in UTF-16 units. No saying in the table is longer. */
const maxTextLength = 300;

/** The difference between a text and a saying must be less than this share of the saying's weight. */
const maxDifference = 0.25;

/**
 * Returns the saying that a text quotes, or null. Ignores case, accents, punctuation, small changes and surrounding
 * words ("does the Bible say that ..."). A text that has the words of the real verses is no misquotation. The first
 * call reads the table, and throws if a line is malformed.
 */
export function findMisquotation(text: string): Misquotation | null {
  if (text.length > maxTextLength) return null;
  wordings ??= readFileSync(file, 'utf8').trimEnd().split('\n').flatMap(parseLine);
  const words = wordsOf(text);
  const folded = new Set(words);
  const ownWords = words.filter((word) => !frame.has(word)).length;
  let best: { difference: number; misquotation: Misquotation } | null = null;
  for (const wording of wordings) {
    // This rule and the next one avoid most comparisons. Each additional word costs at least a half.
    if (ownWords - wording.words.length >= 2 * maxDifference * wording.weight) continue;
    const shared = wording.mainWords.filter((word) => folded.has(word)).length;
    if (shared < wording.mainWords.length / 2 || words.some((word) => wording.trueWords.has(word))) continue;
    const difference = differenceOf(words, wording.words) / wording.weight;
    if (difference < (best?.difference ?? maxDifference)) best = { difference, misquotation: wording.misquotation };
  }
  return best?.misquotation ?? null;
}

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words with half the weight, because people often leave them out or replace them. */
const smallWords = list('the a an of to in and that is are but el la los las un una de a en y que es se lo al del');

/** The words around a quoted saying that ask about it or present it as Scripture. */
const frame = list(
  'the a as is it in does do did where who what which say says said saying written scripture scriptures bible verse ' +
    'verses biblical quote god lord jesus that this of about mean meaning passage chapter find kjv niv ' +
    'la el en es esta dice decir donde quien que cual biblia biblico biblica versiculo versiculos escrito escritura ' +
    'cita dios jesus como eso significa significado de pasaje texto segun',
);

const weightOf = (word: string): number => (smallWords.has(word) ? 0.5 : 1);

const wordsOf = (text: string): string[] => foldName(text.replaceAll(/['’‘ʼ`´]/g, '')).match(/[\p{L}\p{N}]+/gu) ?? [];

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

function parseLine(line: string): Wording[] {
  const [kind = '', english = '', spanish = '', trueWords = '', references = '', note = ''] = line.split('\t');
  if ((kind !== 'ABSENT' && kind !== 'ALTERED') || english === '' || spanish === '' || references === '')
    throw new Error(`Malformed line in the table of misquotations: ${line}`);
  return [english, spanish].flatMap((wordings) => {
    const all = wordings.split('|');
    const misquotation = misquotationOf(kind, all[0] ?? '', references, note);
    return all.map((wording) => {
      const words = wordsOf(wording);
      const weight = words.reduce((sum, word) => sum + weightOf(word), 0);
      const mainWords = words.filter((word) => !smallWords.has(word));
      return { words, mainWords, weight, trueWords: list(trueWords), misquotation };
    });
  });
}

const findings = { ABSENT: 'no verse says it', ALTERED: 'the Bible has other words' };

function misquotationOf(kind: Misquotation['kind'], saying: string, references: string, note: string): Misquotation {
  const finding = `"${saying}" is often quoted as Scripture, but ${findings[kind]}.`;
  const message = [finding, note, `Nearest verses: ${references}.`].filter((part) => part !== '').join(' ');
  return { saying, kind, references, message };
}
