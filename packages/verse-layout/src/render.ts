import escapeHtml from 'escape-html';
import type { Block, HeadingKind, Inline, Layout, TextMarkKind } from './build';

export interface HtmlOptions {
  /** The level of headings, 1 to 6. Default: 3. */
  readonly headingLevel?: 1 | 2 | 3 | 4 | 5 | 6;
  /** A prefix of all `id` attributes. Layouts on the same HTML page need different prefixes. Default: ''. */
  readonly idPrefix?: string;
}

const headingClasses: Readonly<Record<HeadingKind, string>> = {
  PSALM_TITLE: 'psalm-title',
  SECTION: 'section-heading',
  ACROSTIC: 'acrostic-heading',
};

const markTags: Readonly<Record<TextMarkKind, readonly [open: string, close: string]>> = {
  WORDS_OF_JESUS: ['<span class="words-of-jesus">', '</span>'],
  ADDED_WORDS: ['<i class="added-words">', '</i>'],
  DIVINE_NAME: ['<span class="divine-name">', '</span>'],
};

export const layoutCss = `.stanza .line { display: block; padding-inline-start: calc(var(--indent) * 1.5em + 2em); text-indent: -2em; }
.verse-number { font-size: 0.7em; margin-inline-end: 0.2em; }
.words-of-jesus { color: #a4161a; }
.divine-name { font-variant-caps: small-caps; }
.psalm-title { font-style: italic; font-weight: normal; }
@media (prefers-color-scheme: dark) { .words-of-jesus { color: #ff8a80; } }
`;

/** Renders HTML with escaped text. A stanza is a `p` of `span.line`. Notes are last, with links to and from markers. */
export function renderHtml({ blocks, notes }: Layout, { headingLevel = 3, idPrefix = '' }: HtmlOptions = {}): string {
  const prefix = escapeHtml(idPrefix);
  const renderInline = (inline: Inline): string => {
    if (inline.kind === 'verse-number') return `<sup class="verse-number">${inline.label}</sup>`;
    if (inline.kind === 'note')
      return `<sup class="note-marker"><a id="${prefix}note-marker-${inline.number}" href="#${prefix}note-${inline.number}" role="doc-noteref">${inline.number}</a></sup>`;
    return inline.marks.reduceRight((inner, mark) => markTags[mark].join(inner), escapeHtml(inline.text));
  };
  const renderContent = (content: readonly Inline[]): string => content.map(renderInline).join('');
  const renderBlock = (block: Block): string => {
    if (block.kind === 'heading')
      return `<h${headingLevel} class="${headingClasses[block.headingKind]}">${escapeHtml(block.text)}</h${headingLevel}>`;
    if (block.kind === 'paragraph') return `<p>${renderContent(block.content)}</p>`;
    const lines = block.lines.map(
      ({ indent, content }) => `<span class="line" style="--indent: ${indent}">${renderContent(content)}</span>`,
    );
    return `<p class="stanza">${lines.join('\n')}</p>`;
  };
  const rendered = blocks.map(renderBlock);
  if (notes.length > 0) {
    const items = notes.map(
      ({ number, text }) =>
        `<li id="${prefix}note-${number}">${escapeHtml(text)} <a href="#${prefix}note-marker-${number}" role="doc-backlink" aria-label="Back to the text of note ${number}">↩</a></li>\n`,
    );
    rendered.push(
      `<section class="notes" role="doc-endnotes" aria-label="Notes">\n<ol>\n${items.join('')}</ol>\n</section>`,
    );
  }
  return rendered.join('\n');
}

/** The indentation of a line of poetry: an em space, because Markdown ignores spaces at the start of a line. */
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
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  return inner === '' ? text : `${text.slice(0, start)}*${escapeMarkdown(inner)}*${text.slice(start + inner.length)}`;
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>&~|]/g, String.raw`\$&`);

/** Escapes characters at the start of a line that would begin a heading, a list or a horizontal rule. */
const escapeLineStart = (line: string): string =>
  line.replace(/^([#+=-])/, String.raw`\$1`).replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);

/** Renders a layout as plain text: empty lines between blocks, note markers in brackets, the notes at the end. */
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
