import type { Block, Inline, Layout, TextRun } from './layout-types';

const headingPrefix = '### ';
// A space at the start of a line is ignored in Markdown, an em space is not.
const indentation = '\u2003';

/**
 * Renders a layout as CommonMark with footnotes (`[^1]`). Verse numbers are bold, added words are emphasised.
 * Markdown has no markup for the words of Jesus and the divine name, so they are plain text.
 */
export function renderMarkdown({ blocks, notes }: Layout): string {
  const footnotes = notes.map(({ number, text }) => `[^${number}]: ${escapeMarkdown(text)}`);
  return `${[...blocks.map(renderBlock), ...footnotes].join('\n\n')}\n`;
}

function renderBlock(block: Block): string {
  if (block.kind === 'heading') return headingPrefix + escapeMarkdown(block.text);
  if (block.kind === 'paragraph') return escapeLineStart(renderContent(block.content));
  // A backslash at the end of a line breaks the line.
  return block.lines
    .map(({ indent, content }) => indentation.repeat(indent) + escapeLineStart(renderContent(content)))
    .join('\\\n');
}

const renderContent = (content: readonly Inline[]): string => content.map(renderInline).join('');

function renderInline(inline: Inline): string {
  if (inline.kind === 'verse-number') return `**${inline.label}** `;
  if (inline.kind === 'note') return `[^${inline.number}]`;
  return inline.marks.includes('ADDED_WORDS') ? emphasise(inline) : escapeMarkdown(inline.text);
}

/** Emphasis must neither begin nor end with a space. */
function emphasise({ text }: TextRun): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? [];
  return inner === '' ? text : `${before}*${escapeMarkdown(inner)}*${after}`;
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>&~|]/g, String.raw`\$&`);

/** Escapes characters that would begin a heading, a list, a quotation or a rule. */
const escapeLineStart = (line: string): string =>
  line.replace(/^([#+=-])/, String.raw`\$1`).replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);
