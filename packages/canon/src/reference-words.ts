import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from './normalize-text';

interface SpokenWords {
  /** The numbers 1 to 199 by their words without spaces and accents: `onehundredandnineteen`. */
  numbers: ReadonlyMap<string, number>;
  /** Words that join numbers: "and", "to". */
  links: ReadonlySet<string>;
  /** The number of a book by the ways to write it: `first`, `primera` and `i` are "1". */
  ordinals: ReadonlyMap<string, string>;
}

/** Reads a table of the package: its lines, split by tabs. */
export const readTable = (name: string): string[][] =>
  readFileSync(join(__dirname, '..', name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

let kinds: ReadonlyMap<string, ReadonlySet<string>> | undefined;

type WordKind = 'within' | 'place' | 'joining' | 'before' | 'after' | 'ordinal';

/** Returns whether a word (without accents) stands within names, names a place, or stands before or after a name. */
export function isWordOf(kind: WordKind, word: string): boolean {
  kinds ??= new Map(
    readTable('reference-words.tsv').map(([name = '', list = '']) => [name, new Set(foldName(list).split(' '))]),
  );
  return kinds.get(kind)?.has(word) ?? false;
}

let words: SpokenWords | undefined;

/** Returns the words for numbers of all languages. Reads `number-words.tsv` when it is first needed. */
export function spokenWords(): SpokenWords {
  if (words) return words;
  const numbers = new Map<string, number>();
  const links = new Set<string>();
  const ordinals = new Map(
    ['i', 'ii', 'iii', 'iv'].flatMap((roman, at) => [`${at + 1}`, roman].map((each) => [each, `${at + 1}`])),
  );
  for (const line of readTable('number-words.tsv')) {
    const [, hundreds = [], [joiner = ''] = [], linked = [], ordered = [], cardinals = []] = line.map((column) =>
      foldName(column).split(' '),
    );
    for (const word of linked) links.add(word);
    for (const [at, forms] of ordered.entries()) for (const form of forms.split('|')) ordinals.set(form, `${at + 1}`);
    for (const hundred of hundreds) numbers.set(hundred, 100);
    for (const [at, forms] of cardinals.entries())
      for (const form of forms.split('|')) {
        numbers.set(form, at + 1);
        for (const hundred of hundreds) for (const join of ['', joiner]) numbers.set(hundred + join + form, 101 + at);
      }
  }
  return (words = { numbers, links, ordinals });
}
