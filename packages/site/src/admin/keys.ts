import type { KeyRecord } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { FlashMessage, FormErrors } from '../forms/fields';
import { hasErrors } from '../forms/fields';
import type { Html } from '../html';
import { html, renderTable } from '../html';
import { redirect } from '../page';
import type { LimitFields } from './issue';
import { limitFields, sendIssuedKey } from './issue';
import type { AdminContext, AdminHandler, AdminRoute, AdminRouteOptions } from './layout';
import {
  idPattern,
  operator,
  paginate,
  renderConfirmation,
  renderDetails,
  renderPagination,
  renderTime,
  renderUserText,
  sendAdminNotFound,
  sendAdminPage,
  usageDetails,
} from './layout';

const listPath = '/admin/keys';
const keyPath = (id: string): string => `${listPath}/${id}`;

type KeyHandler = (context: AdminContext, key: KeyRecord) => void | Promise<void>;

/** Wraps a handler: loads the key whose id is in the path, or sends 404 if there is no such key. */
const createWithKey =
  ({ keys }: AdminRouteOptions) =>
  (handler: KeyHandler): AdminHandler =>
  async (context) => {
    let key;
    try {
      key = await keys.show(context.id);
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      sendAdminNotFound(context, error);
      return;
    }
    await handler(context, key);
  };

/** The routes `/admin/keys`, the list with its search, and `/admin/keys/:id`, one key. */
export function createKeyRoutes(options: AdminRouteOptions): AdminRoute[] {
  const withKey = createWithKey(options);
  return [
    {
      pattern: /^\/admin\/keys$/,
      async get(context) {
        const search = (context.query.get('search') ?? '').slice(0, 200);
        const keys = (await options.keys.list()).filter((key) => matchesSearch(key, search)).reverse();
        sendKeyList(context, keys, search);
      },
    },
    {
      pattern: new RegExp(`^/admin/keys/${idPattern}$`),
      get: withKey((context, key) => sendKeyPage(context, key, { flashMessage: flashMessageOf(context, key) })),
    },
  ];
}

function sendKeyList(context: AdminContext, keys: readonly KeyRecord[], search: string): void {
  const page = paginate(keys, context.query);
  const columns = ['Key', 'State', 'Holder', 'Email', 'Requests a day', 'Requests a minute', 'Issued'];
  const list =
    page.items.length === 0
      ? html`<p>${search === '' ? 'There are no keys.' : 'No key contains this text.'}</p>`
      : renderTable('Keys', columns, page.items.map(renderRow));
  sendAdminPage(context, {
    title: 'Keys',
    main: html`<p><a class="button" href="/admin/new-key">Issue a key</a></p>
<form class="search" role="search" method="get" action="${listPath}"><label for="search">Search names, addresses, ids and last characters</label>
<input id="search" name="search" type="search" autocomplete="off" value="${search}"> <button class="plain" type="submit">Search</button></form>
${list}
${renderPagination(page, listPath, context.query)}`,
  });
}

/**
 * Sends the page of one key with its usage, and with links to its actions unless the key is
 * revoked.
 */
async function sendKeyPage(
  context: AdminContext,
  key: KeyRecord,
  { status = 200, flashMessage = null }: { status?: number; flashMessage?: FlashMessage | null } = {},
): Promise<void> {
  const path = keyPath(key.id);
  const actions = html`<p class="form-actions"><a href="${path}/allow">Change its limits</a> <a href="${path}/rotate">Give a new key</a> <a href="${path}/revoke">Revoke</a></p>`;
  const details = [...keyDetails(key), ...usageDetails(await context.keyUsage(key), key)];
  sendAdminPage(context, {
    title: `Key of ${key.name}`,
    status,
    flashMessage,
    main: html`${renderDetails(details)}${key.revokedAt === null ? actions : null}`,
  });
}

/**
 * Returns the message for the query parameter `done`, with which an action redirects to this page.
 * Returns null if the key's state contradicts the message, because anybody can write such a link.
 */
function flashMessageOf(
  { query }: AdminContext,
  { revokedAt, requestsPerDay, requestsPerMinute }: KeyRecord,
): FlashMessage | null {
  const done = query.get('done');
  if (done === 'revoked' && revokedAt !== null)
    return { text: 'Revoked: every gateway rejects the key from now on.', kind: 'success' };
  if (done !== 'allowed' || revokedAt !== null) return null;
  const [perDay, perMinute] = [requestsPerDay, requestsPerMinute].map((limit) => limit ?? 'the default number of');
  return {
    text: `Changed: it has ${perDay} requests a day and ${perMinute} requests a minute from now on.`,
    kind: 'success',
  };
}

const keyDetails = (key: KeyRecord): (readonly [string, Html | string])[] => [
  ['Key', renderAbbreviatedKey(key)],
  ['Id', key.id],
  ['State', renderState(key)],
  ['Holder', renderUserText(key.name)],
  ['Email', renderUserText(key.email)],
  ['Requests a day', formatLimit(key.requestsPerDay)],
  ['Requests a minute', formatLimit(key.requestsPerMinute)],
  ['Documents', key.documents === 'trusted' ? 'trusted documents only' : 'any'],
  ['Issued', renderTime(key.createdAt)],
];

