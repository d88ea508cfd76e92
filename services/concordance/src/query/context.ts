import type { IndexedVerse } from '../data/files';
import { endOf, overlap, type Span } from '../data/words';
import type { ConcordanceResult } from './occurrences';

const maxContextWords = 25;

/**
 * Returns the matches with the words around them (keyword in context), as escaped HTML with each match in <mark>. Of a
 * verse of more than 25 words, returns the first 25 adjacent ones with the most matches, with an ellipsis at each cut.
 */
export function keywordInContext(text: string, words: readonly Span[], matches: readonly Span[]): string {
  const placed = matches.map((match) => ({
    match,
    begin: words.findIndex((word) => overlap(word, match)),
    end: words.findLastIndex((word) => overlap(word, match)),
  }));
  const first = words.length <= maxContextWords ? 0 : bestWindow(words.length, placed);
  const [opening, closing] = [words[first], words[first + maxContextWords - 1]];
  const from = first === 0 || !opening ? 0 : opening.start;
  const to = first + maxContextWords >= words.length || !closing ? text.length : endOf(closing);
  let html = from > 0 ? '…' : '';
  let at = from;
  for (const each of placed) {
    if (!isInWindow(each, first)) continue;
    const [start, end] = [Math.max(each.match.start, at), Math.min(endOf(each.match), to)];
    if (end <= start) continue;
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return `${html}${escaped(text.slice(at, to))}${to < text.length ? '…' : ''}`;
}

/** The words of a match, given by the indexes of its first and its last word in the verse. */
interface WordRange {
  readonly begin: number;
  readonly end: number;
}

function bestWindow(wordCount: number, placed: readonly WordRange[]): number {
  let best = 0;
  let maxMatches = 0;
  for (let first = 0; first + maxContextWords <= wordCount; first += 1) {
    const count = placed.filter((each) => isInWindow(each, first)).length;
    if (count > maxMatches) [best, maxMatches] = [first, count];
  }
  return best;
}

/** Returns whether the window from `first` has all words of a match. A match longer than it must begin there. */
function isInWindow({ begin, end }: WordRange, first: number): boolean {
  const last = first + maxContextWords - 1;
  if (begin < first || begin > last) return false;
  return end <= last || (begin === first && end - begin >= maxContextWords);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] ?? character);

/** A verse of a concordance result, with the matching spans of its text. */
export interface ConcordanceVerse {
  readonly result: ConcordanceResult;
  readonly verse: IndexedVerse;
  readonly matches: readonly Span[];
  /** Returns the cursor of this verse. The next page begins after this verse. */
  cursor(): string;
}

export const contextOf = ({ verse, matches }: ConcordanceVerse): string =>
  keywordInContext(verse.text, verse.words(), matches);

/** Returns the Strong's number of the query or, for a query of words, of the first match. Null if it has none. */
export function strongsNumberOf({ result, verse, matches }: ConcordanceVerse): string | null {
  const [match] = matches;
  if (result.strongsNumber !== null || !match) return result.strongsNumber;
  return verse.tags().find((tag) => overlap(tag, match))?.strongs[0] ?? null;
}
