import type {
  Block,
  Heading,
  Inline,
  Layout,
  Line,
  Note,
  NoteMarker,
  NumberedNote,
  TextBreak,
  TextMark,
  VerseWithLayout,
} from './types';

/**
 * What stands at one offset of a verse's text. Note markers precede headings and breaks, because a
 * note belongs to the text before the offset. At offset 0, they follow the verse number.
 */
interface OffsetItems {
  readonly notes: Note[];
  readonly headings: Heading[];
  readonly breaks: TextBreak[];
}

/**
 * Arranges verses in reading order as a page prints them. A verse without breaks and headings
 * continues the paragraph or line before it. An offset outside the text counts as its nearest end,
 * so nothing is lost.
 */
export function buildLayout(verses: readonly VerseWithLayout[]): Layout {
  const blocks = createBlockCollector();
  const notes: NumberedNote[] = [];
  /** Numbers a note and returns its marker. */
  const markerOf = ({ kind, text, references = [] }: Note): NoteMarker => {
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

function writeVerse(
  blocks: BlockCollector,
  verse: VerseWithLayout,
  label: string,
  markerOf: (note: Note) => NoteMarker,
): void {
  const itemsInOrder = [...itemsByOffset(verse)].sort(([a], [b]) => a - b);
  for (const [index, [offset, { notes, headings, breaks }]] of itemsInOrder.entries()) {
    const markers = notes.map(markerOf);
    if (offset > 0) for (const marker of markers) blocks.write(marker);
    for (const heading of headings) blocks.heading(heading);
    for (const each of breaks) blocks.startOf(each);
    if (offset === 0) {
      blocks.space();
      blocks.write({ kind: 'verse-number', label });
      for (const marker of markers) blocks.write(marker);
    }
    const end = itemsInOrder[index + 1]?.[0] ?? verse.text.length;
    if (end > offset)
      blocks.write({ kind: 'text', text: verse.text.slice(offset, end), marks: marksAt(verse.marks, offset) });
  }
}

/**
 * Groups the notes, headings and breaks of a verse by offset. Also has offset 0 and the ends of
 * marks, at which the text is split.
 */
function itemsByOffset({ text, breaks, headings, notes, marks }: VerseWithLayout): Map<number, OffsetItems> {
  const byOffset = new Map<number, OffsetItems>();
  const at = (offset: number): OffsetItems => {
    const inside = Math.min(Math.max(offset, 0), text.length);
    const items = byOffset.get(inside) ?? { notes: [], headings: [], breaks: [] };
    byOffset.set(inside, items);
    return items;
  };
  at(0);
  for (const each of breaks) at(each.start).breaks.push(each);
  for (const each of headings) at(each.start).headings.push(each);
  for (const each of notes) at(each.start).notes.push(each);
  for (const { start, length } of marks) {
    at(start);
    at(start + length);
  }
  return byOffset;
}

/**
 * Returns the kinds of the marks that include the character at `offset`, the outermost mark first.
 */
const marksAt = (marks: readonly TextMark[], offset: number): TextMark['kind'][] => [
  ...new Set(
    marks
      .filter(({ start, length }) => start <= offset && offset < start + length)
      .sort((a, b) => a.start - b.start || b.length - a.length)
      .map(({ kind }) => kind),
  ),
];

type Container = { kind: 'paragraph' } | { kind: 'line'; indent: number; startsStanza: boolean };

/**
 * Collects headings, paragraphs, and stanzas with lines. A break creates a block only when content
 * follows it, so several breaks in a row create no empty block.
 */
function createBlockCollector() {
  const blocks: Block[] = [];
  let lines: Line[] | null = null;
  let content: Inline[] | null = null;
  /**
   * The paragraph or line that begins with the next content. Null if the next content continues the
   * current one.
   */
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

  /** Removes the space at the end of a paragraph or a line. */
  const close = (): void => {
    const last = content?.at(-1);
    if (last?.kind !== 'text') return;
    const text = last.text.trimEnd();
    content?.splice(-1, 1, ...(text === '' ? [] : [{ ...last, text }]));
  };

  return {
    /** Lets the next content begin a new paragraph, line or stanza. */
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
    /**
     * Separates two verses by a space, except at the start of a paragraph or a line or after a
     * space.
     */
    space(): void {
      if (next || !content || content.length === 0) return;
      const last = content.at(-1);
      if (last?.kind === 'text' && last.text.endsWith(' ')) return;
      content.push({ kind: 'text', text: ' ', marks: [] });
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
type BlockCollector = ReturnType<typeof createBlockCollector>;
