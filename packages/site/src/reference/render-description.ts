import type { Html } from '../html';
import { html } from '../html';

/**
 * Renders a schema description. Of Markdown, it supports paragraphs and inline code only.
 * Inline code that `isName` accepts, such as `Verse.text`, becomes a link to that element.
 */
export function renderDescription(description: string | null | undefined, isName: (text: string) => boolean): Html {
  const paragraphs = (description ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${renderInlineCode(paragraph, isName)}</p>`)}`;
}

/** Renders text between backticks as code. A backtick without a closing backtick stays as it is. */
export function renderInlineCode(text: string, isName: (text: string) => boolean): readonly Html[] {
  // The parts with odd indexes are the texts between backticks.
  const parts = text.split('`');
  return parts.map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    if (index === parts.length - 1) return html`\`${part}`;
    return isName(part) ? html`<a href="#${part}"><code>${part}</code></a>` : html`<code>${part}</code>`;
  });
}
