import type { Block, Heading, Inline, Line, TextBreak } from './layout-types';

type Container = { kind: 'paragraph' } | { kind: 'line'; indent: number; startsStanza: boolean };

/**
 * Collects headings, paragraphs and stanzas. A paragraph or a line exists as soon as something is written to it,
 * so breaks without text between them leave no empty block.
 */
export function createBlockWriter() {
  const blocks: Block[] = [];
  let lines: Line[] | null = null;
  let content: Inline[] | null = null;
  /** The container that the next content begins. Null while the content continues. */
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
    /** Starts a new paragraph, line or stanza with the next content. */
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
    /** Writes a space before the next content, unless that content begins a paragraph or a line. */
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
export type BlockWriter = ReturnType<typeof createBlockWriter>;
