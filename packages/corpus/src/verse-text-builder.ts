import type { WordTag } from './translation';

/** Where markup ended one piece of text and began the next without a blank between them. */
export type Seam = 'none' | 'cut' | 'quote' | 'addition';

const strength: Readonly<Record<Seam, number>> = { none: 0, quote: 1, addition: 2, cut: 3 };

// Invisible characters that come with files and would only break words: soft hyphen, zero-width space and joiner of words, BOM.
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;
// The pilcrow marks a paragraph in KJV modules; control characters are no text.
// oxlint-disable-next-line no-control-regex
const asBlank = /[¶\u0000-\u001F\u007F-\u009F\s]+/u;
const letter = /[\p{L}\p{M}\p{N}]/u;
const opening = /[“‘«„([{¿¡]/u;
const closing = /[,.;:!?…”’»)\]}]/u;

/**
 * Collects one verse: blanks tidied, tags kept at the words they stand at, in NFC.
 * A seam says that markup, not text, separated what was written from what follows: a note
 * that was cut out often takes the only blank with it ("God<note/>created").
 */
export function createVerseTextBuilder() {
  let out = '';
  let blank = false;
  let seam: Seam = 'none';
  const open: { strongs: readonly string[]; start: number }[] = [];
  const words: WordTag[] = [];

  const needsBlank = (next: string): boolean => {
    if (out === '') return false;
    const last = out.slice(-1);
    // A note cut out before a comma leaves the blank that stood before the note; so does a quote within a quote ("‘Who?’ ”").
    if (blank) return !(closing.test(next) && (seam === 'cut' || (seam === 'quote' && /[’”]/.test(last))));
    if (seam === 'none' || opening.test(last) || !(letter.test(next) || opening.test(next))) return false;
    if (letter.test(last)) return seam === 'cut' || seam === 'addition';
    return closing.test(last);
  };

  const writeWord = (word: string): void => {
    if (needsBlank(word.slice(0, 1))) out += ' ';
    for (const tag of open) if (tag.start < 0) tag.start = out.length;
    out += word;
    blank = false;
    seam = 'none';
  };

  return {
    write(text: string): void {
      const pieces = text.replace(invisible, '').normalize('NFC').split(asBlank);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) blank = true;
        if (piece !== '') writeWord(piece);
      }
    },
    blank(): void {
      blank = true;
    },
    seam(kind: Seam): void {
      if (strength[kind] > strength[seam]) seam = kind;
    },
    /** The last word written so far: an addition may belong to it. */
    lastWord: (): string => (blank ? '' : (/[\p{L}\p{M}]+$/u.exec(out)?.[0] ?? '')),
    openTag(strongs: readonly string[]): void {
      open.push({ strongs, start: -1 });
    },
    closeTag(): void {
      const tag = open.pop();
      if (tag && tag.start >= 0 && tag.strongs.length > 0)
        words.push({ start: tag.start, length: out.length - tag.start, strongs: tag.strongs });
    },
    finish(): { text: string; words: WordTag[] } {
      const text = out.normalize('NFC');
      const sorted = words.sort((a, b) => a.start - b.start || b.length - a.length);
      if (text === out) return { text, words: sorted };
      // A combining mark met its letter across two pieces of markup: offsets shift with it.
      const at = (offset: number): number => out.slice(0, offset).normalize('NFC').length;
      return {
        text,
        words: sorted.map((tag) => ({
          ...tag,
          start: at(tag.start),
          length: at(tag.start + tag.length) - at(tag.start),
        })),
      };
    },
  };
}
export type VerseTextBuilder = ReturnType<typeof createVerseTextBuilder>;
