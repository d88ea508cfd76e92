import { type KeyRequest, KeyRequestError, maxCharacters, requestStates } from '@lectern/keys';
import { checkText, type FormErrors, type FormField, renderField } from '../forms/form';
import { type Html, html, redirect } from '../page';
import {
  type AdminContext,
  type AdminHandler,
  type AdminRoutes,
  type FlashMessage,
  paginate,
  renderConfirmation,
  renderCsrfField,
  renderDetails,
  renderTime,
  renderUserParagraphs,
  renderUserText,
  sendAdminPage,
} from './layout';

const listPath = '/admin/requests';
const keyRequestPath = (id: string): string => `${listPath}/${id}`;

type KeyRequestHandler = (context: AdminContext, request: KeyRequest) => void | Promise<void>;

/** Throws a KeyRequestError (404) if this environment lacks the request: the email would have the wrong URL. */
const withKeyRequest =
  (handler: KeyRequestHandler): AdminHandler =>
  async (context) => {
    const request = await context.keys.showRequest(context.id);
    if (request.environment !== context.environment)
      throw new KeyRequestError(
        `This is a request for a ${request.environment} key: decide on it in the deployment that issues those keys.`,
      );
    await handler(context, request);
  };

/** The pages of key requests: the list, one request, and the decisions on it. */
export function createKeyRequestRoutes(): AdminRoutes {
  const runExclusively = createKeyedMutex();
  return {
    [listPath]: { get: sendKeyRequestList },
    [keyRequestPath(':id')]: {
      get: withKeyRequest((context, request) => sendKeyRequestPage(context, request, flashMessageOf(context, request))),
    },
    [keyRequestPath(':id/approve')]: {
      get: ({ response, id }) => redirect(response, keyRequestPath(id)),
      post: withKeyRequest(approve),
    },
    [keyRequestPath(':id/reject')]: {
      get: withKeyRequest((context, request) => showRejectionForm(context, request, '', {})),
      post: withKeyRequest(reject),
    },
    [keyRequestPath(':id/resend')]: {
      get: withKeyRequest(showResendForm),
      post: withKeyRequest((context) => runExclusively(context.id, () => resend(context))),
    },
  };
}

