import type { VerseSearch } from './find';
import { minBeginningLetters, parseQuery } from './query';
import type { KnownWord, KnownWords } from './suggest';
import { wordsByEditDistance } from './suggest';
import { synonymsOf } from './synonyms';
import type { TermDictionary } from './terms';
import type { SearchToken } from './tokenize-spaced-and-unspaced-scripts';
import { searchTokens } from './tokenize-spaced-and-unspaced-scripts';

/** A query with more unknown words gets no suggestion: it is probably in another language. */
const maxUnknownWords = 3;
/** The maximum number of replacements tried for each unknown word. */
const maxReplacements = 5;

export interface SuggestionParts {
  readonly dictionary: TermDictionary;
  readonly search: Pick<VerseSearch, 'findFull' | 'findRelaxed'>;
  /** Returns the words of the translation. A function, because few queries need this list. */
  readonly knownWords: () => KnownWords;
}

/**
 * Creates the function that replaces the unknown words of a query by similar words of the
 * translation. It returns the first such query for which a verse contains all words. If there is
 * none, and the query has known words too, it returns the query with the nearest replacements if
 * the search finds verses that contain some of its words, else null. It yields between short steps,
 * so that other requests are executed in between.
 */
export function createSuggestion({ dictionary, search, knownWords }: SuggestionParts) {
  /**
   * Returns whether the translation has a word that matches the given word, or that matches a word
   * which other translations use for the given word.
   */
  const isKnown = (folded: string, isLast: boolean): boolean =>
    dictionary.matches(folded, { loose: true, beginning: isLast && folded.length >= minBeginningLetters }).size > 0 ||
    synonymsOf(folded).some((word) => dictionary.matches(word, { loose: false, beginning: false }).size > 0);

  return function* suggestion(query: string): Generator<void, string | null> {
    const tokens = searchTokens(query);
    const unknown: SearchToken[] = [];
    for (const [index, token] of tokens.entries()) {
      if (!isKnown(token.folded, index === tokens.length - 1)) unknown.push(token);
      yield;
    }
    const distinct = [...new Set(unknown.map(({ folded }) => folded))];
    if (distinct.length === 0 || distinct.length > maxUnknownWords) return null;
    const known = knownWords();
    const nearest: KnownWord[][] = [];
    for (const folded of distinct) {
      yield;
      nearest.push(yield* wordsByEditDistance(folded, known, maxReplacements));
    }
    const candidates = replacementChoices(nearest.map((words) => words.length)).map((choice) => {
      const replacements = distinct.map((folded, index): [string, string] => [
        folded,
        nearest[index]?.[choice[index] ?? 0]?.written ?? folded,
      ]);
      return replaceWords(query, unknown, new Map(replacements));
    });
    for (const candidate of candidates) {
      const { hits } = yield* search.findFull(parseQuery(candidate));
      if (hits.verses.length > 0) return candidate;
    }
    const [best] = unknown.length < tokens.length ? candidates : [];
    if (best === undefined) return null;
    return (yield* search.findRelaxed(parseQuery(best))).hits.verses.length > 0 ? best : null;
  };
}

/**
 * Lists which replacement to try for each unknown word, as indexes into lists of these sizes. The
 * first choice takes the best replacement of each word. Each later choice takes another replacement
 * for one word. Returns no choice if a word has no replacement.
 */
function replacementChoices(sizes: readonly number[]): number[][] {
  if (sizes.includes(0)) return [];
  const best = sizes.map(() => 0);
  return [
    best,
    ...sizes.flatMap((size, at) => Array.from({ length: size - 1 }, (_, index) => best.with(at, index + 1))),
  ];
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
