import { bookName, books } from '@lectern/canon';
import type { VerseSearch } from './find-verses';
import { minBeginningLetters, parseQuery, type SearchToken, searchTokens } from './query';
import type { TermDictionary } from './term-dictionary';

/** The maximum number of unknown words in a query that gets a suggestion. More suggest another language. */
const maxUnknownWords = 3;
/** The maximum number of replacements that are tried for each unknown word. */
const maxReplacements = 5;

/**
 * Creates the function that replaces unknown words by similar ones. It returns the first such query whose words are all
 * in one verse. If there is none and the query has known words too, it tries the most frequent replacements. They must
 * be clear, sound the same or differ by one edit, and the search must find verses with some of the words. Otherwise it
 * returns null, because no suggestion is better than a wrong one. It does not replace abbreviations and numbers, and
 * yields between short steps.
 */
export function createSuggestion(
  dictionary: TermDictionary,
  search: Pick<VerseSearch, 'findFull' | 'findRelaxed'>,
  knownWords: () => KnownWords,
  isOrdinary: (folded: string) => boolean,
) {
  /** A known word is ordinary, or the translation has the word or one of its synonyms. */
  const isKnown = (folded: string, isLast: boolean): boolean =>
    isOrdinary(folded) ||
    dictionary.matches(folded, { loose: true, beginning: isLast && folded.length >= minBeginningLetters }).size > 0 ||
    dictionary.synonymsOf(folded).some((word) => dictionary.matches(word, { loose: false, beginning: false }).size > 0);

  function* findUnknown(query: string, tokens: readonly SearchToken[]): Generator<void, SearchToken[]> {
    const unknown: SearchToken[] = [];
    const hasSmallLetters = query !== query.toUpperCase();
    for (const [index, token] of tokens.entries()) {
      const isAbbreviation = hasSmallLetters && token.text === token.text.toUpperCase();
      if (!isAbbreviation && !isKnown(token.folded, index === tokens.length - 1)) unknown.push(token);
      yield;
    }
    return unknown;
  }

  function* suggestion(query: string): Generator<void, string | null> {
    const tokens = searchTokens(query);
    const unknown = yield* findUnknown(query, tokens);
    const distinct = [...new Set(unknown.map(({ folded }) => folded))];
    if (distinct.length === 0 || distinct.length > maxUnknownWords) return null;
    const known = knownWords();
    const nearest: SimilarWords[] = [];
    for (const folded of distinct) {
      yield;
      nearest.push(yield* similarWords(folded, known));
    }
    const content = tokens.filter(({ folded }) => !known.isFunctionWord(folded));
    const hasContext = content.some((token) => !unknown.includes(token));
    const isLikely = nearest.every(({ isClear, distance }) => isClear && distance < 2);
    const candidates = replacementChoices(nearest.map(({ words }) => words)).map((choice) =>
      replaceWords(query, unknown, new Map(distinct.map((folded, index) => [folded, choice[index] ?? folded]))),
    );
    for (const candidate of content.length > 1 || isLikely ? candidates : []) {
      const { hits } = yield* search.findFull(parseQuery(candidate));
      if (hits.verses.length > 0) return candidate;
    }
    const [best] = hasContext && isLikely ? candidates : [];
    if (best === undefined) return null;
    return (yield* search.findRelaxed(parseQuery(best))).hits.verses.length > 0 ? best : null;
  }

  return {
    suggestion,

    /** Returns the queries in which a similar word from a book's name replaces the only unknown word. */
    *withBookNames(query: string): Generator<void, string[]> {
      const [unknown, ...others] = yield* findUnknown(query, searchTokens(query));
      if (!unknown || others.length > 0) return [];
      const { words } = yield* similarWords(unknown.folded, bookWords);
      return words.map((word) => replaceWords(query, [unknown], new Map([[unknown.folded, word]])));
    },
  };
}