/** Calls with the same key run one after another. Between several processes, database transactions keep the order. */
function createKeyedMutex() {
  const tails = new Map<string, Promise<void>>();
  return async (key: string, run: () => Promise<void>): Promise<void> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(run);
    const tail = result.catch(() => undefined);
    tails.set(key, tail);
    try {
      await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

async function sendKeyRequestList(context: AdminContext): Promise<void> {
  const state = requestStates.find((each) => each === context.query.get('state'));
  const all = (await context.keys.requests(state)).filter(({ environment }) => environment === context.environment);
  const pending = all.filter((request) => request.state === 'pending');
  const decided = all
    .filter((request) => request.state !== 'pending')
    .sort((a, b) => (b.decidedAt ?? '').localeCompare(a.decidedAt ?? ''));
  const { items, links } = paginate([...pending, ...decided], listPath, context.query);
  const filters = [undefined, ...requestStates].map(
    (each) =>
      html`<a href="${listPath}${each && `?state=${each}`}"${each === state && html` aria-current="page"`}>${each ? capitalize(each) : 'All'}</a> `,
  );
  const cards = html`<ul class="cards">${items.map((request) => renderCard(context, request))}</ul>`;
  sendAdminPage(context, {
    title: 'Requests for keys',
    main: html`<nav class="state-filters" aria-label="States">${filters}</nav>
${items.length === 0 ? html`<p>There are no requests.</p>` : cards}
${links}`,
  });
}

function sendKeyRequestPage(
  context: AdminContext,
  request: KeyRequest,
  flashMessage: FlashMessage | null,
  status = 200,
): void {
  const { decidedAt, decidedBy, reason, keyId } = request;
  const details = renderDetails([
    ['State', renderState(request, context)],
    ['Name', renderUserText(request.name)],
    ['Email', renderUserText(request.email)],
    ['Environment', request.environment],
    ['Requested', renderTime(request.createdAt)],
    ['Purpose', renderUserParagraphs(request.description)],
    ...(decidedAt === null ? [] : [['Decided', html`${renderTime(decidedAt)} by ${decidedBy}`] as const]),
    ...(reason === null ? [] : [['Reason', renderUserParagraphs(reason)] as const]),
    ...(keyId === null ? [] : [['Key', html`<a href="/admin/keys/${keyId}">${keyId}</a>`] as const]),
    ...(request.state === 'pending' ? [] : [['Mail', renderDelivery(request, context)] as const]),
  ]);
  const main = html`${details}${renderActions(context, request)}`;
  sendAdminPage(context, { title: `Request of ${request.name}`, status, flashMessage, main });
}

const sendFailure = (context: AdminContext, request: KeyRequest, text: string, status = 409): void =>
  sendKeyRequestPage(context, request, { text, kind: 'failure' }, status);

/** Redirects with the message for `done`, shows the form with an invalid field, or sends another rejection with 409. */
async function decide(
  context: AdminContext,
  done: string,
  decision: () => Promise<unknown>,
  showForm?: (errors: FormErrors) => void,
): Promise<void> {
  try {
    await decision();
  } catch (error) {
    if (!(error instanceof KeyRequestError)) throw error;
    if (error.field !== null && showForm) showForm({ [error.field]: error.message });
    else sendFailure(context, await context.keys.showRequest(context.id), error.message);
    return;
  }
  redirect(context.response, `${keyRequestPath(context.id)}?done=${done}`);
}

const approve: KeyRequestHandler = async (context, request) => {
  const allowed = context.form.value('documents') || 'any';
  if (allowed === 'any' || allowed === 'trusted')
    await decide(context, 'approved', () => context.keys.approve(context.id, context.session.operator, allowed));
  else sendFailure(context, request, 'Check the box, or leave it unchecked.', 422);
};

const reject: KeyRequestHandler = async (context, request) => {
  const { operator } = context.session;
  const reason = context.form.multilineValue('reason');
  const showForm = (errors: FormErrors) => showRejectionForm(context, request, reason, errors);
  const error = checkText(reason, { what: 'the reason', maxLength: maxCharacters.reason, multiline: true });
  // For a decided request, `reject` reports the earlier decision.
  if (error !== null && request.state === 'pending') showForm({ reason: error });
  else await decide(context, 'rejected', () => context.keys.reject(context.id, operator, reason), showForm);
};

async function resend(context: AdminContext): Promise<void> {
  const request = await context.keys.showRequest(context.id);
  if (context.form.value('seen') === (await readMailVersion(context, request)))
    await decide(context, 'resent', () => context.keys.resend(context.id, context.session.operator));
  else
    sendFailure(
      context,
      request,
      'Nothing was done: after you opened the confirmation, the mail was sent again already. Its outcome is below.',
    );
}

/** Changes with each email and key of a request, so that a confirmation is valid only for what it showed. */
async function readMailVersion({ keys }: AdminContext, { state, keyId, deliveredAt }: KeyRequest): Promise<string> {
  const last4 = keyId === null ? 'none' : (await keys.show(keyId)).last4;
  return `${state} ${last4} ${deliveredAt ?? 'never'}`;
}

const reasonField: FormField = {
  name: 'reason',
  label: 'Reason',
  kind: 'multiline',
  hint: `The applicant receives this text unchanged. At most ${maxCharacters.reason} characters.`,
};

function showRejectionForm(context: AdminContext, request: KeyRequest, reason: string, errors: FormErrors): void {
  if (request.state !== 'pending') return sendFailure(context, request, `This request is ${request.state} already.`);
  const details = renderDetails([
    ['Email', renderUserText(request.email)],
    ['Purpose', renderUserParagraphs(request.description)],
  ]);
  const form = renderConfirmation(context, {
    text: 'The applicant gets the reason by email. A rejection cannot be undone; the applicant may send another request.',
    path: keyRequestPath(request.id),
    action: 'reject',
    label: 'Reject the request',
    isDangerous: true,
    fields: renderField(reasonField, reason, errors),
  });
  return sendAdminPage(context, {
    title: `Reject the request of ${request.name}?`,
    errors,
    main: html`${details}${form}`,
  });
}

async function showResendForm(context: AdminContext, request: KeyRequest): Promise<void> {
  if (request.state === 'pending')
    return sendFailure(context, request, 'This request is pending: there is no mail to send again.');
  const main = renderConfirmation(context, {
    text:
      request.state === 'approved'
        ? 'The service does not store keys, so this mail brings a new key. The key of the first mail stops working at once.'
        : 'The mail with the reason is sent again.',
    path: keyRequestPath(request.id),
    action: 'resend',
    label: 'Send it again',
    fields: html`<input type="hidden" name="seen" value="${await readMailVersion(context, request)}">`,
  });
  return sendAdminPage(context, { title: `Send the mail to ${request.name} again?`, main });
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

/** Returns how the email about a decision was delivered. `outbox`: somebody has to send it from the outbox folder. */
function deliveryOf({ deliveredAt, deliveryError }: KeyRequest, { mailsToOutbox }: AdminContext) {
  if (deliveredAt === null || deliveryError !== null) return 'failed';
  return mailsToOutbox ? 'outbox' : 'delivered';
}

/** The messages for the values of the query parameter `done`, with a text for each result of `deliveryOf`. */
const flashTexts: Readonly<Record<string, Readonly<Record<ReturnType<typeof deliveryOf>, string>>>> = {
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

const deliveryLabels = { delivered: 'delivered', outbox: 'in the outbox', failed: 'not delivered' };

function renderState(request: KeyRequest, context: AdminContext): Html {
  if (request.state === 'pending') return html`<strong>Pending</strong>`;
  const delivery = deliveryOf(request, context);
  return html`<strong class="${delivery === 'failed' ? 'error' : 'success'}">${capitalize(request.state)}, ${deliveryLabels[delivery]}</strong>`;
}

function renderDelivery({ deliveredAt, deliveryError }: KeyRequest, { mailsToOutbox }: AdminContext): Html {
  if (deliveryError !== null) {
    const earlier = deliveredAt !== null && html` (an earlier mail was delivered, ${renderTime(deliveredAt)})`;
    return html`<span class="error">Not delivered: ${deliveryError}</span>${earlier}`;
  }
  if (deliveredAt === null) return html`Not delivered`;
  return html`${mailsToOutbox ? 'In the outbox since' : 'Delivered'} ${renderTime(deliveredAt)}`;
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const maxExcerptCharacters = 240;

/** Returns the beginning of a text. The text is never cut within a surrogate pair. */
function excerpt(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxExcerptCharacters ? text : `${characters.slice(0, maxExcerptCharacters).join('')}...`;
}
