import type { KeyRecord } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { FieldErrors } from '../forms/form-field';
import { redirect } from '../forms/see-other';
import type { Html } from '../html';
import { html } from '../html';
import {
  renderConfirmation,
  renderDetails,
  renderTable,
  renderTime,
  renderUserText,
  sendAdminPage,
} from './admin-layout';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './admin-route';
import { idPattern, operator } from './admin-route';
import { sendIssuedKey } from './issue-key-page';
import { sendAdminNotFound } from './missing';
import { paginate, renderPagination } from './pagination';
import { quotaField } from './quota-field';

const path = '/admin/keys';
const keyPath = (id: string): string => `${path}/${id}`;

/** The keys that were given out: looking one up, revoking it, giving its holder another. */
export function createKeyRoutes({ keys }: AdminRouteOptions): AdminRoute[] {
  const pathOf = (act: string): RegExp => new RegExp(`^/admin/keys/${idPattern}${act}$`);

  const withKey =
    (show: (visit: AdminContext, key: KeyRecord) => void | Promise<void>) =>
    async (visit: AdminContext): Promise<void> => {
      let key;
      try {
        key = await keys.show(visit.id);
      } catch (error) {
        if (!(error instanceof KeyRequestError)) throw error;
        sendAdminNotFound(visit, error);
        return;
      }
      await show(visit, key);
    };

  /** Nothing can be done to a key that is revoked: its page says so in place of a question. */
  const withGoodKey = (show: (visit: AdminContext, key: KeyRecord) => void | Promise<void>) =>
    withKey((visit, key) =>
      key.revokedAt === null
        ? show(visit, key)
        : sendKey(visit, key, { status: 409, notice: { text: 'This key is revoked already.', kind: 'bad' } }),
    );

  const confirm = (question: (key: KeyRecord) => { title: string; text: string; act: string; label: string }) =>
    withGoodKey((visit, key) => {
      const { title, text, act, label } = question(key);
      sendAdminPage(visit, {
        title,
        main: html`${renderDetails(keyDetails(key))}${renderConfirmation(visit.session, { text, action: `${keyPath(key.id)}/${act}`, label, back: keyPath(key.id), isDangerous: true })}`,
      });
    });

  const act = (does: (visit: AdminContext) => Promise<void>) =>
    withKey(async (visit) => {
      try {
        await does(visit);
      } catch (error) {
        if (!(error instanceof KeyRequestError)) throw error;
        sendKey(visit, await keys.show(visit.id), { status: 409, notice: { text: error.message, kind: 'bad' } });
      }
    });

  return [
    {
      pattern: /^\/admin\/keys$/,
      async get(visit) {
        const search = (visit.query.get('search') ?? '').slice(0, 200);
        const page = paginate((await keys.list()).filter((key) => holds(key, search)).reverse(), visit.query);
        sendAdminPage(visit, {
          title: 'Keys',
          main: html`<p><a class="button" href="/admin/new-key">Issue a key</a></p>
<form class="search" role="search" method="get" action="${path}"><label for="search">Search names, addresses, ids and last characters</label>
<input id="search" name="search" type="search" autocomplete="off" value="${search}"> <button class="plain" type="submit">Search</button></form>
${page.items.length === 0 ? html`<p>There are none${search === '' ? '' : ' that hold this text'}.</p>` : renderTable('Keys', ['Key', 'State', 'Holder', 'Email', 'Requests a day', 'Issued'], page.items.map(rowOf))}
${renderPagination(page, path, visit.query)}`,
        });
      },
    },
    { pattern: pathOf(''), get: withKey((visit, key) => sendKey(visit, key, { notice: noticeOf(visit, key) })) },
    {
      pattern: pathOf('/revoke'),
      get: confirm(({ name }) => ({
        title: `Revoke the key of ${name}?`,
        text: 'It is refused from the next request on, everywhere. This cannot be taken back; its holder may get another key.',
        act: 'revoke',
        label: 'Revoke the key',
      })),
      post: act(async ({ response, id }) => {
        await keys.revoke(id, operator);
        redirect(response, `${keyPath(id)}?done=revoked`);
      }),
    },
    {
      pattern: pathOf('/rotate'),
      get: confirm(({ name }) => ({
        title: `Give ${name} a new key?`,
        text: 'The new key is shown to you once, for you to hand over. The old one is refused from then on.',
        act: 'rotate',
        label: 'Make a new key',
      })),
      post: act(async (visit) =>
        sendIssuedKey(visit, await keys.rotate(visit.id, operator), 'The key it replaces is revoked.'),
      ),
    },
    {
      pattern: pathOf('/allow'),
      get: withGoodKey((visit, key) => sendQuotaForm(visit, key, String(key.requestsPerDay ?? ''), {})),
      post: withGoodKey(async (visit, key) => {
        const asked = visit.form.value('requestsPerDay').trim();
        const fault = quotaField.faultOf(asked);
        if (fault !== null) sendQuotaForm(visit, key, asked, { requestsPerDay: fault });
        else {
          await act(async ({ response, id }) => {
            await keys.setRequestsPerDay(id, quotaField.read(asked), operator);
            redirect(response, `${keyPath(id)}?done=allowed`);
          })(visit);
        }
      }),
    },
  ];
}

