import type { Heading, NoteKind, TextBreak, TextMarkKind, VerseLayout } from '@lectern/verse-layout';
import type { WordTag } from '../translation';

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
type MarkupBoundary = 'none' | 'cut' | 'quote' | 'addition';

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
    // Drops two kinds of spaces that are not text: that of a left-out note ("strength <note/>,
    // he"), and that between quotes ("‘Who?’ ”").
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
     * Returns the word at the end of the text, to which an addition may be joined, or '' after a
     * space.
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

/** Breaks and headings that stand before the next word, which may belong to the next verse. */
export interface PendingLayout {
  readonly breaks: readonly Omit<TextBreak, 'start'>[];
  readonly headings: readonly Omit<Heading, 'start'>[];
}

const nothing: PendingLayout = { breaks: [], headings: [] };

/**
 * Records where breaks, marks, notes and headings stand in the text of one verse. Breaks and
 * headings take the offset of the next word. A mark that has no word in it is left out.
 */
export function createLayoutRecorder(carried: PendingLayout = nothing) {
  let pending = { breaks: [...carried.breaks], headings: [...carried.headings] };
  const breaks: TextBreak[] = [];
  const headings: Heading[] = [];
  const notes: { kind: NoteKind; start: number; text: string }[] = [];
  /** The marks with at least one word, the outer mark before the inner mark. */
  const marks: { kind: TextMarkKind; start: number; length: number }[] = [];
  /**
   * The open marks, by the element that opened them. `mark` is null until the first word in the
   * element.
   */
  const open = new Map<object, { kind: TextMarkKind; mark: (typeof marks)[number] | null }>();

  const close = (element: object, offset: number): void => {
    const mark = open.get(element)?.mark;
    if (mark) mark.length = offset - mark.start;
    open.delete(element);
  };

  return {
    /** Records that a word begins at this offset. */
    word(start: number): void {
      for (const each of pending.breaks) breaks.push({ ...each, start });
      for (const each of pending.headings) headings.push({ ...each, start });
      if (pending.breaks.length + pending.headings.length > 0) pending = { breaks: [], headings: [] };
      for (const each of open.values()) {
        if (each.mark) continue;
        each.mark = { kind: each.kind, start, length: 0 };
        marks.push(each.mark);
      }
    },
    addBreak: (each: PendingLayout['breaks'][number]): void => void pending.breaks.push(each),
    addHeading: (each: PendingLayout['headings'][number]): void => void pending.headings.push(each),
    addNote: (kind: NoteKind, start: number, text: string): void => void notes.push({ kind, start, text }),
    openMark: (element: object, kind: TextMarkKind): void => void open.set(element, { kind, mark: null }),
    /** Closes the mark of an element, if it has one, at the end of the text so far. */
    closeMark: close,
    /** The breaks and headings after the last word. */
    pending: (): PendingLayout => pending,
    /**
     * Closes the open marks and returns the layout. Later calls of the recorder do not change the
     * returned layout.
     */
    finish(end: number): VerseLayout {
      for (const element of open.keys()) close(element, end);
      return {
        breaks: [...breaks],
        marks: marks.filter(({ length }) => length > 0),
        notes: [...notes],
        headings: [...headings],
      };
    },
  };
}
type LayoutRecorder = ReturnType<typeof createLayoutRecorder>;

/** Moves every offset of a layout with `move`, which must keep the order of offsets. */
export const moveLayout = (layout: VerseLayout, move: (offset: number) => number): VerseLayout => ({
  breaks: layout.breaks.map((each) => ({ ...each, start: move(each.start) })),
  marks: layout.marks.map((each) => ({
    ...each,
    start: move(each.start),
    length: move(each.start + each.length) - move(each.start),
  })),
  notes: layout.notes.map((each) => ({ ...each, start: move(each.start) })),
  headings: layout.headings.map((each) => ({ ...each, start: move(each.start) })),
});

/**
 * Joins the layouts of two parts of a verse. The offsets of both must count from the start of the
 * whole verse.
 */
export const joinLayouts = (first: VerseLayout, second: VerseLayout): VerseLayout => ({
  breaks: [...first.breaks, ...second.breaks],
  marks: [...first.marks, ...second.marks],
  notes: [...first.notes, ...second.notes],
  headings: [...first.headings, ...second.headings],
});

/**
 * Returns the layout of the part of a text from `start` up to `end`, both in UTF-16 units. A mark
 * that crosses `start` or `end` is cut off there. A note at `start` is left out unless `start` is
 * 0, because a note belongs to the text before it.
 */
export function sliceLayout({ breaks, marks, notes, headings }: VerseLayout, start: number, end: number): VerseLayout {
  const begins = (each: { start: number }): boolean => each.start >= start && each.start < end;
  const sliced: VerseLayout = {
    breaks: breaks.filter(begins),
    marks: marks.flatMap((mark) => {
      const from = Math.max(mark.start, start);
      const to = Math.min(mark.start + mark.length, end);
      return from < to ? [{ ...mark, start: from, length: to - from }] : [];
    }),
    notes: notes.filter((note) => (note.start > start || start === 0) && note.start <= end),
    headings: headings.filter(begins),
  };
  return moveLayout(sliced, (offset) => offset - start);
}
