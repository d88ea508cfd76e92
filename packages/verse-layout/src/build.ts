/** The layout of a verse in its source. Offsets count UTF-16 units of the verse's text from 0. */
export interface VerseLayout {
  readonly breaks: readonly TextBreak[];
  readonly marks: readonly TextMark[];
  readonly notes: readonly Note[];
  readonly headings: readonly Heading[];
}

/** The fields of the GraphQL type `Verse` that a page needs. */
export interface VerseWithLayout extends VerseLayout {
  readonly chapter: number;
  readonly verse: number;
  readonly text: string;
}

export type TextBreakKind = 'PARAGRAPH' | 'LINE' | 'STANZA';

/** A place where a paragraph, a line of poetry or a stanza begins. */
export interface TextBreak {
  readonly kind: TextBreakKind;
  readonly start: number;
  readonly indent: number;
}

export type TextMarkKind = 'WORDS_OF_JESUS' | 'ADDED_WORDS' | 'DIVINE_NAME';

export interface TextMark {
  readonly kind: TextMarkKind;
  readonly start: number;
  readonly length: number;
}

export type NoteKind = 'TRANSLATION' | 'CROSS_REFERENCE';

export interface Note {
  readonly kind: NoteKind;
  readonly start: number;
  readonly text: string;
  readonly references?: readonly NoteReference[];
  /** The links that the source marks in the note's text. Absent if there are none. */
  readonly links?: readonly NoteLink[];
}

/** A link to verses of the same translation. */
export interface NoteLink {
  readonly start: number;
  readonly length: number;
  /** The target as the source writes it, such as "GEN 1:1-5" or "Gen.1.1". */
  readonly target: string;
}

export interface NoteReference {
  readonly reference: string;
  readonly start: number;
  readonly length: number;
}

export type HeadingKind = 'PSALM_TITLE' | 'SECTION' | 'ACROSTIC';

export interface Heading {
  readonly kind: HeadingKind;
  readonly start: number;
  readonly text: string;
}

/** The verses of a chapter or a passage in the way a page shows them, from top to bottom. */
export interface Layout {
  readonly blocks: readonly Block[];
  /** The notes in the order of their markers. */
  readonly notes: readonly NumberedNote[];
}

export type Block =
  | { readonly kind: 'heading'; readonly headingKind: HeadingKind; readonly text: string }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'stanza'; readonly lines: readonly Line[] };

/** A line of poetry. `indent` is its level of indentation, from 0. */
export interface Line {
  readonly indent: number;
  readonly content: readonly Inline[];
}

export type Inline =
  /** The label of a verse: its number, with the chapter ("4:1") at the first verse of a later chapter. */
  | { readonly kind: 'verse-number'; readonly label: string }
  /** A piece of text in which all characters have the same marks, the outermost mark first. */
  | { readonly kind: 'text'; readonly text: string; readonly marks: readonly TextMarkKind[] }
  | { readonly kind: 'note'; readonly number: number };

/** A note with its number on the page, from 1. */
export interface NumberedNote {
  readonly number: number;
  readonly kind: NoteKind;
  readonly text: string;
  readonly references: readonly NoteReference[];
}

/** Arranges verses in paragraphs, headings and stanzas. A verse without breaks continues the current one. */
export function buildLayout(verses: readonly VerseWithLayout[]): Layout {
  const blocks = createBlockCollector();
  const notes: NumberedNote[] = [];
  /** Adds a note with the next number, and returns its marker for the text. */
  const markerOf = ({ kind, text, references = [] }: Note): Inline => {
    const number = notes.length + 1;
    notes.push({ number, kind, text, references });
    return { kind: 'note', number };
  };
  let chapter = verses[0]?.chapter;
  for (const verse of verses) {
    const label = verse.chapter === chapter ? `${verse.verse}` : `${verse.chapter}:${verse.verse}`;
    writeVerse(blocks, verse, label, markerOf);
    chapter = verse.chapter;
  }
  return { blocks: blocks.finish(), notes };
}