/** Lists the choices to try: the nearest replacements, then others for one word. None if a word has none. */
function replacementChoices(nearest: readonly (readonly string[])[]): string[][] {
  const best = nearest.map(([first]) => first ?? '');
  if (best.includes('')) return [];
  return [best, ...nearest.flatMap((words, at) => words.slice(1).map((word) => best.with(at, word)))];
}

function replaceWords(
  query: string,
  unknown: readonly SearchToken[],
  replacements: ReadonlyMap<string, string>,
): string {
  let text = '';
  let at = 0;
  for (const { start, length, folded } of unknown) {
    text += query.slice(at, start) + (replacements.get(folded) ?? folded);
    at = start + length;
  }
  return text + query.slice(at);
}

/** The minimum verses of a replacement by one edit. A word in one verse is usually a name: `Gaham` is not `Graham`. */
const minVersesOfEdit = 2;

/** The words of a translation that may replace a misspelt word. All lists have the same order. */
export interface KnownWords {
  readonly folded: readonly string[];
  readonly written: readonly string[];
  readonly verses: Uint32Array;
  readonly letters: Int32Array;
  readonly isFunctionWord: (folded: string) => boolean;
}

/** Returns a set of letters. One edit changes at most two bits, so comparing bits spares most edit distances. */
export function lettersOf(folded: string): number {
  let letters = 0;
  for (let at = 0; at < folded.length; at += 1) letters |= 1 << (folded.charCodeAt(at) & 31);
  return letters;
}

const bookWords = ((): KnownWords => {
  const names = books.flatMap(({ code }) => ['eng', 'spa'].map((language) => bookName(code, language)));
  const words = new Map(searchTokens(names.join(' ')).map(({ folded, text }) => [folded, text]));
  const folded = [...words.keys()];
  return {
    folded,
    written: [...words.values()],
    verses: new Uint32Array(folded.length).fill(minVersesOfEdit),
    letters: Int32Array.from(folded, lettersOf),
    isFunctionWord: () => false,
  };
})();

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** The maximum length of a word that is corrected, in UTF-16 units. */
const maxWordLength = 40;

