import { type ParsedQuery, parseQuery, type QueryUnit, toParsedQuery, wordsOfText } from './query';

/** A query of `searchVerses`, which may have operators. */
export interface OperatorQuery {
  readonly query: ParsedQuery;
  /** Says which signs were read as words, and which words verses must lack. */
  readonly hints: readonly string[];
}

// A phrase in quotation marks, or text without blanks and quotation marks.
const part = /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|[^\s"“”„«»]+/gu;
const quotation = /["“”„«»]/;
const near = /^NEAR\/([1-9]\d?)$/;
const exclusion = /^-\p{L}/u;
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
const parentheses = 'Parentheses do not group. OR joins only the two words or phrases beside it.';
const lonelyMark = 'A quotation mark has no partner, so its words are no phrase.';

interface Part {
  readonly text: string;
  /** The words of a phrase or of a text. Null for a sign such as NOT. */
  readonly unit: QueryUnit | null;
  readonly sign: 'NOT' | 'OR' | number | null;
  readonly isExcluded: boolean;
}

/**
 * Reads `-word`, `NOT`, `OR`, `NEAR/n` and `word*`. A query without an operator, and one of operators alone, is read as
 * `parseQuery` reads it. In a query of capitals, NOT, OR and NEAR are words. A query with a reference (`hasReference`)
 * needs no other words.
 */
export function parseOperators(text: string, hasReference = false): OperatorQuery {
  const { parts, shouts } = partsOf(text);
  const { units, excluded, pairs, ignored, hasOperator } = combine(parts);
  const hints = hintsOf(text, parts, shouts);
  const hasWords = hasReference || units.length > ignored.length;
  if (!hasWords && excluded.length + ignored.length > 0)
    return { query: parseQuery(text), hints: [...hints, onlyOperators] };
  if (ignored.length > 0)
    hints.push(`Read as words: ${ignored.join(', ')}. OR and NEAR/5 stand between two words, NOT before one.`);
  if (!hasOperator) return { query: parseQuery(text), hints };
  const lacking = excluded.map((unit) => unit.text).join(', ');
  if (lacking !== '') hints.push(`Verses with these words are left out: ${lacking}.`);
  const parsed = toParsedQuery(units);
  const unitOfPart = (at: number): number => parsed.sequence[at] ?? 0;
  const nearPairs = pairs.map(({ left, right, distance }) => ({
    left: unitOfPart(left),
    right: unitOfPart(right),
    distance,
  }));
  return { query: { ...parsed, operators: { excluded: anyOf(excluded), near: nearPairs } }, hints };
}

function partsOf(text: string): { parts: Part[]; shouts: boolean } {
  const found = [...text.matchAll(part)];
  const isSign = (word: string): boolean => word === 'NOT' || word === 'OR' || near.test(word);
  const words = found
    .map(([word]) => word)
    .filter((word) => !isSign(word))
    .join(' ');
  const shouts = words === words.toUpperCase() && words !== words.toLowerCase();
  const parts = found.map((match): Part => {
    const [word] = match;
    if (!shouts && isSign(word)) {
      const distance = near.exec(word)?.[1];
      return {
        text: word,
        unit: null,
        sign: distance === undefined ? (word as 'NOT' | 'OR') : Number(distance),
        isExcluded: false,
      };
    }
    const isExcluded = exclusion.test(word) && /\s/.test(text.charAt(match.index - 1));
    const written = isExcluded ? word.slice(1) : word;
    return { text: written, unit: unitOf(written), sign: null, isExcluded };
  });
  return { parts, shouts };
}

/** Makes one unit of a part: several words without blanks (`well-known`) are a phrase. Null for punctuation alone. */
function unitOf(text: string): QueryUnit | null {
  const words = wordsOfText(text);
  if (words.length === 0) return null;
  if (words.length > 1 || quotation.test(text)) return { words, text, kind: 'phrase' };
  return { words, text, kind: beginning.test(text) ? 'beginning' : 'word' };
}

/** Combines the parts. Signs that have no words beside them are `ignored`, and become words. */
function combine(parts: readonly Part[]) {
  const units: QueryUnit[] = [];
  const excluded: QueryUnit[] = [];
  const ignored: string[] = [];
  const pairs: { left: number; right: number; distance: number }[] = [];
  let pending: Part['sign'] = null;
  let hasOperator = false;
  for (const [at, { text, unit, sign, isExcluded }] of parts.entries()) {
    const [previous, next] = [parts[at - 1], parts[at + 1]];
    if (sign !== null) {
      const isBetween = previous?.unit != null && !previous.isExcluded && parts[at - 2]?.sign !== 'NOT';
      if (next?.unit && !next.isExcluded && (sign === 'NOT' || isBetween)) pending = sign;
      else {
        ignored.push(text);
        units.push(unitOf(text) ?? { words: [text], text, kind: 'word' });
      }
      continue;
    }
    if (!unit) continue;
    hasOperator ||= isExcluded || pending !== null || unit.kind === 'beginning';
    if (isExcluded || pending === 'NOT') excluded.push(unit);
    else if (pending === 'OR') units.push(anyOf([units.pop() ?? unit, unit]) ?? unit);
    else {
      units.push(unit);
      if (pending !== null) pairs.push({ left: units.length - 2, right: units.length - 1, distance: pending });
    }
    pending = null;
  }
  return { units, excluded, pairs, ignored, hasOperator };
}

/** Joins units to one that a verse has if it has one of them. */
function anyOf(units: readonly QueryUnit[]): QueryUnit | null {
  const [first, ...others] = units;
  if (!first || others.length === 0) return first ?? null;
  const alternatives = units.flatMap((unit) => unit.alternatives ?? [unit]);
  const text = units.map((unit) => unit.text).join(' OR ');
  return { words: alternatives.flatMap(({ words }) => words), text, kind: 'any', alternatives };
}

function hintsOf(text: string, parts: readonly Part[], shouts: boolean): string[] {
  const hints = shouts ? [] : misunderstood.flatMap(([pattern, hint]) => (pattern.test(text) ? [hint] : []));
  if (parts.some((each) => each.text.includes('*') && each.unit?.kind !== 'beginning')) hints.push(looseStar);
  if (/[()]/.test(text) && parts.some(({ sign, isExcluded }) => sign !== null || isExcluded)) hints.push(parentheses);
  if (quotation.test(text.replace(part, (each) => (quotation.test(each) ? '' : each)))) hints.push(lonelyMark);
  return hints;
}