/** A note's marker comes before headings and breaks at its offset, but at 0 after the verse number. */
function writeVerse(
  blocks: ReturnType<typeof createBlockCollector>,
  { text, breaks, headings, notes, marks }: VerseWithLayout,
  label: string,
  markerOf: (note: Note) => Inline,
): void {
  const inside = (offset: number): number => Math.min(Math.max(offset, 0), text.length);
  const starts = [...breaks, ...headings, ...notes, ...marks].map(({ start }) => start);
  const markEnds = marks.map(({ start, length }) => start + length);
  const offsets = [...new Set([0, ...starts, ...markEnds].map(inside))].sort((a, b) => a - b);
  for (const [index, offset] of offsets.entries()) {
    const isHere = ({ start }: { start: number }): boolean => inside(start) === offset;
    const markers = notes.filter(isHere).map(markerOf);
    if (offset > 0) for (const marker of markers) blocks.write(marker);
    for (const heading of headings.filter(isHere)) blocks.heading(heading);
    for (const each of breaks.filter(isHere)) blocks.startOf(each);
    if (offset === 0) {
      blocks.space();
      blocks.write({ kind: 'verse-number', label });
      for (const marker of markers) blocks.write(marker);
    }
    const end = offsets[index + 1] ?? text.length;
    if (end > offset) blocks.write({ kind: 'text', text: text.slice(offset, end), marks: marksAt(marks, offset) });
  }
}

/** Returns the kinds of the marks that cover the character at `offset`, the outermost first. */
const marksAt = (marks: readonly TextMark[], offset: number): TextMark['kind'][] => [
  ...new Set(
    marks
      .filter(({ start, length }) => start <= offset && offset < start + length)
      .sort((a, b) => a.start - b.start || b.length - a.length)
      .map(({ kind }) => kind),
  ),
];

type Container = { kind: 'paragraph' } | { kind: 'line'; indent: number; startsStanza: boolean };

/** Creates the collector of blocks. A block starts at its first content, so that no block is empty. */
function createBlockCollector() {
  const blocks: Block[] = [];
  let lines: Line[] | null = null;
  let content: Inline[] | null = null;
  /** The paragraph or line that starts at the next content. Null if the content continues `current`. */
  let next: Container | null = { kind: 'paragraph' };
  let current: Container = { kind: 'paragraph' };

  const open = (container: Container): Inline[] => {
    const created: Inline[] = [];
    if (container.kind === 'paragraph') {
      lines = null;
      blocks.push({ kind: 'paragraph', content: created });
    } else {
      if (!lines || container.startsStanza) {
        lines = [];
        blocks.push({ kind: 'stanza', lines });
      }
      lines.push({ indent: container.indent, content: created });
    }
    current = container;
    next = null;
    return created;
  };

  const close = (): void => {
    const last = content?.at(-1);
    if (last?.kind !== 'text') return;
    const text = last.text.trimEnd();
    content?.splice(-1, 1, ...(text === '' ? [] : [{ ...last, text }]));
  };

  return {
    startOf({ kind, indent }: TextBreak): void {
      close();
      const afterStanza: boolean = next?.kind === 'line' && next.startsStanza;
      next =
        kind === 'PARAGRAPH'
          ? { kind: 'paragraph' }
          : { kind: 'line', indent, startsStanza: kind === 'STANZA' || afterStanza };
    },
    heading({ kind, text }: Heading): void {
      close();
      lines = null;
      blocks.push({ kind: 'heading', headingKind: kind, text });
      next ??= current;
    },
    /** Adds the space between two verses, except at the start of a paragraph or line, or after a space. */
    space(): void {
      const last = content?.at(-1);
      if (next || !last || (last.kind === 'text' && last.text.endsWith(' '))) return;
      content?.push({ kind: 'text', text: ' ', marks: [] });
    },
    write(inline: Inline): void {
      const isBlank = inline.kind === 'text' && inline.text.trim() === '';
      if (next && isBlank) return;
      if (!next) return void content?.push(inline);
      content = open(next);
      content.push(inline.kind === 'text' ? { ...inline, text: inline.text.trimStart() } : inline);
    },
    finish(): Block[] {
      close();
      return blocks;
    },
  };
}
