import { findNamedPassages } from './named-passages';
import { parseReference } from './parse-reference';
import { clampSpans } from './resolve-reference';
import { numberingShape } from './shape';
import type { ReferenceSpan } from './types';

/** Matches a text of at most one verse, such as "John 3:16" or "1 Cor 13.4", which need not be parsed. */
const oneVerse = /^(?:[1-3] ?)?\p{L}+\.? \d{1,3}[:.]\d{1,3}$/u;

/** Counts the verses of a text (standard numbering, largest meaning). 0 for other texts and above 200 characters. */
export function countVerses(reference: string): number {
  if (oneVerse.test(reference)) return 1;
  // "Daniel 3,16" is Daniel 3:16 in languages other than English. Parsing as French too takes up to four times as long.
  const languages = /\d\s*,\s*\d/.test(reference) ? ['eng', 'fra'] : ['eng'];
  const read = languages.map((language) => parseAnyBook(reference, language));
  if (read[0]?.kind === 'too-long') return 0;
  const spans = read.flatMap((parsed) => (parsed.kind === 'reference' ? [parsed.spans] : []));
  return Math.max(0, ...(spans.length > 0 ? spans : namedSpans(reference)).map(countIn));
}

/** Parses a text. If it begins with a deuterocanonical book, parses it as in a translation that has these books. */
function parseAnyBook(text: string, language: string): ReturnType<typeof parseReference> {
  const read = parseReference(text, language);
  return read.kind === 'unintelligible' && read.missing ? parseReference(text, language, true) : read;
}

const countIn = (spans: readonly ReferenceSpan[]): number => clampSpans(spans, numberingShape('standard')).count;

/** Returns the spans of the passages with this name, by language. English and Spanish names can be equal. */
const namedSpans = (text: string): (readonly ReferenceSpan[])[] =>
  ['eng', 'spa'].flatMap((language) => {
    const [match] = findNamedPassages(text, { language, limit: 1 });
    return match?.isFull ? [match.passage.passages[0]] : [];
  });
