import type { Inline } from '@lectern/verse-layout';

/** The mark of a note, by its number from 1: a, b … z, aa, ab … Letters cannot be taken for verse numbers. */
export const noteMark = (number: number): string =>
  (number > 26 ? noteMark(Math.floor((number - 1) / 26)) : '') + String.fromCharCode(97 + ((number - 1) % 26));

/**
 * Ties the mark of each note to the word before it and the punctuation after it, and a mark after
 * a verse number to the word after it. The items of an inner list must stay on one line.
 */
export function tieNotes(content: readonly Inline[], language: string | undefined): (Inline | Inline[])[] {
  const tied: (Inline | Inline[])[] = [];
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  for (const inline of content) {
    const last = tied.at(-1);
    if (inline.kind === 'note') {
      if (Array.isArray(last)) last.push(inline);
      else if (last?.kind === 'verse-number') tied.splice(-1, 1, [last, inline]);
      else if (last?.kind === 'text' && /\S$/.test(last.text)) {
        // The end of the text is enough: no word is longer.
        const start = last.text.length - ([...words.segment(last.text.slice(-60))].at(-1)?.segment.length ?? 0);
        const [before, word] = [last.text.slice(0, start), last.text.slice(start)];
        tied.splice(-1, 1, ...(before === '' ? [] : [{ ...last, text: before }]), [{ ...last, text: word }, inline]);
      } else tied.push([inline]);
    } else if (inline.kind === 'text' && Array.isArray(last)) {
      const hasWord = last.some(({ kind }) => kind === 'text');
      const next = hasWord
        ? /^\p{P}*/u.exec(inline.text)?.[0]
        : [...words.segment(inline.text.slice(0, 60))][0]?.segment;
      const end = next?.length ?? 0;
      if (end > 0) last.push({ ...inline, text: inline.text.slice(0, end) });
      if (end < inline.text.length) tied.push({ ...inline, text: inline.text.slice(end) });
    } else tied.push(inline);
  }
  return tied;
}