/** Matches an apostrophe. A word with one replaces no other word: `Christ’s` must not replace `Christmas`. */
const apostrophe = /['’]/;

/** The number of words that are compared between two yields. They take about a millisecond. */
const wordsPerStep = 4_096;

interface SimilarWords {
  /** The replacements, the most frequent first. */
  readonly words: string[];
  /** The number of edits between the unknown word and the replacements. 0 for words that sound the same. */
  readonly distance: number;
  /** Whether there is only one replacement, or the first is much more frequent than the second. */
  readonly isClear: boolean;
}

const clearFactor = 5;

/** Words that are never suggested, because they would be embarrassing: `sermen on the mount` means `sermon`. */
const unfitWords = new Set(['semen', 'ass', 'asses', 'dung', 'whore', 'whores']);

/** The minimum length of a word that may differ by two edits, which rarely find the right short word. */
const minLettersOfTwoEdits = 7;
const minLetters = 3;

/**
 * Returns the words of the translation that are nearest to an unknown word: those that sound the same or differ by
 * one edit. If there are none and the word has at least 7 letters, those that differ by two edits, first those whose
 * consonants sound the same (`deciples`, `disciples`). A word that differs by edits must have the same first
 * letter, and after two edits also the same last letter. A much more frequent name with one edit precedes a word that
 * sounds the same after two: `isiah` is `Isaiah`, not `Isshiah`. The most frequent words come first. A word of one or
 * two letters has no similar words.
 */
function* similarWords(folded: string, knownWords: KnownWords): Generator<void, SimilarWords> {
  if (folded.length > maxWordLength || folded.length < minLetters) return { words: [], distance: 0, isClear: false };
  const maxDistance = folded.length < minLettersOfTwoEdits ? 1 : 2;
  let near: { id: number; distance: number; edits: number }[] = [];
  const letters = lettersOf(folded);
  const sound = soundOf(folded);
  for (const [id, known] of knownWords.folded.entries()) {
    if (id % wordsPerStep === 0) yield;
    // Skips words that are more than two edits away. A word that sounds the same is rarely further away.
    if (bitCount(letters ^ (knownWords.letters[id] ?? 0)) > 4 || known.length < minLetters) continue;
    if (unfitWords.has(known) || knownWords.isFunctionWord(known)) continue;
    if (apostrophe.test(knownWords.written[id] ?? '')) continue;
    const edits = editDistance(folded, known, 2);
    const soundsSame = edits <= 2 && soundOf(known) === sound;
    if (!soundsSame && (edits > maxDistance || known.charAt(0) !== folded.charAt(0))) continue;
    if (!soundsSame && edits === 2 && known.at(-1) !== folded.at(-1)) continue;
    const soundsAlike = edits === 2 && consonantsOf(soundOf(known)) === consonantsOf(sound);
    near.push({ id, edits, distance: soundsSame ? 0 : soundsAlike ? 1.5 : edits });
  }
  const verses = ({ id }: { id: number }): number => knownWords.verses[id] ?? 0;
  const isName = ({ id }: { id: number }): boolean => /^\p{Lu}/u.test(knownWords.written[id] ?? '');
  // Equally frequent words are sorted by id, which is alphabetical order.
  near.sort((a, b) => verses(b) - verses(a) || a.id - b.id);
  let nearest = near.reduce((min, { distance }) => Math.min(min, distance), maxDistance);
  const [silent, edited] = [0, 1].map((distance) => near.find((each) => each.distance === distance));
  if (silent?.edits === 2 && edited && isName(edited) && verses(edited) >= clearFactor * verses(silent)) nearest = 1;
  near = near.filter(({ distance }) => distance === nearest);
  const [first, second] = near;
  const trusted = nearest === 0 ? near : near.filter((each) => verses(each) >= minVersesOfEdit);
  return {
    words: trusted.slice(0, maxReplacements).map(({ id }) => knownWords.written[id] ?? ''),
    distance: nearest,
    isClear: first !== undefined && (!second || verses(first) >= clearFactor * verses(second)),
  };
}

/** Replacements of letters that people confuse because they sound alike, mostly in Spanish and in names. */
const soundRules: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/h/g, ''],
  [/^j(?=e)/g, ''],
  [/c(?=[eiy])/g, 's'],
  [/g(?=[eiy])/g, 'j'],
  [/qu?|c/g, 'k'],
  [/z/g, 's'],
  [/v/g, 'b'],
  [/ll/g, 'y'],
  [/y/g, 'i'],
  [/(.)\1/gu, '$1'],
];

/** Returns a text that is the same for all words that sound alike. */
const soundOf = (folded: string): string =>
  soundRules.reduce((sound, [letters, by]) => sound.replace(letters, by), folded);

const consonantsOf = (sound: string): string => sound.replace(/[aeiou]/g, '');

/** Returns the Damerau-Levenshtein distance of two words, or any number above `max` if it is higher. */
function editDistance(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let beforeLast = new Uint8Array(right.length + 1);
  let previous = Uint8Array.from({ length: right.length + 1 }, (_, index) => index);
  let current = new Uint8Array(right.length + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const leftLetter = left.charCodeAt(row - 1);
    let rowMin = row;
    current[0] = row;
    for (let column = 1; column <= right.length; column += 1) {
      const rightLetter = right.charCodeAt(column - 1);
      const substitution = (previous[column - 1] ?? 0) + (leftLetter === rightLetter ? 0 : 1);
      const deletion = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      const isSwap =
        row > 1 &&
        column > 1 &&
        leftLetter === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === rightLetter;
      const swap = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : substitution;
      // A comparison is faster than Math.min. One suggestion runs this code millions of times.
      let cost = substitution < deletion ? substitution : deletion;
      if (insertion < cost) cost = insertion;
      if (swap < cost) cost = swap;
      current[column] = cost;
      if (cost < rowMin) rowMin = cost;
    }
    if (rowMin > max) return max + 1;
    [beforeLast, previous, current] = [previous, current, beforeLast];
  }
  return previous[right.length] ?? max + 1;
}
