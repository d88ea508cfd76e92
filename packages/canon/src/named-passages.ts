import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BookCode, isBookCode } from './books';
import { type Place, verseOrdinal } from './ids';
import { foldName } from './normalize-text';

const namedPassageKinds = [
  'PARABLE',
  'MIRACLE',
  'PRAYER',
  'SONG',
  'SPEECH',
  'COVENANT',
  'LAW',
  'EVENT',
  'PROPHECY',
  'PSALM',
  'SAYING',
  'FESTIVAL',
  'OTHER',
] as const;
export type NamedPassageKind = (typeof namedPassageKinds)[number];

export interface NamedPassage {
  /** The permanent id of the passage: lower-case letters, digits and hyphens. */
  id: string;
  kind: NamedPassageKind;
  /** The names in each language. The first is the most common name. */
  names: Readonly<Record<'eng' | 'spa', readonly [string, ...string[]]>>;
  /** The places of the passage in the standard numbering, the main place first. A place may have several spans. */
  passages: readonly [Spans, ...Spans[]];
}

type Spans = readonly [PassageSpan, ...PassageSpan[]];

/** A range of verses, or of whole chapters if both verses are null. */
export interface PassageSpan {
  start: PassagePoint;
  end: PassagePoint;
}

interface PassagePoint {
  book: BookCode;
  chapter: number;
  verse: number | null;
}

const folder = join(__dirname, '..', 'named-passages');
let table: readonly NamedPassage[] | undefined;
let byId: ReadonlyMap<string, NamedPassage> | undefined;
let spans: readonly { passage: NamedPassage; first: number; last: number }[] | undefined;

/** Returns all named passages, in the order of their main places. Throws if a line of the table is malformed. */
export function namedPassages(): readonly NamedPassage[] {
  table ??= readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    .map(parseLine)
    .sort((a, b) => spanOrdinals(a.passages[0][0]).first - spanOrdinals(b.passages[0][0]).first);
  return table;
}

export function namedPassageById(id: string): NamedPassage | null {
  byId ??= new Map(namedPassages().map((passage) => [passage.id, passage]));
  return byId.get(id) ?? null;
}

/** Returns the named passages that contain a verse (standard numbering), the shortest span first. */
export function namedPassagesAt(place: Place): NamedPassage[] {
  spans ??= namedPassages()
    .flatMap((passage) => passage.passages.flat().map((span) => ({ passage, ...spanOrdinals(span) })))
    .sort((a, b) => a.last - a.first - (b.last - b.first));
  const ordinal = verseOrdinal(place);
  const found = spans.filter(({ first, last }) => first <= ordinal && ordinal <= last);
  return [...new Set(found.map(({ passage }) => passage))];
}

/** Returns the first and last ordinal of a span. For a whole chapter, `last` is above the ordinals of its verses. */
export function spanOrdinals({ start, end }: PassageSpan): { first: number; last: number } {
  return {
    first: verseOrdinal({ ...start, verse: start.verse ?? 0 }),
    last: verseOrdinal({ ...end, verse: end.verse ?? 999 }),
  };
}

function parseLine(line: string): NamedPassage {
  const [id = '', kind = '', english = '', spanish = '', references = ''] = line.split('\t');
  const [eng, spa] = [english.split('|'), spanish.split('|')];
  const passages = references.split(';').map(parseSpans);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || !isKind(kind) || !isFilled(eng) || !isFilled(spa) || !hasFirst(passages))
    throw new Error(`Malformed line in the table of named passages: ${line}`);
  return { id, kind, names: { eng, spa }, passages };
}

const isKind = (text: string): text is NamedPassageKind => namedPassageKinds.some((kind) => kind === text);
const hasFirst = <Item>(list: Item[]): list is [Item, ...Item[]] => list.length > 0;
const isFilled = (names: string[]): names is [string, ...string[]] =>
  hasFirst(names) && names.every((name) => name !== '');

function parseSpans(text: string): Spans {
  const [first = '', ...others] = text.split(',');
  return [parseSpan(first), ...others.map(parseSpan)];
}

/** Parses `PSA 23`, `GEN 6-9`, `JHN 3:16`, `JHN 3:16-18` or `GEN 1:1-2:3`. */
function parseSpan(text: string): PassageSpan {
  const match = /^([0-9A-Z]{3}) (\d+)(?::(\d+))?(?:-(?:(\d+):)?(\d+))?$/.exec(text);
  const [, book = '', chapter, verse, endChapter, end] = match ?? [];
  if (!isBookCode(book)) throw new Error(`Malformed reference in the table of named passages: ${text}`);
  const start = { book, chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) };
  if (end === undefined) return { start, end: start };
  if (start.verse === null) return { start, end: { ...start, chapter: Number(end) } };
  return { start, end: { book, chapter: Number(endChapter ?? chapter), verse: Number(end) } };
}

export interface NamedPassageMatch {
  passage: NamedPassage;
  /** The name of the passage that matches the query best, in English or Spanish. */
  name: string;
  /** The quality of the match, from 0 to 1: at least 0.9 if the query is a full name, otherwise less. */
  score: number;
  /** Whether the query is a full name of the passage. If false, it only shares words with a name. */
  isFull: boolean;
}

interface Name {
  passage: NamedPassage;
  text: string;
  language: string;
  words: readonly string[];
  weight: number;
}

