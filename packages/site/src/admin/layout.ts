import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, KeyRecord, KeyRequestError, Keys, Session } from '@lectern/keys';
import type { FlashMessage, FormErrors } from '../forms/fields';
import { hasErrors, renderErrorSummary, renderFlashMessage } from '../forms/fields';
import type { SubmittedForm } from '../forms/form';
import type { Html } from '../html';
import { html } from '../html';
import { sendPage } from '../page';

/** The usage of a key in the current UTC day. */
export interface KeyUsage {
  /**
   * The requests that count against the quota. Null if the key has no quota, because they are not
   * counted then.
   */
  readonly requests: { readonly count: number; readonly max: number } | null;
  /** The semantic searches, also of translations without embeddings. */
  readonly embeddingCalls: number;
  /**
   * Whether the counts are those of one gateway, because the counts of all gateways cannot be read.
   */
  readonly isOfOneGateway: boolean;
}

/**
 * Resolves with null for a key of the other environment, whose usage this deployment does not know.
 */
export type ReadKeyUsage = (key: KeyRecord) => Promise<KeyUsage | null>;

/** The rows of a key's page that show its usage. */
export function usageDetails(usage: KeyUsage | null, { environment }: KeyRecord): (readonly [string, Html | string])[] {
  if (!usage)
    return [['Today (UTC)', `not known here: see the page of the key on a gateway of the ${environment} environment`]];
  const { requests, embeddingCalls, isOfOneGateway } = usage;
  return [
    [
      'Requests today (UTC)',
      requests ? `${requests.count} of ${requests.max}` : 'not counted, because the key has no quota',
    ],
    ['Embedding calls today (UTC)', String(embeddingCalls)],
    ...(isOfOneGateway ? [['Note', 'Redis is unavailable: these are the counts of one gateway.'] as const] : []),
  ];
}

/** A request of a signed-in operator. */
export interface AdminContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly session: Session;
  readonly query: URLSearchParams;
  /** The id in the path; '' if the route's pattern has no group. */
  readonly id: string;
  /** The submitted form; every field is '' for a GET. */
  readonly form: SubmittedForm;
  /** Whether emails are written to the outbox folder, from which somebody has to send them. */
  readonly mailsToOutbox: boolean;
  readonly keyUsage: ReadKeyUsage;
}

export type AdminHandler = (context: AdminContext) => void | Promise<void>;

/**
 * The handlers of the paths that match `pattern`. If the pattern has a group, the text that the
 * group matches becomes the `id` of the context. The CSRF token is verified before `post` runs.
 */
export interface AdminRoute {
  readonly pattern: RegExp;
  readonly get: AdminHandler;
  readonly post?: AdminHandler;
}

export interface AdminRouteOptions {
  readonly keys: Keys;
  readonly environment: Environment;
}

/** Ids are UUIDs. Paths never contain a key or its last four characters. */
export const idPattern = '([0-9a-f-]{36})';

/** The actor in the audit log. Operators share one password, so the log cannot tell them apart. */
export const operator = 'operator';

interface AdminPage {
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

interface Confirmation {
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

interface Pagination {
  /** The page's number, from 1. */
  number: number;
  hasNext: boolean;
  /** The label of the page, such as "Page 1 of 3". */
  label: string;
}

interface PaginatedList<Item> extends Pagination {
  items: readonly Item[];
}

/** The number of items per page. */
export const pageSize = 50;

/**
 * Returns the page that the query parameter `page` names, or the last page if the list has fewer
 * pages.
 */
export function paginate<Item>(all: readonly Item[], query: URLSearchParams): PaginatedList<Item> {
  const count = Math.max(1, Math.ceil(all.length / pageSize));
  const number = Math.min(count, readPageNumber(query));
  return {
    items: all.slice((number - 1) * pageSize, number * pageSize),
    number,
    hasNext: number < count,
    label: `Page ${number} of ${count}`,
  };
}

/**
 * Reads the page number. Returns 1 if the query parameter `page` is missing or not a number from 1
 * to 999,999.
 */
export function readPageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/**
 * Renders links to the previous and next page; other query parameters stay.
 * Returns null for a single page.
 */
export function renderPagination(
  { number, hasNext, label }: Pagination,
  path: string,
  query: URLSearchParams,
): Html | null {
  if (number === 1 && !hasNext) return null;
  const link = (to: number, name: string): Html => {
    const search = new URLSearchParams(query);
    search.set('page', String(to));
    return html`<a href="${path}?${search.toString()}">${name}</a> `;
  };
  return html`<nav class="pagination" aria-label="Pages">${number > 1 ? link(number - 1, 'Previous') : null}<span>${label}</span> ${hasNext ? link(number + 1, 'Next') : null}</nav>\n`;
}
