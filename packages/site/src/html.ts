import escapeHtml from 'escape-html';

/** Escaped HTML. Only the template tag `html` creates values of this type. */
export interface Html {
  readonly markup: string;
}

type TemplateValue = Html | readonly Html[] | string | number | false | null | undefined;

/** Template tag for HTML. Escapes every value that is not `Html`. False, null and undefined render as nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html => ({
  markup: String.raw({ raw: parts }, ...values.map(render)),
});

function render(value: TemplateValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** Renders a table that can be scrolled sideways on narrow screens, with the keyboard too. */
export const renderTable = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
