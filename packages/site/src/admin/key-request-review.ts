import type { KeyRequest } from '@lectern/keys';
import { requestStates } from '@lectern/keys';
import type { Html } from '../html';
import { html } from '../html';
import { renderCsrfField, renderDetails, renderTime, renderUserText, sendAdminPage } from './admin-layout';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './admin-route';
import { idPattern } from './admin-route';
import { createWithKeyRequest } from './key-request-of-path';
import { paginate, renderPagination } from './pagination';

const path = '/admin/requests';
export const keyRequestPath = (id: string): string => `${path}/${id}`;

/** What the address says was just done; what came of the mail stands in the request itself. */
const notices: Readonly<Record<string, (request: KeyRequest, visit: AdminContext) => string>> = {
  approved: (request, visit) =>
    `Approved: the key is made, and ${byDelivery(request, visit, { mailed: 'mailed', inOutbox: `its ${inOutbox}`, not: 'its mail did not go out' })}.`,
  rejected: (request, visit) =>
    `Rejected, and ${byDelivery(request, visit, { mailed: 'told by email', inOutbox: `the ${inOutbox}`, not: 'the mail did not go out' })}.`,
  resent: (request, visit) =>
    byDelivery(request, visit, {
      mailed: 'The mail went out again.',
      inOutbox: `Another ${inOutbox}.`,
      not: 'The mail did not go out this time either.',
    }),
};

/** The words for what became of the mail. */
function byDelivery(
  request: KeyRequest,
  { mailsToOutbox }: AdminContext,
  words: Readonly<Record<'mailed' | 'inOutbox' | 'not', string>>,
): string {
  if (!isDelivered(request)) return words.not;
  return mailsToOutbox ? words.inOutbox : words.mailed;
}

/** Where no SMTP_URL is set. */
const inOutbox = 'mail lies in the outbox, for you to send on';

/** The requests for keys, those that wait first, and each by itself. */
export function createKeyRequestReviewRoutes(parts: AdminRouteOptions): AdminRoute[] {
  const { keys, environment } = parts;
  const withRequest = createWithKeyRequest(parts);
  return [
    {
      pattern: /^\/admin\/requests$/,
      async get(visit) {
        const asked = requestStates.find((state) => state === visit.query.get('state'));
        const page = paginate(
          inOrderOfWork((await keys.requests(asked)).filter((request) => request.environment === environment)),
          visit.query,
        );
        const states = [['', 'All'], ...requestStates.map((state) => [state, capital(state)] as const)] as const;
        sendAdminPage(visit, {
          title: 'Requests for keys',
          main: html`<nav class="states" aria-label="States">${states.map(([state, name]) => html`<a href="${path}${state === '' ? '' : `?state=${state}`}"${state === (asked ?? '') ? html` aria-current="page"` : null}>${name}</a> `)}</nav>
${page.items.length === 0 ? html`<p>There are none.</p>` : html`<ul class="cards">${page.items.map((request) => renderCard(visit, request))}</ul>`}
${renderPagination(page, path, visit.query)}`,
        });
      },
    },
    {
      pattern: new RegExp(`^/admin/requests/${idPattern}$`),
      get: withRequest((visit, request) => {
        const text = notices[visit.query.get('done') ?? '']?.(request, visit);
        sendKeyRequestPage(
          visit,
          request,
          text === undefined ? {} : { notice: { text, kind: isDelivered(request) ? 'good' : 'bad' } },
        );
      }),
    },
  ];
}

/** One request, and what can be done with it now. */
export function sendKeyRequestPage(
  visit: AdminContext,
  request: KeyRequest,
  { status, notice = null }: { status?: number; notice?: { text: string; kind: 'good' | 'bad' } | null } = {},
): void {
  sendAdminPage(visit, {
    title: `Request of ${request.name}`,
    ...(status === undefined ? {} : { status }),
    notice,
    main: html`${renderDetails([
      ['State', renderState(request, visit)],
      ['Name', renderUserText(request.name)],
      ['Email', renderUserText(request.email)],
      ['Environment', request.environment],
      ['Asked', renderTime(request.createdAt)],
      ['What for', html`<div class="foreign" dir="auto">${request.description}</div>`],
      request.decidedAt === null
        ? null
        : ['Decided', html`${renderTime(request.decidedAt)} by ${request.decidedBy ?? ''}`],
      request.reason === null ? null : ['Reason', html`<div class="foreign" dir="auto">${request.reason}</div>`],
      request.keyId === null ? null : ['Key', html`<a href="/admin/keys/${request.keyId}">${request.keyId}</a>`],
      request.state === 'pending' ? null : ['Mail', renderDelivery(request, visit)],
    ])}${renderActs(visit, request)}`,
  });
}

/** Those that wait, longest first, then what was decided, latest first. */
function inOrderOfWork(requests: readonly KeyRequest[]): KeyRequest[] {
  const pending = requests.filter(({ state }) => state === 'pending');
  const decided = requests
    .filter(({ state }) => state !== 'pending')
    .sort((a, b) => (b.decidedAt ?? '').localeCompare(a.decidedAt ?? ''));
  return [...pending, ...decided];
}

const renderCard = (visit: AdminContext, request: KeyRequest): Html => html`<li>
<h2><a href="${keyRequestPath(request.id)}">${renderUserText(request.name)}</a></h2>
<p>${renderUserText(request.email)}, ${request.environment}, ${renderTime(request.createdAt)}</p>
<p class="foreign" dir="auto">${shortened(request.description)}</p>
<p>${renderState(request, visit)}</p>
${renderActs(visit, request)}</li>\n`;

function renderActs({ session }: AdminContext, { id, state, name }: KeyRequest): Html {
  if (state !== 'pending')
    return html`<p class="acts"><a href="${keyRequestPath(id)}/resend" aria-label="Send the mail again to ${name}">Send the mail again</a></p>\n`;
  return html`<form class="acts" method="post" action="${keyRequestPath(id)}/approve">${renderCsrfField(session)}
<button type="submit" aria-label="Approve the request of ${name}">Approve</button> <a href="${keyRequestPath(id)}/reject" aria-label="Reject the request of ${name}">Reject</a></form>\n`;
}

const isDelivered = ({ deliveredAt, deliveryError }: KeyRequest): boolean =>
  deliveredAt !== null && deliveryError === null;

function renderState(request: KeyRequest, visit: AdminContext): Html {
  if (request.state === 'pending') return html`<strong>Pending</strong>`;
  const delivery = byDelivery(request, visit, { mailed: 'delivered', inOutbox: 'in the outbox', not: 'not delivered' });
  return html`<strong class="${isDelivered(request) ? 'good' : 'error'}">${capital(request.state)}, ${delivery}</strong>`;
}

function renderDelivery({ deliveredAt, deliveryError }: KeyRequest, { mailsToOutbox }: AdminContext): Html {
  if (deliveryError === null)
    return deliveredAt === null
      ? html`Not delivered`
      : html`${mailsToOutbox ? 'In the outbox since' : 'Delivered'} ${renderTime(deliveredAt)}`;
  return html`<span class="error">Not delivered: ${deliveryError}</span>${deliveredAt === null ? null : html` (an earlier one was, ${renderTime(deliveredAt)})`}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const mostShown = 240;

/** The end is cut off between characters, never within one. */
function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= mostShown ? text : `${characters.slice(0, mostShown).join('')}...`;
}
