import type { HeadingKind, NoteKind, TextBreakKind, TextMarkKind, VerseLayout } from '@lectern/verse-layout';
import { emptyLayout } from './move-join-and-slice-layout';

/**
 * The stored form of a verse's layout: breaks, marks, notes and headings. It has arrays in place of
 * objects, because property names would take most of the space.
 */
interface EncodedLayout {
  b?: [kind: TextBreakKind, start: number, indent: number][];
  m?: [kind: TextMarkKind, start: number, length: number][];
  n?: [kind: NoteKind, start: number, text: string][];
  h?: [kind: HeadingKind, start: number, text: string][];
}

/** Encodes a layout as JSON. Returns null if the layout is empty. */
export function encodeLayout({ breaks, marks, notes, headings }: VerseLayout): string | null {
  const encoded: EncodedLayout = {
    ...(breaks.length > 0 && { b: breaks.map(({ kind, start, indent }) => [kind, start, indent]) }),
    ...(marks.length > 0 && { m: marks.map(({ kind, start, length }) => [kind, start, length]) }),
    ...(notes.length > 0 && { n: notes.map(({ kind, start, text }) => [kind, start, text]) }),
    ...(headings.length > 0 && { h: headings.map(({ kind, start, text }) => [kind, start, text]) }),
  };
  return Object.keys(encoded).length === 0 ? null : JSON.stringify(encoded);
}

/** Decodes a result of `encodeLayout`. */
export function decodeLayout(encoded: string | null | undefined): VerseLayout {
  if (!encoded) return emptyLayout;
  const { b = [], m = [], n = [], h = [] } = JSON.parse(encoded) as EncodedLayout;
  return {
    breaks: b.map(([kind, start, indent]) => ({ kind, start, indent })),
    marks: m.map(([kind, start, length]) => ({ kind, start, length })),
    notes: n.map(([kind, start, text]) => ({ kind, start, text })),
    headings: h.map(([kind, start, text]) => ({ kind, start, text })),
  };
}