/** What the address says was just done, where the key says so too. */
function noticeOf(visit: AdminContext, key: KeyRecord): { text: string; kind: 'good' } | null {
  const done = visit.query.get('done');
  if (done === 'revoked' && key.revokedAt !== null)
    return { text: 'Revoked: it is refused from now on, everywhere.', kind: 'good' };
  return done === 'allowed' && key.revokedAt === null
    ? {
        text: `Changed: it has ${key.requestsPerDay === null ? 'as many requests a day as every key' : `${key.requestsPerDay} requests a day`} from now on.`,
        kind: 'good',
      }
    : null;
}

function sendQuotaForm(visit: AdminContext, key: KeyRecord, asked: string, faults: FieldErrors): void {
  sendAdminPage(visit, {
    title: `How many requests for ${key.name}?`,
    faults,
    status: Object.keys(faults).length > 0 ? 422 : 200,
    main: html`${renderDetails(keyDetails(key))}${renderConfirmation(visit.session, {
      text: 'Holds from the next request on. What the key has used today stays used.',
      action: `${keyPath(key.id)}/allow`,
      label: 'Change it',
      back: keyPath(key.id),
      fields: quotaField.render(asked, faults),
    })}`,
  });
}

function sendKey(
  visit: AdminContext,
  key: KeyRecord,
  { status = 200, notice = null }: { status?: number; notice?: { text: string; kind: 'good' | 'bad' } | null } = {},
): void {
  sendAdminPage(visit, {
    title: `Key of ${key.name}`,
    status,
    notice,
    main: html`${renderDetails(keyDetails(key))}${key.revokedAt === null ? html`<p class="acts"><a href="${keyPath(key.id)}/allow">Change its requests a day</a> <a href="${keyPath(key.id)}/rotate">Give a new key</a> <a href="${keyPath(key.id)}/revoke">Revoke</a></p>` : null}`,
  });
}

export const keyDetails = (key: KeyRecord): (readonly [string, Html | string])[] => [
  ['Key', renderShort(key)],
  ['Id', key.id],
  ['State', renderState(key)],
  ['Holder', renderUserText(key.name)],
  ['Email', renderUserText(key.email)],
  ['Requests a day', quotaOf(key)],
  ['Issued', renderTime(key.createdAt)],
];

const rowOf = (key: KeyRecord): (Html | string)[] => [
  html`<a href="${keyPath(key.id)}">${renderShort(key)}</a>`,
  renderState(key),
  renderUserText(key.name),
  renderUserText(key.email),
  quotaOf(key),
  renderTime(key.createdAt),
];

const renderShort = ({ environment, last4 }: KeyRecord): Html => html`<code>svc_${environment}_...${last4}</code>`;

const renderState = ({ revokedAt }: KeyRecord): Html =>
  revokedAt === null
    ? html`<span class="good">Good</span>`
    : html`<span class="error">Revoked</span> ${renderTime(revokedAt)}`;

const quotaOf = ({ requestsPerDay }: KeyRecord): string =>
  requestsPerDay === null ? 'as every key' : String(requestsPerDay);

const holds = ({ id, name, email, last4 }: KeyRecord, search: string): boolean =>
  [id, name, email].some((text) => folded(text).includes(folded(search))) || last4 === search.trim();

const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();
