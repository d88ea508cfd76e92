import type { Span } from './verse-words-and-tags-encoding';
import { endOf, overlap } from './verse-words-and-tags-encoding';

/** The maximum number of words in a context. */
export const maxContextWords = 25;

/**
 * Returns the keywords of a verse in their context (KWIC), as HTML:
 * each match in <mark>, the text escaped.
 * A verse of up to 25 words is returned whole. A longer verse is cut to the first 25 adjacent words
 * with the most matches; an ellipsis marks each cut.
 */
export function keywordInContext(text: string, words: readonly Span[], matches: readonly Span[]): string {
  const placed = placeMatches(matches, words);
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

/** A match, and the indexes of its first and its last word among the words of the verse. */
interface PlacedMatch {
  readonly match: Span;
  readonly begin: number;
  readonly end: number;
}

const placeMatches = (matches: readonly Span[], words: readonly Span[]): PlacedMatch[] =>
  matches.map((match) => ({
    match,
    begin: words.findIndex((word) => overlap(word, match)),
    end: words.findLastIndex((word) => overlap(word, match)),
  }));

function bestWindow(wordCount: number, placed: readonly PlacedMatch[]): number {
  let best = 0;
  let maxMatches = 0;
  for (let first = 0; first + maxContextWords <= wordCount; first += 1) {
    let count = 0;
    for (const each of placed) if (isInWindow(each, first)) count += 1;
    if (count > maxMatches) [best, maxMatches] = [first, count];
  }
  return best;
}

/**
 * Returns whether all words of a match are in the window of words that begins at `first`.
 * A match with more words than the window counts if it begins at `first`.
 */
function isInWindow({ begin, end }: PlacedMatch, first: number): boolean {
  const last = first + maxContextWords - 1;
  if (begin < first || begin > last) return false;
  return end <= last || (begin === first && end - begin >= maxContextWords);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] ?? character);
