import escapeHtml from 'escape-html';

/** Escaped markup. Only the tag `html` creates values of this type. */
export interface Html {
  readonly markup: string;
}

type TemplateValue = Html | readonly Html[] | string | number | false | null | undefined;

/** Escapes every value except `Html`. False, null and undefined render as nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html => ({
  markup: String.raw({ raw: parts }, ...values.map(render)),
});

function render(value: TemplateValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
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
