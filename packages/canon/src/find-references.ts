import type { BookCode } from './books';
import { foldName } from './fold-name';
import { parseReference } from './parse-reference';
import type { Leaf } from './passage-parser';
import { originalRange, plainText } from './plain-text';
import { type ReferenceStatus, referenceLimits, type TextTooLong, type TranslationShape } from './reference';
import { holdSpans } from './resolve-reference';
import { sharedParser } from './shared-parser';

export interface FoundReference {
  /** Tidy and in the translation's language. */
  reference: string;
  /** The book it begins in. */
  bookId: BookCode;
  status: ReferenceStatus;
  /** Distinct verses that the translation holds of it, however many. */
  verseCount: number;
  /** UTF-16 units into the text as it was sent. */
  start: number;
  length: number;
}

export interface FoundReferences {
  kind: 'found';
  references: readonly FoundReference[];
}

/**
 * The references in running text, in its order, at most 200, none longer than a reference may be. A book counts only with a number
 * behind it. A name that is also an ordinary word ("is", "am", "mar") counts only with a capital, a chapter and a verse; any other
 * name in small letters needs chapter and verse. Each reference names its book, and a bracket ends one.
 */
export function findReferences(text: string, shape: TranslationShape): FoundReferences | TextTooLong {
  if (text.length > referenceLimits.textLength) return { kind: 'text-too-long' };
  const plain = plainText(text);
  const references: FoundReference[] = [];
  for (const { start, end } of candidates(
    sharedParser().read(withoutBrackets(plain.text), { prose: true }),
    plain.text,
  )) {
    const read = parseReference(plain.text.slice(start, end), shape.language);
    const first = read.kind === 'reference' ? read.spans[0] : undefined;
    if (read.kind !== 'reference' || !first) continue;
    const { reference, status, count } = holdSpans(read.spans, shape);
    const range = originalRange(plain, start, end);
    references.push({
      reference,
      bookId: first.start.book,
      status,
      verseCount: count,
      start: range.start,
      length: range.end - range.start,
    });
    if (references.length === referenceLimits.found) break;
  }
  return { kind: 'found', references };
}

// The parser recurses into brackets, and ten thousand of them would overflow its stack.
const withoutBrackets = (text: string): string => text.replace(/[()[\]]/g, '|');

/** A leaf that names its book, with those behind it that lean on it. */
function candidates(leaves: readonly Leaf[], text: string): Leaf[] {
  const groups: Leaf[] = [];
  let isOpen = false;
  for (const leaf of leaves) {
    const last = groups.at(-1);
    if (leaf.opensBook) {
      groups.push({ ...leaf });
      isOpen = true;
    } else if (last && isOpen) {
      // "John 3:16 2 dogs": a number that only follows is not a further verse.
      isOpen = /\S/.test(text.slice(last.end, leaf.start)) && leaf.end - last.start <= referenceLimits.length;
      if (isOpen) last.end = leaf.end;
    }
  }
  return groups.filter((group) => group.end - group.start <= referenceLimits.length && isMeant(group, text));
}

// Names in one language that are small words in another: with a number behind them they are almost never a book.
const neverNames = new Set(
  'at no can why room ed pag son yo este esta estar esa era de na num et est dal bin im mit nach'.split(' '),
);
// Abbreviations and titles that are ordinary words too.
const ordinaryWords = new Set(
  'is am so he ha la le mi ti ma ne es os da je l ob ces act song songs number king kings jan mar'.split(' '),
);

function isMeant({ start, end, span }: Leaf, text: string): boolean {
  const said = text
    .slice(start, end)
    .replace(/^(?:ch|\d+(?:st|nd|rd|th)\b).*?\b(?:of|from|in)\s+(?:the\s+book\s+of\s+)?/i, '');
  const name = /\p{L}[^\d]*/u.exec(said)?.[0] ?? '';
  const word = foldName(name).replace(/[^\p{L}].*$/u, '');
  const isSmall = name.charAt(0) !== name.charAt(0).toUpperCase();
  if (neverNames.has(word)) return false;
  const inVerses = span.start.verse !== null || span.end.verse !== null;
  return inVerses ? !(isSmall && ordinaryWords.has(word)) : !isSmall && !ordinaryWords.has(word);
}
