import type { Span } from './verse-encoding';
import { endOf, overlap } from './verse-encoding';

/** How many words of a long verse are shown around its hits. */
export const maxContextWords = 25;

/**
 * The part of a verse that shows its hits, as HTML: each hit in <mark>, the text itself escaped. A verse of up to 25 words is
 * shown whole; of a longer one those 25 words in a row that hold the most hits, the earliest such; an ellipsis stands where it is cut.
 */
export function keywordInContext(text: string, words: readonly Span[], hits: readonly Span[]): string {
  const first = words.length <= maxContextWords ? 0 : bestWindow(words, hits);
  const [opening, closing] = [words[first], words[first + maxContextWords - 1]];
  const from = first === 0 || !opening ? 0 : opening.start;
  const to = first + maxContextWords >= words.length || !closing ? text.length : endOf(closing);
  let html = from > 0 ? '…' : '';
  let at = from;
  for (const hit of inside(hits, words, first)) {
    const [start, end] = [Math.max(hit.start, at), Math.min(endOf(hit), to)];
    if (end <= start) continue;
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return `${html}${escaped(text.slice(at, to))}${to < text.length ? '…' : ''}`;
}

function bestWindow(words: readonly Span[], hits: readonly Span[]): number {
  let best = 0;
  let most = 0;
  for (let first = 0; first + maxContextWords <= words.length; first += 1) {
    const held = inside(hits, words, first).length;
    if (held > most) [best, most] = [first, held];
  }
  return best;
}

/** The hits whose words all stand in the window; of a hit longer than any window, its first words count. */
function inside(hits: readonly Span[], words: readonly Span[], first: number): Span[] {
  const last = first + maxContextWords - 1;
  return hits.filter((hit) => {
    const begin = words.findIndex((word) => overlap(word, hit));
    if (begin < first || begin > last) return false;
    const end = words.findLastIndex((word) => overlap(word, hit));
    return end <= last || (begin === first && end - begin >= maxContextWords);
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (found) => entities[found] ?? found);
