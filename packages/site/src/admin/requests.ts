import type { KeyRequest, RequestState } from '@lectern/keys';
import { KeyRequestError, requestStates } from '@lectern/keys';
import type { FlashMessage } from '../forms/fields';
import type { Html } from '../html';
import { html } from '../html';
import type { AdminContext, AdminHandler, AdminRoute, AdminRouteOptions } from './layout';
import {
  idPattern,
  paginate,
  renderCsrfField,
  renderDetails,
  renderPagination,
  renderTime,
  renderUserParagraphs,
  renderUserText,
  sendAdminNotFound,
  sendAdminPage,
} from './layout';

const listPath = '/admin/requests';
export const keyRequestPath = (id: string): string => `${listPath}/${id}`;

export type KeyRequestHandler = (context: AdminContext, request: KeyRequest) => void | Promise<void>;

/**
 * Wraps a handler: loads the key request whose id is in the path, or sends 404 if there is no such
 * request. Requests for the other environment get 404 too: the mail about a decision names the
 * address of this deployment, where a key of the other environment is not valid.
 */
export const createWithKeyRequest =
  ({ keys, environment }: AdminRouteOptions) =>
  (handler: KeyRequestHandler): AdminHandler =>
  async (context) => {
    let request;
    try {
      request = await keys.showRequest(context.id);
      if (request.environment !== environment)
        throw new KeyRequestError(
          `This is a request for a ${request.environment} key: decide on it in the deployment that issues those keys.`,
        );
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      sendAdminNotFound(context, error);
      return;
    }
    await handler(context, request);
  };

/**
 * Creates the routes `/admin/requests` (the list of key requests) and `/admin/requests/:id` (one
 * key request).
 */
export function createKeyRequestReviewRoutes(options: AdminRouteOptions): AdminRoute[] {
  const { keys, environment } = options;
  const withKeyRequest = createWithKeyRequest(options);
  return [
    {
      pattern: /^\/admin\/requests$/,
      async get(context) {
        const state = requestStates.find((each) => each === context.query.get('state')) ?? null;
        const requests = await keys.requests(state ?? undefined);
        sendKeyRequestList(
          context,
          state,
          sortForReview(requests.filter((request) => request.environment === environment)),
        );
      },
    },
    {
      pattern: new RegExp(`^/admin/requests/${idPattern}$`),
      get: withKeyRequest((context, request) =>
        sendKeyRequestPage(context, request, { flashMessage: flashMessageOf(context, request) }),
      ),
    },
  ];
}

function sendKeyRequestList(context: AdminContext, state: RequestState | null, requests: readonly KeyRequest[]): void {
  const page = paginate(requests, context.query);
  const filters = [null, ...requestStates].map(
    (each) =>
      html`<a href="${listPath}${each === null ? '' : `?state=${each}`}"${each === state ? html` aria-current="page"` : null}>${each === null ? 'All' : capitalize(each)}</a> `,
  );
  const list =
    page.items.length === 0
      ? html`<p>There are no requests.</p>`
      : html`<ul class="cards">${page.items.map((request) => renderCard(context, request))}</ul>`;
  sendAdminPage(context, {
    title: 'Requests for keys',
    main: html`<nav class="state-filters" aria-label="States">${filters}</nav>
${list}
${renderPagination(page, listPath, context.query)}`,
  });
}

/** Sends the page of one key request, with the actions that its state allows. */
export function sendKeyRequestPage(
  context: AdminContext,
  request: KeyRequest,
  { status = 200, flashMessage = null }: { status?: number; flashMessage?: FlashMessage | null } = {},
): void {
  const { decidedAt, decidedBy, reason, keyId } = request;
  const details = renderDetails([
    ['State', renderState(request, context)],
    ['Name', renderUserText(request.name)],
    ['Email', renderUserText(request.email)],
    ['Environment', request.environment],
    ['Requested', renderTime(request.createdAt)],
    ['Purpose', renderUserParagraphs(request.description)],
    decidedAt === null ? null : ['Decided', html`${renderTime(decidedAt)} by ${decidedBy ?? ''}`],
    reason === null ? null : ['Reason', renderUserParagraphs(reason)],
    keyId === null ? null : ['Key', html`<a href="/admin/keys/${keyId}">${keyId}</a>`],
    request.state === 'pending' ? null : ['Mail', renderDelivery(request, context)],
  ]);
  sendAdminPage(context, {
    title: `Request of ${request.name}`,
    status,
    flashMessage,
    main: html`${details}${renderActions(context, request)}`,
  });
}

