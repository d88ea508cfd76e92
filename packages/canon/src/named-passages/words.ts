import { foldName } from '../normalize-text';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const small = words(
  'the a an of in on at to for and by with from his her their into unto ' +
    'el la los las lo de del en y e al con por para un una su sus que se',
);

/** Words such as "story", which name a kind of passage but no particular passage. */
const generic = words(
  'story storie parable passage account bible biblical scripture tale miracle text ' +
    'historia parabola relato pasaje biblia biblico biblica milagro texto',
);

const numbers: ReadonlyMap<string, number> = new Map([
  ...'two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, index + 2]),
  ...'dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' ').map((word, index) => [word, index + 2]),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, index * 10 + 20]),
  ...'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'
    .split(' ')
    .map((word, index) => [word, index * 10 + 20]),
  ...'hundred cien ciento'.split(' ').map((word) => [word, 100]),
  ...'thousand mil'.split(' ').map((word) => [word, 1_000]),
  ['veinticuatro', 24],
] as [string, number][]);

/** Splits a number into the parts that people speak: 144000 is 100, 40, 4, 1000. */
function spokenNumber(number: number): number[] {
  const unit = number > 1_000 ? 1_000 : number > 100 && number < 1_000 ? 100 : null;
  if (unit !== null) {
    const times = Math.floor(number / unit);
    return [...(times > 1 ? spokenNumber(times) : []), unit, ...spokenNumber(number % unit)];
  }
  if (number > 20 && number < 100 && number % 10 > 0) return [number - (number % 10), number % 10];
  return number === 0 ? [] : [number];
}

/** Returns a name's words, sorted: no case, accents, small words, possessives, plural s. Numbers are digits. */
export function nameWords(name: string): string[] {
  const folded = foldName(name)
    .replace(/(?<=\p{L})['’‘ʼ`´](?:s(?!\p{L}))?/gu, '')
    .replace(/(?<=\d)[,.](?=\d{3}(?!\d))/g, '');
  const found = (folded.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !small.has(word)).flatMap(comparableWord);
  return [...new Set(found)].sort();
}

function comparableWord(word: string): string[] {
  const number = /^\d{1,7}$/.test(word) ? Number(word) : numbers.get(word);
  if (number !== undefined) return spokenNumber(number).map(String);
  return [word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word];
}

export const withoutGenericWords = (found: readonly string[]): string[] => found.filter((word) => !generic.has(word));

/** Returns whether one letter is added, left out, replaced or swapped with the next letter. */
export function isOneEdit(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEdit(b, a);
  if (b.length - a.length > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (b.length > a.length) return a.slice(at) === b.slice(at + 1);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
