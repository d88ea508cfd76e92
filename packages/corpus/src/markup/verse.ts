import type { VerseLayout } from '@lectern/verse-layout';
import { moveLayout } from '../move-join-and-slice-layout';
import type { WordTag } from '../translation';
import { createLayoutRecorder, type LayoutRecorder } from '../verse-layout-recorder';

/** The text of one verse, with its tagged words and its layout. */
export interface VerseText {
  text: string;
  words: WordTag[];
  layout: VerseLayout;
}

/**
 * The kind of markup between two pieces of text that have no space between them. It decides whether
 * the builder inserts a space:
 * - `none`: no markup, or markup that separates no words.
 * - `cut`: a note or a heading, which is not part of the text.
 * - `quote`: the start or the end of direct speech.
 * - `addition`: the start or the end of words that the translators added.
 */
export type MarkupBoundary = 'none' | 'cut' | 'quote' | 'addition';

/**
 * If several boundaries stand between two pieces of text, the one with the largest number counts.
 */
const strength: Readonly<Record<MarkupBoundary, number>> = { none: 0, quote: 1, addition: 2, cut: 3 };

// Invisible characters that would split words: soft hyphen, zero-width space, word joiner, byte
// order mark.
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;
// Characters that become a space. One of them is the pilcrow, which marks a paragraph in modules of
// the KJV.
// oxlint-disable-next-line no-control-regex
const asSpace = /[¶\u0000-\u001F\u007F-\u009F\s]+/u;
const letter = /[\p{L}\p{M}\p{N}]/u;
const opening = /[“‘«„([{¿¡]/u;
const closing = /[,.;:!?…”’»)\]}]/u;

/**
 * Builds the text of one verse, in NFC and with single spaces, with the positions of its tagged
 * words and its layout. The boundary decides whether to insert a space that the source lacks:
 * "God<note/>created" has the boundary `cut` and becomes "God created".
 */
export function createVerseTextBuilder(layout: LayoutRecorder = createLayoutRecorder()) {
  let out = '';
  let space = false;
  let boundary: MarkupBoundary = 'none';
  const open: { strongs: readonly string[]; start: number }[] = [];
  const words: WordTag[] = [];

  /**
   * Returns true if a space must stand between the text so far and the next word, which starts with
   * `next`.
   */
  const needsSpace = (next: string): boolean => {
    if (out === '') return false;
    const last = out.slice(-1);
    // Drops two kinds of spaces that are not text: the space of a left-out note, as in "strength
    // <note/>, he", and the space between quotes, as in "‘Who?’ ”".
    if (space) return !(closing.test(next) && (boundary === 'cut' || (boundary === 'quote' && /[’”]/.test(last))));
    if (boundary === 'none' || opening.test(last) || !(letter.test(next) || opening.test(next))) return false;
    if (letter.test(last)) return boundary === 'cut' || boundary === 'addition';
    return closing.test(last);
  };

  const writeWord = (word: string): void => {
    if (needsSpace(word.slice(0, 1))) out += ' ';
    for (const tag of open) if (tag.start < 0) tag.start = out.length;
    layout.word(out.length);
    out += word;
    space = false;
    boundary = 'none';
  };

  return {
    write(text: string): void {
      const pieces = text.replace(invisible, '').normalize('NFC').split(asSpace);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) space = true;
        if (piece !== '') writeWord(piece);
      }
    },
    space(): void {
      space = true;
    },
    boundary(kind: MarkupBoundary): void {
      if (strength[kind] > strength[boundary]) boundary = kind;
    },
    /**
     * Returns the word at the end of the text, to which an addition may be joined. Returns '' if a
     * space follows the word.
     */
    lastWord: (): string => (space ? '' : (/[\p{L}\p{M}]+$/u.exec(out)?.[0] ?? '')),
    openTag(strongs: readonly string[]): void {
      open.push({ strongs, start: -1 });
    },
    closeTag(): void {
      const tag = open.pop();
      if (tag && tag.start >= 0 && tag.strongs.length > 0)
        words.push({ start: tag.start, length: out.length - tag.start, strongs: tag.strongs });
    },
    /** The offset at which the text ends so far, in UTF-16 units. */
    end: (): number => out.length,
    finish(): VerseText {
      const text = out.normalize('NFC');
      const sorted = words.sort((a, b) => a.start - b.start || b.length - a.length);
      const recorded = layout.finish(out.length);
      if (text === out) return { text, words: sorted, layout: recorded };
      // A combining mark was composed with a letter of another piece. The text became shorter, so
      // offsets move.
      const moved = (offset: number): number => out.slice(0, offset).normalize('NFC').length;
      return {
        text,
        words: sorted.map((tag) => ({
          ...tag,
          start: moved(tag.start),
          length: moved(tag.start + tag.length) - moved(tag.start),
        })),
        layout: moveLayout(recorded, moved),
      };
    },
  };
}
export type VerseTextBuilder = ReturnType<typeof createVerseTextBuilder>;
