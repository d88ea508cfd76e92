import { type Operators, type ParsedQuery, parseQuery, type QueryUnit, toParsedQuery, wordsOfText } from './query';

// A phrase in quotation marks, or text without blanks and quotation marks.
const part = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|[^\s"“”„«»]+/gu;
/** Most queries have no sign, and need no other look. */
const signs = /NOT|OR|NEAR|AND|[-+*"“”„«»]/;
const quotation = /["“”„«»]/;
const operator = /^(?:NOT|OR|NEAR\/[1-9]\d?)$/;
const exclusion = /(?<=\s)-(?=\p{L})/gu;
const beginning = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]+\*$/u;

/** What looks like an operator but is none, and what to write instead. */
const misunderstood: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\s)(?:AND(?=\s|$)|\+\p{L})/u, 'Leave out AND and +: verses have all words of a query anyway.'],
  [/^-\p{L}/u, 'A query that begins with - has no operator there. Write the words that verses must have first.'],
  [/(?:^|\s)-(?:["“„«]|\s+\p{L})/u, '- stands directly before a letter: shepherd -sheep. Before a phrase write NOT.'],
  [/(?<!\p{L})NEAR(?!\p{L}|\/[1-9]\d?(?:\s|$))/u, 'NEAR needs a distance from 1 to 99: shepherd NEAR/5 sheep.'],
];
const onlyOperators = 'The query has no word that verses must have, so its operators are read as words.';
const looseStar = '* is an operator only after a word of at least two letters: shep*. Phrases have none.';
const capitals = 'A query of capitals has no operators.';
const parentheses = 'Parentheses do not group. OR joins only the two words or phrases beside it.';
const lonelyMark = 'A quotation mark has no partner, so its words are no phrase.';

/**
 * Reads `-word`, `NOT`, `OR`, `NEAR/n` and `word*`. A query without an operator, one of operators alone, and one of
 * capitals is read as `parseQuery` reads it. With a reference, a query needs no other word (`hasReference`). The hints
 * say what was not understood, and which words verses must lack.
 */
export function parseOperators(text: string, hasReference = false): { query: ParsedQuery; hints: string[] } {
  if (!signs.test(text)) return { query: parseQuery(text), hints: [] };
  const isShouted = text === text.toUpperCase() && text !== text.toLowerCase();
  const parts = (isShouted ? text : text.replace(exclusion, 'NOT ')).match(part) ?? [];
  const { units, excluded, near, ignored, hasOperator } = combine(isShouted ? [] : parts);
  const hints = isShouted ? [] : misunderstood.flatMap(([pattern, hint]) => (pattern.test(text) ? [hint] : []));
  if (isShouted && (parts.some((each) => operator.test(each)) || text.search(exclusion) >= 0)) hints.push(capitals);
  if (parts.some((each) => each.includes('*') && !beginning.test(each))) hints.push(looseStar);
  if (hasOperator && /[()]/.test(text)) hints.push(parentheses);
  if (quotation.test(text.replace(part, (each) => (quotation.test(each) ? '' : each)))) hints.push(lonelyMark);
  const isOnlyOperators = !hasReference && units.length === ignored.length && ignored.length + excluded.length > 0;
  if (isOnlyOperators) hints.push(onlyOperators);
  else if (ignored.length > 0)
    hints.push(`Read as words: ${ignored.join(', ')}. OR and NEAR/5 stand between two words, NOT before one.`);
  if (isOnlyOperators || !hasOperator) return { query: parseQuery(text), hints };
  if (excluded.length > 0)
    hints.push(`Verses with these words are left out: ${excluded.map((unit) => unit.text).join(', ')}.`);
  const parsed = toParsedQuery(units);
  const indexOf = (unit: number): number => parsed.sequence[unit] ?? 0;
  const pairs = near.map((pair) => ({ ...pair, left: indexOf(pair.left), right: indexOf(pair.right) }));
  return { query: { ...parsed, operators: { excluded: anyOf(excluded), near: pairs } }, hints };
}

/** Combines the words and phrases beside each operator. Those with none beside them are `ignored`, and are words. */
function combine(parts: readonly string[]) {
  const [units, excluded, ignored]: [QueryUnit[], QueryUnit[], string[]] = [[], [], []];
  const near: Operators['near'][number][] = [];
  let before = '';
  let hasOperator = false;
  const isWord = (text: string | undefined): boolean =>
    text !== undefined && !operator.test(text) && wordsOfText(text).length > 0;
  for (const [at, text] of parts.entries()) {
    if (operator.test(text)) {
      const isBetween = isWord(parts[at - 1]) && parts[at - 2] !== 'NOT';
      if (isWord(parts[at + 1]) && (text === 'NOT' || isBetween)) {
        before = text;
        continue;
      }
      ignored.push(text);
    }
    const unit = unitOf(text);
    if (!unit) continue;
    hasOperator ||= before !== '' || unit.kind === 'beginning';
    if (before === 'NOT') excluded.push(unit);
    else if (before === 'OR') units.push(anyOf([...units.splice(-1), unit]) ?? unit);
    else {
      if (before !== '') near.push({ left: units.length - 1, right: units.length, distance: Number(before.slice(5)) });
      units.push(unit);
    }
    before = '';
  }
  return { units, excluded, near, ignored, hasOperator };
}

/** Makes one unit of a part: several words without blanks (`well-known`) are a phrase. Null for punctuation alone. */
function unitOf(text: string): QueryUnit | null {
  const words = wordsOfText(text);
  if (words.length === 0) return null;
  if (words.length > 1 || quotation.test(text)) return { words, text, kind: 'phrase' };
  return { words, text, kind: beginning.test(text) ? 'beginning' : 'word' };
}

/** Joins units to one that a verse has if it has one of them. */
function anyOf(units: readonly QueryUnit[]): QueryUnit | null {
  const [first, ...others] = units;
  if (!first || others.length === 0) return first ?? null;
  const alternatives = units.flatMap((unit) => unit.alternatives ?? [unit]);
  const text = units.map((unit) => unit.text).join(' OR ');
  return { words: alternatives.flatMap(({ words }) => words), text, kind: 'any', alternatives };
}
