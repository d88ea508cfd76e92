import type { Html } from './html';
import { html } from './html';

/** Renders a table that scrolls sideways on narrow screens, also by keyboard. */
export const renderTable = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