/** The limits of a query. A longer query has no match. The length is in UTF-16 units. */
const namedPassageLimits = { queryLength: 200, queryWords: 20 } as const;
/** The minimum length of a full name that may be misspelt. Shorter words are too similar to other words. */
const minMisspeltName = 7;
const minMisspeltWord = 5;
const maxCorrections = 4;
/** The maximum number of unknown words in a query. If there are more, no misspelling is corrected. */
const maxUnknownWords = 4;
const scores = { exact: 1, generic: 0.95, misspelt: 0.9, partial: 0.89 } as const;
/** The minimum share of words in common, unless the query or the name contains all words of the other. */
const minShared = 0.6;

let sharedIndex: ReturnType<typeof createIndex> | undefined;

/**
 * Finds passages by the names that people use in English or Spanish. The best match comes first, of equal ones that
 * with a name in `language` (ISO 639-3). Tolerates one misspelt word of at least five letters. Returns [] for a query
 * of more than 200 UTF-16 units or 20 words.
 */
export function findNamedPassages(
  query: string,
  { language = 'eng', limit = 10 }: { language?: string; limit?: number } = {},
): NamedPassageMatch[] {
  if (query.length > namedPassageLimits.queryLength) return [];
  const words = nameWords(query);
  if (words.length === 0 || words.length > namedPassageLimits.queryWords) return [];
  sharedIndex ??= createIndex(namedPassages());
  const best = new Map<NamedPassage, { match: NamedPassageMatch; isPreferred: boolean }>();
  for (const { name, score } of sharedIndex.matches(words)) {
    const { passage, text } = name;
    const isPreferred = name.language === language;
    const known = best.get(passage);
    const isBetter =
      !known || score > known.match.score || (score === known.match.score && isPreferred && !known.isPreferred);
    if (isBetter)
      best.set(passage, { match: { passage, name: text, score, isFull: score >= scores.misspelt }, isPreferred });
  }
  return [...best.values()]
    .sort((a, b) => b.match.score - a.match.score || Number(b.isPreferred) - Number(a.isPreferred))
    .slice(0, limit)
    .map(({ match }) => match);
}

function createIndex(passages: readonly NamedPassage[]) {
  const names = passages.flatMap((passage) =>
    Object.entries(passage.names).flatMap(([language, texts]) =>
      texts.map((text): Name => ({ passage, text, language, words: nameWords(text), weight: 0 })),
    ),
  );
  const byWord = new Map<string, Name[]>();
  const byKey = new Map<string, Name[]>();
  for (const name of names) {
    for (const word of name.words) addTo(byWord, word, name);
    addTo(byKey, name.words.join(' '), name);
  }
  /** Returns the weight of a word. It is higher for rare words, and for unknown words a quarter of the highest. */
  const weight = (word: string): number => {
    const count = byWord.get(word)?.length;
    return count === undefined ? Math.log(names.length) / 4 : Math.log(1 + names.length / count);
  };
  const weightOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + weight(word), 0);
  for (const name of names) name.weight = weightOf(name.words);

  /** Returns the variants of a query in which its first misspelt word is corrected. */
  function corrected(words: readonly string[]): string[][] {
    const unknown = words.filter((word) => word.length >= minMisspeltWord && !byWord.has(word));
    if (unknown.length > maxUnknownWords) return [];
    for (const word of unknown) {
      const known = [...byWord.keys()].filter((each) => isOneEdit(word, each)).slice(0, maxCorrections);
      if (known.length > 0) return known.map((right) => words.map((each) => (each === word ? right : each)).sort());
    }
    return [];
  }

  function* fullMatches(words: readonly string[]) {
    const core = withoutGenericWords(words);
    for (const [variants, score, minLength] of [
      [[words], scores.exact, 0],
      [[core], scores.generic, 0],
      [[...corrected(words), ...corrected(core)], scores.misspelt, minMisspeltName],
    ] as const)
      for (const variant of variants) {
        const key = variant.join(' ');
        if (key.length >= minLength) for (const name of byKey.get(key) ?? []) yield { name, score };
      }
  }

  function* partialMatches(words: readonly string[]) {
    const queryWeight = weightOf(words);
    const shared = new Map<Name, { count: number; weight: number }>();
    for (const word of words)
      for (const name of byWord.get(word) ?? []) {
        const { count, weight: sum } = shared.get(name) ?? { count: 0, weight: 0 };
        shared.set(name, { count: count + 1, weight: sum + weight(word) });
      }
    for (const [name, { count, weight: sum }] of shared) {
      const similarity = (2 * sum) / (queryWeight + name.weight);
      const contains = count === words.length || (count === name.words.length && 2 * sum >= queryWeight);
      if (contains || similarity >= minShared) yield { name, score: Math.min(similarity, 1) * scores.partial };
    }
  }

  return {
    *matches(words: readonly string[]) {
      yield* fullMatches(words);
      const core = withoutGenericWords(words);
      const searched = core.length === 0 ? words : core;
      yield* partialMatches(searched);
      for (const variant of corrected(searched)) yield* partialMatches(variant);
    },
  };
}

function addTo(lists: Map<string, Name[]>, key: string, name: Name): void {
  const list = lists.get(key);
  if (list) list.push(name);
  else lists.set(key, [name]);
}

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

const withoutGenericWords = (found: readonly string[]): string[] => found.filter((word) => !generic.has(word));

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
