import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyRecord, KeyUsage, Session } from '@lectern/keys';
import { type FormErrors, type FormOptions, hasErrors, renderErrorSummary, type SubmittedForm } from '../forms/form';
import { type Html, html, sendPage } from '../page';

/** Resolves with null for a key of the other environment, whose usage this gateway does not know. */
export type ReadKeyUsage = (key: KeyRecord) => Promise<KeyUsage | null>;

export interface AdminOptions extends FormOptions {
  /** The password or passwords of the operators: see `parseOperators`. If empty, there are no pages for operators. */
  password: string;
  /** Returns the address of the client, for the audit log. */
  clientAddress: (request: IncomingMessage) => string;
  /** Whether an untrusted proxy sent the request. All its clients then seem to have one address. */
  isBehindUntrustedProxy: (request: IncomingMessage) => boolean;
  /** Whether emails are written to the outbox folder, from which somebody has to send them. */
  mailsToOutbox: boolean;
  keyUsage: ReadKeyUsage;
}

export interface AdminContext
  extends Readonly<Pick<AdminOptions, 'keys' | 'environment' | 'mailsToOutbox' | 'keyUsage'>> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The session, with the name of the operator for the audit log. */
  readonly session: Session & { readonly operator: string };
  readonly query: URLSearchParams;
  /** The UUID in the path, or ''. A path never contains a key or the last four characters of a key. */
  readonly id: string;
  /** The submitted form. For a GET, every field is ''. */
  readonly form: SubmittedForm;
}

/** Responds to an operator. A KeyRequestError about a missing key or request becomes a page with status 404. */
export type AdminHandler = (context: AdminContext) => void | Promise<void>;

/** Handlers by path, in which `:id` stands for a UUID. `post` is called only if the CSRF token is valid. */
export type AdminRoutes = Readonly<Record<string, { readonly get: AdminHandler; readonly post?: AdminHandler }>>;

/** The message about the operator's last action. The message gets the focus when the page opens. */
export interface FlashMessage {
  text: string;
  kind: 'success' | 'failure';
}

interface AdminPage {
  title: string;
  main: Html;
  status?: number;
  flashMessage?: FlashMessage | null;
  /** The errors of the page's form. If present, the status is 422. */
  errors?: FormErrors;
}

const navigation = [
  ['/admin/requests', 'Requests'],
  ['/admin/keys', 'Keys'],
  ['/admin/audit', 'Audit log'],
] as const;

export function sendAdminPage(
  { request, response, session }: AdminContext,
  { title, main, errors = {}, status = hasErrors(errors) ? 422 : 200, flashMessage }: AdminPage,
): void {
  const path = request.url ?? '';
  sendPage(response, status, {
    title: `${hasErrors(errors) || flashMessage?.kind === 'failure' ? 'Problem: ' : ''}${title}`,
    main: html`<div class="operator"><nav aria-label="Operator">${navigation.map(([to, name]) => html`<a href="${to}"${path.startsWith(to) && html` aria-current="true"`}>${name}</a>`)}</nav>
<form method="post" action="/admin/sign-out">${renderCsrfField(session)}<button class="plain" type="submit">Sign out</button></form></div>
<h1>${title}</h1>
${renderErrorSummary(errors)}${flashMessage && html`<p class="notice ${flashMessage.kind}" role="${flashMessage.kind === 'success' ? 'status' : 'alert'}" tabindex="-1" autofocus>${flashMessage.text}</p>\n`}${main}`,
  });
}

/** Renders the hidden field with the CSRF token, which every form of an operator needs. */
export const renderCsrfField = ({ csrf }: Session): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;

/** One line, isolated so that its writing direction does not affect the text around it. */
export const renderUserText = (text: string): Html => html`<bdi>${text}</bdi>`;

export const renderUserParagraphs = (text: string): Html => html`<div class="user-text" dir="auto">${text}</div>`;

export type Detail = readonly [label: string, value: Html | string];

export const renderDetails = (details: readonly Detail[]): Html =>
  html`<dl class="details">${details.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>\n`;

interface Confirmation {
  /** Says what the action does and what cannot be undone. */
  text: string;
  /** The path of the key or request. The form is sent to this path with `action` as the last segment. */
  path: string;
  action: string;
  label: string;
  fields?: Html;
  isDangerous?: boolean;
}

export const renderConfirmation = (
  { session }: AdminContext,
  { text, path, action, label, fields, isDangerous = false }: Confirmation,
): Html => html`<p>${text}</p>
<form method="post" action="${path}/${action}" novalidate>${renderCsrfField(session)}
${fields}<p class="form-actions"><button type="submit"${isDangerous && html` class="danger"`}>${label}</button> <a href="${path}">Cancel</a></p>
</form>\n`;

export const pageSize = 50;

/** Returns the query parameter `page`, or 1 if it is missing or not a number from 1 to 999,999. */
export function readPageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** Returns the items and the links of the page that the query names, or of the last page. */
export function paginate<Item>(all: readonly Item[], path: string, query: URLSearchParams) {
  const count = Math.max(1, Math.ceil(all.length / pageSize));
  const number = Math.min(count, readPageNumber(query));
  return {
    items: all.slice((number - 1) * pageSize, number * pageSize),
    links: renderPagination(path, query, { number, hasNext: number < count, label: `Page ${number} of ${count}` }),
  };
}

export function renderPagination(
  path: string,
  query: URLSearchParams,
  { number, hasNext, label }: { number: number; hasNext: boolean; label: string },
): Html | null {
  if (number === 1 && !hasNext) return null;
  const link = (to: number, name: string): Html => {
    const search = new URLSearchParams(query);
    search.set('page', String(to));
    return html`<a href="${path}?${search.toString()}">${name}</a> `;
  };
  return html`<nav class="pagination" aria-label="Pages">${number > 1 && link(number - 1, 'Previous')}<span>${label}</span> ${hasNext && link(number + 1, 'Next')}</nav>\n`;
}
