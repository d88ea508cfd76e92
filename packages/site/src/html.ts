import escapeHtml from 'escape-html';

/** Escaped markup. Only the tag `html` creates values of this type. */
export interface Html {
  readonly markup: string;
}

type TemplateValue = Html | readonly Html[] | string | number | null;

/**
 * A template tag for HTML.
 * Escapes every value that is not `Html` itself; null and an empty list render as nothing.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html => ({
  markup: parts.map((part, index) => part + (index < values.length ? render(values[index] ?? null) : '')).join(''),
});

function render(value: TemplateValue): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map((each) => each.markup).join('');
}

/** Renders a table that scrolls sideways on narrow screens, also by keyboard. */
export const renderTable = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
