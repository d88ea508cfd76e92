import type { Block, Inline, Layout } from './types';

const indentation = '  ';

/**
 * Renders a layout as plain text, for terminals and the clipboard. An empty line separates blocks,
 * and each line of poetry is on a new line. Note markers are in brackets, and the notes are at the
 * end.
 */
export function renderText({ blocks, notes }: Layout): string {
  const list = notes.map(({ number, text }) => `[${number}] ${text}`);
  return `${[...blocks.map(renderBlock), ...(list.length === 0 ? [] : [list.join('\n')])].join('\n\n')}\n`;
}

function renderBlock(block: Block): string {
  if (block.kind === 'heading') return block.text;
  if (block.kind === 'paragraph') return renderContent(block.content);
  return block.lines.map(({ indent, content }) => indentation.repeat(indent) + renderContent(content)).join('\n');
}

const renderContent = (content: readonly Inline[]): string => content.map(renderInline).join('');

function renderInline(inline: Inline): string {
  if (inline.kind === 'verse-number') return `${inline.label} `;
  return inline.kind === 'note' ? `[${inline.number}]` : inline.text;
}
