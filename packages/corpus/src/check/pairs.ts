import type { DraftVerse } from '../translation';

interface Mark {
  mark: string;
  ordinal: number;
}

/** Returns the closing marks of each opening quotation mark. Some texts use marks in reverse: „...“ and »...«. */
function quotationMarks(text: string): ReadonlyMap<string, string> {
  if (text.includes('„')) return new Map([['„', '“”']]);
  const isReversed = text.indexOf('»') >= 0 && text.indexOf('»') < text.indexOf('«');
  return new Map([['“', '”'], isReversed ? ['»', '«'] : ['«', '»']]);
}

const brackets = new Map([
  ['(', ')'],
  ['[', ']'],
]);

/**
 * Reports double quotation marks and brackets in a book that have no partner. Speech may span chapters, and each of its
 * paragraphs, lines or verses may begin with the opening mark again.
 */
export function checkPairs(
  verses: readonly DraftVerse[],
  report: (kind: 'quotes', ordinal: number, message: string) => void,
): void {
  const quotes = quotationMarks(verses.map(({ text }) => text).join(' '));
  const openQuotes: Mark[] = [];
  const openBrackets: Mark[] = [];
  const close = (open: Mark[], mark: string, isPartner: (opening: string) => boolean, ordinal: number): void => {
    const last = open.at(-1);
    if (last && isPartner(last.mark)) open.pop();
    else report('quotes', ordinal, `'${mark}' closes nothing`);
  };
  for (const { ordinal, text, layout } of verses) {
    const starts = new Set([0, ...layout.breaks.map(({ start }) => start)]);
    for (const { 0: mark, index } of text.matchAll(/[“”„«»()[\]]/g)) {
      // The bracket in "a)" marks an item of a list, so it needs no opening bracket.
      const isPoint = mark === ')' && openBrackets.length === 0 && /(?:^|\s)\w{1,2}$/.test(text.slice(0, index));
      if (quotes.has(mark)) {
        if (!starts.has(index) || openQuotes.length === 0) openQuotes.push({ mark, ordinal });
      } else if ([...quotes.values()].some((closing) => closing.includes(mark)))
        close(openQuotes, mark, (opening) => quotes.get(opening)?.includes(mark) === true, ordinal);
      else if (brackets.has(mark)) openBrackets.push({ mark, ordinal });
      else if (/[)\]]/.test(mark) && !isPoint)
        close(openBrackets, mark, (opening) => brackets.get(opening) === mark, ordinal);
    }
  }
  for (const { mark, ordinal } of [...openQuotes, ...openBrackets])
    report('quotes', ordinal, `'${mark}' is not closed in the book`);
}
