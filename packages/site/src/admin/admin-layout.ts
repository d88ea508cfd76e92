import type { KeyRequestError } from '@lectern/keys';
import type { FlashMessage, FormErrors } from '../forms/form-fields-and-messages';
import { hasErrors, renderErrorSummary, renderFlashMessage } from '../forms/form-fields-and-messages';
import type { Html } from '../html';
import { html } from '../html';
import { sendPage } from '../send-page-with-security-headers';
import type { AdminContext } from './admin-route-types';

export interface AdminPage {
  title: string;
  main: Html;
  status?: number;
  flashMessage?: FlashMessage | null;
  errors?: FormErrors;
}

const navigation = [
  ['/admin/requests', 'Requests'],
  ['/admin/keys', 'Keys'],
  ['/admin/audit', 'Audit log'],
] as const;

/** Sends a page with the operator's navigation and the button to sign out. */
export function sendAdminPage(
  { request, response, session }: AdminContext,
  { title, main, status = 200, flashMessage = null, errors = {} }: AdminPage,
): void {
  const path = request.url ?? '';
  sendPage(response, status, {
    title: `${hasErrors(errors) || flashMessage?.kind === 'failure' ? 'Problem: ' : ''}${title}`,
    main: html`<div class="operator"><nav aria-label="Operator">${navigation.map(([to, name]) => html`<a href="${to}"${path.startsWith(to) ? html` aria-current="true"` : null}>${name}</a>`)}</nav>
<form method="post" action="/admin/sign-out">${renderCsrfField(session)}<button class="plain" type="submit">Sign out</button></form></div>
<h1>${title}</h1>
${renderErrorSummary(errors)}${flashMessage && renderFlashMessage(flashMessage)}${main}`,
  });
}

/** Sends 404 with the store's message about the missing key or request. */
export const sendAdminNotFound = (context: AdminContext, { message }: KeyRequestError): void =>
  sendAdminPage(context, { title: 'Not found', status: 404, main: html`<p>${message}</p>` });

/** The hidden field with the CSRF token of the session, which every form of an operator needs. */
export const renderCsrfField = ({ csrf }: AdminContext['session']): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** Renders an ISO 8601 time to the minute. */
export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;

/**
 * Renders an applicant's text on one line.
 * Its writing direction does not affect the text around it.
 */
export const renderUserText = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Renders an applicant's text with its line breaks. */
export const renderUserParagraphs = (text: string): Html => html`<div class="user-text" dir="auto">${text}</div>`;

/** Renders labels with their values. Null entries are left out. */
export const renderDetails = (details: readonly (readonly [string, Html | string] | null)[]): Html =>
  html`<dl class="details">${details.map((detail) => (detail === null ? html`` : html`<dt>${detail[0]}</dt><dd>${detail[1]}</dd>\n`))}</dl>\n`;

export interface Confirmation {
  /** The text that says what the action does and what cannot be undone. */
  text: string;
  /** The path to which the form is posted. */
  action: string;
  /** The label of the submit button. */
  label: string;
  /** The path of the link to cancel. */
  cancelPath: string;
  fields?: Html | null;
  isDangerous?: boolean;
}

/** Renders a form that asks the operator to confirm one action. */
export const renderConfirmation = (
  session: AdminContext['session'],
  { text, action, label, cancelPath, fields = null, isDangerous = false }: Confirmation,
): Html => html`<p>${text}</p>
<form method="post" action="${action}" novalidate>${renderCsrfField(session)}
${fields}<p class="form-actions"><button type="submit"${isDangerous ? html` class="danger"` : null}>${label}</button> <a href="${cancelPath}">Cancel</a></p>
</form>\n`;