/** Sorts pending requests first, oldest first, then decided requests, latest decision first. */
function sortForReview(requests: readonly KeyRequest[]): KeyRequest[] {
  const pending = requests.filter(({ state }) => state === 'pending');
  const decided = requests
    .filter(({ state }) => state !== 'pending')
    .sort((a, b) => (b.decidedAt ?? '').localeCompare(a.decidedAt ?? ''));
  return [...pending, ...decided];
}

const renderCard = (context: AdminContext, request: KeyRequest): Html => html`<li>
<h2><a href="${keyRequestPath(request.id)}">${renderUserText(request.name)}</a></h2>
<p>${renderUserText(request.email)}, ${request.environment}, ${renderTime(request.createdAt)}</p>
<p class="user-text" dir="auto">${excerpt(request.description)}</p>
<p>${renderState(request, context)}</p>
${renderActions(context, request)}</li>\n`;

function renderActions({ session }: AdminContext, { id, state, name }: KeyRequest): Html {
  const path = keyRequestPath(id);
  if (state !== 'pending')
    return html`<p class="form-actions"><a href="${path}/resend" aria-label="Send the mail again to ${name}">Send the mail again</a></p>\n`;
  return html`<form class="form-actions" method="post" action="${path}/approve">${renderCsrfField(session)}
<label><input type="checkbox" name="documents" value="trusted" aria-label="Trusted documents only for ${name}"> Trusted documents only</label>
<button type="submit" aria-label="Approve the request of ${name}">Approve</button> <a href="${path}/reject" aria-label="Reject the request of ${name}">Reject</a></form>\n`;
}

/**
 * The delivery of the mail about a decision. `outbox` means that somebody has to send the mail by
 * hand.
 */
type MailDelivery = 'delivered' | 'outbox' | 'failed';

function deliveryOf({ deliveredAt, deliveryError }: KeyRequest, { mailsToOutbox }: AdminContext): MailDelivery {
  if (deliveredAt === null || deliveryError !== null) return 'failed';
  return mailsToOutbox ? 'outbox' : 'delivered';
}

/** The text for each value of the query parameter `done`, by how the mail was delivered. */
const flashTexts: Readonly<Record<string, Readonly<Record<MailDelivery, string>>>> = {
  approved: {
    delivered: 'Approved: the key was issued and mailed.',
    outbox: 'Approved: the key was issued, and its mail is in the outbox, for you to send.',
    failed: 'Approved: the key was issued, but its mail was not delivered.',
  },
  rejected: {
    delivered: 'Rejected: the applicant gets the reason by email.',
    outbox: 'Rejected: the mail is in the outbox, for you to send.',
    failed: 'Rejected: the mail was not delivered.',
  },
  resent: {
    delivered: 'The mail was sent again.',
    outbox: 'Another mail is in the outbox, for you to send.',
    failed: 'The mail was not delivered this time either.',
  },
};

function flashMessageOf(context: AdminContext, request: KeyRequest): FlashMessage | null {
  const delivery = deliveryOf(request, context);
  const text = flashTexts[context.query.get('done') ?? '']?.[delivery];
  return text === undefined ? null : { text, kind: delivery === 'failed' ? 'failure' : 'success' };
}

const deliveryLabels: Readonly<Record<MailDelivery, string>> = {
  delivered: 'delivered',
  outbox: 'in the outbox',
  failed: 'not delivered',
};

function renderState(request: KeyRequest, context: AdminContext): Html {
  if (request.state === 'pending') return html`<strong>Pending</strong>`;
  const delivery = deliveryOf(request, context);
  return html`<strong class="${delivery === 'failed' ? 'error' : 'success'}">${capitalize(request.state)}, ${deliveryLabels[delivery]}</strong>`;
}

function renderDelivery({ deliveredAt, deliveryError }: KeyRequest, { mailsToOutbox }: AdminContext): Html {
  if (deliveryError !== null) {
    const earlier = deliveredAt === null ? null : html` (an earlier mail was delivered, ${renderTime(deliveredAt)})`;
    return html`<span class="error">Not delivered: ${deliveryError}</span>${earlier}`;
  }
  if (deliveredAt === null) return html`Not delivered`;
  return html`${mailsToOutbox ? 'In the outbox since' : 'Delivered'} ${renderTime(deliveredAt)}`;
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const maxExcerptCharacters = 240;

/** Returns the start of a text. The cut is between code points, never within a surrogate pair. */
function excerpt(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxExcerptCharacters ? text : `${characters.slice(0, maxExcerptCharacters).join('')}...`;
}
