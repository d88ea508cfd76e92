import type { VerseLayout } from '@lectern/verse-layout';

export const emptyLayout: VerseLayout = { breaks: [], marks: [], notes: [], headings: [] };

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
