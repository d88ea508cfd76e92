import type { Block, Heading, Inline, Line, TextBreak } from './types';

type Container = { kind: 'paragraph' } | { kind: 'line'; indent: number; startsStanza: boolean };

/**
 * Collects the blocks of a layout: headings, paragraphs, and stanzas with lines. A break creates a
 * paragraph or a line only when content follows the break. So several breaks without content
 * between them create no empty block.
 */
export function createBlockCollector() {
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
     * Writes a space, which separates two verses. Writes nothing at the start of a paragraph or a
     * line, and nothing after another space.
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
export type BlockCollector = ReturnType<typeof createBlockCollector>;
