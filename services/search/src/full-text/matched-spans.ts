import type { CompiledQuery } from './compile';
import { phraseEndsAt } from './compile';
import { searchTokens } from './tokenize-spaced-and-unspaced-scripts';

/** A span of a text, in UTF-16 units. */
export interface TextSpan {
  start: number;
  length: number;
}

/**
 * Returns the spans of a verse's text that match the query, in the order of the text. Optional
 * words of the query, function words that a hit may lack, have no spans. `ids` has the id of each
 * term (a word without case and accents) that matches the query.
 */
export function matchedSpans(
  text: string,
  ids: ReadonlyMap<string, number>,
  { units, roleIndexes, roles }: CompiledQuery,
): TextSpan[] {
  const tokens = searchTokens(text);
  const words = tokens.map(({ folded }) => ids.get(folded) ?? -1);
  const matched = new Set<number>();
  for (const [end, word] of words.entries()) {
    for (const { unit, phrase } of roles[roleIndexes[word] ?? 0] ?? []) {
      if (units[unit]?.need === 'optional') continue;
      if (!phrase) matched.add(end);
      else if (phraseEndsAt(words, { begin: 0, end }, phrase))
        for (let at = end - phrase.length + 1; at <= end; at += 1) matched.add(at);
    }
  }
  const spans: TextSpan[] = [];
  for (const [index, { start, length }] of tokens.entries()) {
    if (!matched.has(index)) continue;
    const previous = spans.at(-1);
    // Two words without a space between them are characters of a script such as Chinese. Such
    // characters become one span.
    if (previous && previous.start + previous.length === start) previous.length += length;
    else spans.push({ start, length });
  }
  return spans;
}