const renderRow = (key: KeyRecord): (Html | string)[] => [
  html`<a href="${keyPath(key.id)}">${renderAbbreviatedKey(key)}</a>`,
  renderState(key),
  renderUserText(key.name),
  renderUserText(key.email),
  formatLimit(key.requestsPerDay),
  formatLimit(key.requestsPerMinute),
  renderTime(key.createdAt),
];

const renderAbbreviatedKey = ({ environment, last4 }: KeyRecord): Html =>
  html`<code>svc_${environment}_...${last4}</code>`;

const renderState = ({ revokedAt, documents }: KeyRecord): Html =>
  revokedAt === null
    ? html`<span class="success">Valid</span>${documents === 'trusted' ? ', trusted documents only' : null}`
    : html`<span class="error">Revoked</span> ${renderTime(revokedAt)}`;

const formatLimit = (limit: number | null): string => (limit === null ? 'default' : String(limit));

/**
 * Returns whether the id, name or address contains the text, or the last four characters equal the
 * text.
 */
const matchesSearch = ({ id, name, email, last4 }: KeyRecord, search: string): boolean =>
  [id, name, email].some((text) => normalize(text).includes(normalize(search))) || last4 === search.trim();

const normalize = (text: string): string => text.trim().normalize('NFC').toLowerCase();

const actionPattern = (action: string): RegExp => new RegExp(`^/admin/keys/${idPattern}/${action}$`);

/**
 * The routes that revoke a key, replace a key and change its limits. A GET shows a form or asks for
 * confirmation, and a POST performs the action.
 */
export function createKeyActionRoutes(options: AdminRouteOptions): AdminRoute[] {
  const { keys } = options;
  const withKey = createWithKey(options);

  /**
   * Runs the handler for an active key. A revoked key cannot change, so its page is sent with
   * status 409.
   */
  const withActiveKey = (handler: KeyHandler): AdminHandler =>
    withKey((context, key) => (key.revokedAt === null ? handler(context, key) : sendAlreadyRevoked(context, key)));

  /**
   * Runs the action.
   * If the store rejects the action, sends the key's page with the reason and status 409.
   */
  const perform = async (context: AdminContext, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      await sendKeyPage(context, await keys.show(context.id), {
        status: 409,
        flashMessage: { text: error.message, kind: 'failure' },
      });
    }
  };

  return [
    {
      pattern: actionPattern('revoke'),
      get: withActiveKey(confirmRevocation),
      post: withKey((context) =>
        perform(context, async () => {
          await keys.revoke(context.id, operator);
          redirect(context.response, `${keyPath(context.id)}?done=revoked`);
        }),
      ),
    },
    {
      pattern: actionPattern('rotate'),
      get: withActiveKey(confirmRotation),
      post: withKey((context) =>
        perform(context, async () => {
          sendIssuedKey(context, await keys.rotate(context.id, operator), 'The key it replaces is revoked.');
        }),
      ),
    },
    {
      pattern: actionPattern('allow'),
      get: withActiveKey((context, key) => sendLimitsForm(context, key, limitFields.of(key), {})),
      post: withActiveKey(async (context, key) => {
        const fields = limitFields.read(context.form);
        const errors = limitFields.validate(fields);
        if (hasErrors(errors)) sendLimitsForm(context, key, fields, errors);
        else
          await perform(context, async () => {
            await keys.setLimits(context.id, limitFields.parse(fields), operator);
            redirect(context.response, `${keyPath(context.id)}?done=allowed`);
          });
      }),
    },
  ];
}

const sendAlreadyRevoked: KeyHandler = (context, key) =>
  sendKeyPage(context, key, {
    status: 409,
    flashMessage: { text: 'This key is revoked already.', kind: 'failure' },
  });

const confirmRevocation: KeyHandler = (context, key) =>
  sendConfirmation(context, key, {
    title: `Revoke the key of ${key.name}?`,
    text: 'Every gateway rejects the key from the next request on. This cannot be undone; its holder may get another key.',
    action: 'revoke',
    label: 'Revoke the key',
  });

const confirmRotation: KeyHandler = (context, key) =>
  sendConfirmation(context, key, {
    title: `Give ${key.name} a new key?`,
    text: 'The new key is shown to you once, so that you can hand it over. The old key is rejected from then on.',
    action: 'rotate',
    label: 'Make a new key',
  });

function sendConfirmation(
  context: AdminContext,
  key: KeyRecord,
  { title, text, action, label }: { title: string; text: string; action: string; label: string },
): void {
  const confirmation = renderConfirmation(context.session, {
    text,
    action: `${keyPath(key.id)}/${action}`,
    label,
    cancelPath: keyPath(key.id),
    isDangerous: true,
  });
  sendAdminPage(context, { title, main: html`${renderDetails(keyDetails(key))}${confirmation}` });
}

function sendLimitsForm(context: AdminContext, key: KeyRecord, fields: LimitFields, errors: FormErrors): void {
  const confirmation = renderConfirmation(context.session, {
    text: 'Takes effect at the next request. The requests that the key has made still count.',
    action: `${keyPath(key.id)}/allow`,
    label: 'Change it',
    cancelPath: keyPath(key.id),
    fields: limitFields.render(fields, errors),
  });
  sendAdminPage(context, {
    title: `How many requests for ${key.name}?`,
    errors,
    status: hasErrors(errors) ? 422 : 200,
    main: html`${renderDetails(keyDetails(key))}${confirmation}`,
  });
}
