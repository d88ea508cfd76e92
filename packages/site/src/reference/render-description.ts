import type { Html } from '../html';
import { html } from '../html';

/**
 * A description as markup: paragraphs where it has blank lines, `code` where it has backticks, and nothing else of Markdown. Code that
 * names something of the schema, such as `Verse.text`, leads there.
 */
export function renderDescription(description: string | null | undefined, isName: (text: string) => boolean): Html {
  const paragraphs = (description ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${renderInlineCode(paragraph, isName)}</p>`)}`;
}

/** Every second part stands between backticks; a last one without its partner is a plain backtick. */
export function renderInlineCode(text: string, isName: (text: string) => boolean): readonly Html[] {
  const parts = text.split('`');
  return parts.map((part, at) => {
    if (at % 2 === 0) return html`${part}`;
    if (at === parts.length - 1) return html`\`${part}`;
    return isName(part) ? html`<a href="#${part}"><code>${part}</code></a>` : html`<code>${part}</code>`;
  });
}
