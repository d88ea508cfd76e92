import type { Span } from './verse-encoding';
import { endOf, overlap } from './verse-encoding';

/** The maximum number of words in a context. */
export const maxContextWords = 25;

/**
 * Returns the keywords of a verse in their context (KWIC), as HTML:
 * each match in <mark>, the text escaped.
 * A verse of up to 25 words is returned whole. A longer verse is cut to the first 25 adjacent words
 * with the most matches; an ellipsis marks each cut.
 */
export function keywordInContext(text: string, words: readonly Span[], matches: readonly Span[]): string {
  const first = words.length <= maxContextWords ? 0 : bestWindow(words, matches);
  const [opening, closing] = [words[first], words[first + maxContextWords - 1]];
  const from = first === 0 || !opening ? 0 : opening.start;
  const to = first + maxContextWords >= words.length || !closing ? text.length : endOf(closing);
  let html = from > 0 ? '…' : '';
  let at = from;
  for (const match of matchesInWindow(matches, words, first)) {
    const [start, end] = [Math.max(match.start, at), Math.min(endOf(match), to)];
    if (end <= start) continue;
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return `${html}${escaped(text.slice(at, to))}${to < text.length ? '…' : ''}`;
}

function bestWindow(words: readonly Span[], matches: readonly Span[]): number {
  let best = 0;
  let maxMatches = 0;
  for (let first = 0; first + maxContextWords <= words.length; first += 1) {
    const count = matchesInWindow(matches, words, first).length;
    if (count > maxMatches) [best, maxMatches] = [first, count];
  }
  return best;
}

/**
 * Returns the matches whose words are all in the window of words that begins at `first`.
 * A match longer than a window counts if it begins with the window.
 */
function matchesInWindow(matches: readonly Span[], words: readonly Span[], first: number): Span[] {
  const last = first + maxContextWords - 1;
  return matches.filter((match) => {
    const begin = words.findIndex((word) => overlap(word, match));
    if (begin < first || begin > last) return false;
    const end = words.findLastIndex((word) => overlap(word, match));
    return end <= last || (begin === first && end - begin >= maxContextWords);
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] ?? character);
