import type { FieldErrors } from '../forms/form-field';
import { renderErrorSummary, renderFlashMessage } from '../forms/form-field';
import type { Html } from '../html';
import { html } from '../html';
import { sendPage } from '../page';
import type { AdminContext } from './admin-route';

export interface AdminPage {
  title: string;
  main: Html;
  status?: number;
  /** How the last act ended. */
  notice?: { text: string; kind: 'good' | 'bad' } | null;
  faults?: FieldErrors;
}

const links = [
  ['/admin/requests', 'Requests'],
  ['/admin/keys', 'Keys'],
  ['/admin/audit', 'Audit log'],
] as const;

/** A page for an operator: it leads to the others, and out. */
export function sendAdminPage(
  { request, response, session }: AdminContext,
  { title, main, status = 200, notice = null, faults = {} }: AdminPage,
): void {
  const path = request.url ?? '';
  const isFaulty = Object.keys(faults).length > 0;
  sendPage(response, status, {
    title: `${isFaulty || notice?.kind === 'bad' ? 'Problem: ' : ''}${title}`,
    main: html`<div class="operator"><nav aria-label="Operator">${links.map(([to, name]) => html`<a href="${to}"${path.startsWith(to) ? html` aria-current="true"` : null}>${name}</a>`)}</nav>
<form method="post" action="/admin/sign-out">${renderCsrfField(session)}<button class="plain" type="submit">Sign out</button></form></div>
<h1>${title}</h1>
${renderErrorSummary(faults)}${notice && renderFlashMessage(notice.text, notice.kind)}${main}`,
  });
}

/** What every form of an operator carries against forgery. */
export const renderCsrfField = ({ csrf }: AdminContext['session']): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** A time, to the minute. */
export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;

/** Text of people from outside: whichever way it is written, it turns nothing around it. */
export const renderUserText = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Names and values. */
export const renderDetails = (facts: readonly (readonly [string, Html | string] | null)[]): Html =>
  html`<dl class="facts">${facts.map((fact) => (fact === null ? html`` : html`<dt>${fact[0]}</dt><dd>${fact[1]}</dd>\n`))}</dl>\n`;

export interface Confirmation {
  /** What is about to happen, and what cannot be undone. */
  text: string;
  action: string;
  label: string;
  /** Where to go instead. */
  back: string;
  fields?: Html | null;
  isDangerous?: boolean;
}

/** A form that does one thing, after saying what. */
export const renderConfirmation = (
  session: AdminContext['session'],
  { text, action, label, back, fields = null, isDangerous = false }: Confirmation,
): Html => html`<p>${text}</p>
<form method="post" action="${action}" novalidate>${renderCsrfField(session)}
${fields}<p class="acts"><button type="submit"${isDangerous ? html` class="danger"` : null}>${label}</button> <a href="${back}">Leave it as it is</a></p>
</form>\n`;

/** A list that scrolls sideways within itself, also by keyboard. */
export const renderTable = (
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
