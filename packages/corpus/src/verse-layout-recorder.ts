import type { Heading, NoteKind, TextBreak, TextMarkKind, VerseLayout } from '@lectern/verse-layout';

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
    /**
     * Closes the mark of an element at this offset, which is the end of the text so far. Ignores an
     * element without a mark.
     */
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
export type LayoutRecorder = ReturnType<typeof createLayoutRecorder>;
