import type { KeyRecord } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { FlashMessage } from '../forms/form-fields-and-messages';
import type { Html } from '../html';
import { html } from '../html';
import { renderTable } from '../render-table';
import { renderDetails, renderTime, renderUserText, sendAdminNotFound, sendAdminPage } from './admin-layout';
import type { AdminContext, AdminHandler, AdminRoute, AdminRouteOptions } from './admin-route-types';
import { idPattern } from './admin-route-types';
import { paginate, renderPagination } from './pagination';
import { usageDetails } from './render-key-usage';

const listPath = '/admin/keys';
export const keyPath = (id: string): string => `${listPath}/${id}`;

export type KeyHandler = (context: AdminContext, key: KeyRecord) => void | Promise<void>;

/** Wraps a handler: loads the key whose id is in the path, or sends 404 if there is no such key. */
export const createWithKey =
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
export async function sendKeyPage(
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

export const keyDetails = (key: KeyRecord): (readonly [string, Html | string])[] => [
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
