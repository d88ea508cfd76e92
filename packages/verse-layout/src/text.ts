import type { Block, Inline, Layout } from './types';

/**
 * The indentation of lines of poetry, in em spaces, because Markdown ignores ordinary spaces at the start of a line.
 */
const markdownIndentation = '\u2003';

/** Renders a layout as CommonMark with footnotes (`[^1]`), bold verse numbers and emphasized added words. */
export function renderMarkdown({ blocks, notes }: Layout): string {
  const footnotes = notes.map(({ number, text }) => `[^${number}]: ${escapeMarkdown(text)}`);
  return `${[...blocks.map(markdownOfBlock), ...footnotes].join('\n\n')}\n`;
}

function markdownOfBlock(block: Block): string {
  if (block.kind === 'heading') return `### ${escapeMarkdown(block.text)}`;
  if (block.kind === 'paragraph') return escapeLineStart(markdownOfContent(block.content));
  // In Markdown, a backslash at the end of a line is a line break.
  return block.lines
    .map(({ indent, content }) => markdownIndentation.repeat(indent) + escapeLineStart(markdownOfContent(content)))
    .join('\\\n');
}

const markdownOfContent = (content: readonly Inline[]): string => content.map(markdownOfInline).join('');

function markdownOfInline(inline: Inline): string {
  if (inline.kind === 'verse-number') return `**${inline.label}** `;
  if (inline.kind === 'note') return `[^${inline.number}]`;
  return inline.marks.includes('ADDED_WORDS') ? emphasise(inline.text) : escapeMarkdown(inline.text);
}

/** Emphasizes a text without the spaces around it, because `* word *` is not emphasis in Markdown. */
function emphasise(text: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
  return inner === '' ? text : `${before}*${escapeMarkdown(inner)}*${after}`;
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>&~|]/g, String.raw`\$&`);

/** Escapes characters at the start of a line that would begin a heading, a list or a horizontal rule. */
const escapeLineStart = (line: string): string =>
  line.replace(/^([#+=-])/, String.raw`\$1`).replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);

/**
 * Renders a layout as plain text, with empty lines between blocks, note markers in brackets, and the notes at the
 * end.
 */
export function renderText({ blocks, notes }: Layout): string {
  const list = notes.map(({ number, text }) => `[${number}] ${text}`).join('\n');
  return `${[...blocks.map(textOfBlock), ...(list === '' ? [] : [list])].join('\n\n')}\n`;
}

function textOfBlock(block: Block): string {
  if (block.kind === 'heading') return block.text;
  if (block.kind === 'paragraph') return textOfContent(block.content);
  return block.lines.map(({ indent, content }) => '  '.repeat(indent) + textOfContent(content)).join('\n');
}

const textOfContent = (content: readonly Inline[]): string => content.map(textOfInline).join('');

function textOfInline(inline: Inline): string {
  if (inline.kind === 'verse-number') return `${inline.label} `;
  return inline.kind === 'note' ? `[${inline.number}]` : inline.text;
}
