import { type KeyRecord, KeyRequestError } from '@lectern/keys';
import { type FormErrors, hasErrors, renderField } from '../forms/form';
import { type Html, html, redirect, renderTable } from '../page';
import { type LimitFields, limitFields, sendIssuedKey } from './issue-key';
import {
  type AdminContext,
  type AdminHandler,
  type AdminRoutes,
  type Detail,
  type FlashMessage,
  paginate,
  renderConfirmation,
  renderDetails,
  renderTime,
  renderUserText,
  sendAdminPage,
} from './layout';

const listPath = '/admin/keys';
const keyPath = (id: string): string => `${listPath}/${id}`;

type KeyHandler = (context: AdminContext, key: KeyRecord) => void | Promise<void>;

/** Creates a handler that loads the key of the path. It sends 404 if there is no such key. */
const withKey =
  (handler: KeyHandler): AdminHandler =>
  async (context) =>
    handler(context, await context.keys.show(context.id));

/** Like `withKey`, but sends the page of a revoked or expired key with status 409: it cannot be changed. */
const withActiveKey = (handler: KeyHandler): AdminHandler =>
  withKey((context, key) =>
    context.keys.stateOf(key) === 'active'
      ? handler(context, key)
      : sendConflict(context, key, `This key is ${context.keys.stateOf(key)} already.`),
  );

/** The list of keys with its search, one key, and the actions on it: GET shows a form, and POST acts. */
export const keyRoutes: AdminRoutes = {
  [listPath]: {
    async get(context) {
      const search = (context.query.get('search') ?? '').slice(0, 200);
      const keys = (await context.keys.list()).filter((key) => matchesSearch(key, search)).reverse();
      sendKeyList(context, keys, search);
    },
  },
  [keyPath(':id')]: { get: withKey((context, key) => sendKeyPage(context, key, flashMessageOf(context, key))) },
  [keyPath(':id/revoke')]: {
    get: withActiveKey((context, key) =>
      sendConfirmation(context, key, {
        title: `Revoke the key of ${key.name}?`,
        text: 'Every gateway rejects the key from the next request on. This cannot be undone; its holder may get another key.',
        action: 'revoke',
        label: 'Revoke the key',
      }),
    ),
    post: withKey((context) =>
      perform(context, async () => {
        await context.keys.revoke(context.id, context.session.operator);
        redirect(context.response, `${keyPath(context.id)}?done=revoked`);
      }),
    ),
  },
  [keyPath(':id/rotate')]: {
    get: withActiveKey((context, key) =>
      sendConfirmation(context, key, {
        title: `Give ${key.name} a new key?`,
        text: 'The new key is shown to you once, so that you can hand it over. Its id, limits and counts stay.',
        action: 'rotate',
        label: 'Make a new key',
        fields: html`<input type="hidden" name="seen" value="${key.last4}">${renderField(overlapField, '', {})}`,
      }),
    ),
    post: withKey((context) =>
      perform(context, async () => {
        const change = { overlap: context.form.value('overlap'), seen: context.form.value('seen') };
        const issued = await context.keys.rotate(context.id, context.session.operator, change);
        const end = issued.key.oldUntil ? `works until ${issued.key.oldUntil}` : 'is rejected now';
        sendIssuedKey(context, issued, ` The key it replaces ${end}.`);
      }),
    ),
  },
  [keyPath(':id/allow')]: {
    get: withActiveKey((context, key) => sendLimitsForm(context, key, limitFields.of(key), {})),
    post: withActiveKey(async (context, key) => {
      const fields = limitFields.read(context.form);
      const errors = limitFields.validate(fields);
      if (hasErrors(errors)) return sendLimitsForm(context, key, fields, errors);
      return perform(context, async () => {
        await context.keys.setLimits(context.id, limitFields.parse(fields), context.session.operator);
        redirect(context.response, `${keyPath(context.id)}?done=allowed`);
      });
    }),
  },
  [keyPath(':id/grant')]: {
    get: withActiveKey(sendGrantsForm),
    post: withActiveKey((context) =>
      perform(context, async () => {
        const translations = context.form
          .value('translations')
          .split(/[\s,]+/)
          .filter(Boolean);
        await context.keys.setGrants(context.id, () => translations, context.session.operator);
        redirect(context.response, `${keyPath(context.id)}?done=granted`);
      }),
    ),
  },
};

/** Runs the action. If the store rejects it, sends the key's page with the reason. */
async function perform(context: AdminContext, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof KeyRequestError)) throw error;
    await sendConflict(context, await context.keys.show(context.id), error.message);
  }
}

function sendKeyList(context: AdminContext, keys: readonly KeyRecord[], search: string): void {
  const { items, links } = paginate(keys, listPath, context.query);
  const columns = ['Key', 'State', 'Holder', 'Email', 'Requests a day', 'Requests a minute', 'Issued'];
  const rows = items.map((key) => [
    html`<a href="${keyPath(key.id)}">${renderAbbreviatedKey(key)}</a>`,
    renderState(context, key),
    renderUserText(key.name),
    renderUserText(key.email),
    formatLimit(key.requestsPerDay),
    formatLimit(key.requestsPerMinute),
    renderTime(key.createdAt),
  ]);
  const empty = search === '' ? 'There are no keys.' : 'No key contains this text.';
  sendAdminPage(context, {
    title: 'Keys',
    main: html`<p><a class="button" href="/admin/new-key">Issue a key</a></p>
<form class="search" role="search" method="get" action="${listPath}"><label for="search">Search names, addresses, ids and last characters</label>
<input id="search" name="search" type="search" autocomplete="off" value="${search}"> <button class="plain" type="submit">Search</button></form>
${rows.length === 0 ? html`<p>${empty}</p>` : renderTable('Keys', columns, rows)}
${links}`,
  });
}

async function sendKeyPage(
  context: AdminContext,
  key: KeyRecord,
  flashMessage: FlashMessage | null,
  status = 200,
): Promise<void> {
  const path = keyPath(key.id);
  const actions = html`<p class="form-actions"><a href="${path}/allow">Change its limits</a> <a href="${path}/grant">Change what it may read</a> <a href="${path}/rotate">Give a new key</a> <a href="${path}/revoke">Revoke</a></p>`;
  const details = renderDetails([...keyDetails(context, key), ...(await usageDetails(context, key))]);
  const main = html`${details}${context.keys.stateOf(key) === 'active' && actions}`;
  sendAdminPage(context, { title: `Key of ${key.name}`, status, flashMessage, main });
}

const sendConflict = (context: AdminContext, key: KeyRecord, text: string): Promise<void> =>
  sendKeyPage(context, key, { text, kind: 'failure' }, 409);

/** The message for `done` in the URL. Null if the state of the key contradicts it: anybody can write such a link. */
function flashMessageOf({ query }: AdminContext, key: KeyRecord): FlashMessage | null {
  const done = query.get('done');
  if (done === 'revoked' && key.revokedAt !== null)
    return { text: 'Revoked: every gateway rejects the key from now on.', kind: 'success' };
  if (done === 'granted' && key.revokedAt === null)
    return { text: `Changed: of restricted translations, it may read ${key.grants || 'none'}.`, kind: 'success' };
  if (done !== 'allowed' || key.revokedAt !== null) return null;
  const [perDay, perMinute] = [key.requestsPerDay, key.requestsPerMinute].map(
    (limit) => limit ?? 'the default number of',
  );
  return {
    text: `Changed: it has ${perDay} requests a day and ${perMinute} requests a minute from now on.`,
    kind: 'success',
  };
}

const keyDetails = (context: AdminContext, key: KeyRecord): Detail[] => [
  ['Key', renderAbbreviatedKey(key)],
  ['Id', key.id],
  ['State', renderState(context, key)],
  ...(key.oldUntil === null
    ? []
    : [['Earlier key', html`...${key.oldLast4}, valid until ${renderTime(key.oldUntil)}`] as const]),
  ['Holder', renderUserText(key.name)],
  ['Email', renderUserText(key.email)],
  ['Requests a day', formatLimit(key.requestsPerDay)],
  ['Requests a minute', formatLimit(key.requestsPerMinute)],
  ['Addresses with their own', key.addresses ?? 'none'],
  ['Documents', key.documents === 'trusted' ? 'trusted documents only' : 'any'],
  ['Restricted translations', key.grants || 'none'],
  ['Issued', renderTime(key.createdAt)],
  ['Expires', key.expiresAt === null ? 'never' : renderTime(key.expiresAt)],
];

async function usageDetails({ keyUsage }: AdminContext, key: KeyRecord): Promise<Detail[]> {
  const usage = await keyUsage(key);
  if (!usage)
    return [
      ['Today (UTC)', `not known here: see the page of the key on a gateway of the ${key.environment} environment`],
    ];
  const { requests, embeddingCalls, isOfOneGateway } = usage;
  const note: Detail = ['Note', 'Redis is unavailable: these are the counts of one gateway.'];
  return [
    [
      'Requests today (UTC)',
      requests ? `${requests.count} of ${requests.max}` : 'not counted, because the key has no quota',
    ],
    ['Embedding calls today (UTC)', String(embeddingCalls)],
    ...(isOfOneGateway ? [note] : []),
  ];
}

const renderAbbreviatedKey = ({ environment, last4 }: KeyRecord): Html =>
  html`<code>svc_${environment}_...${last4}</code>`;

const renderKey = (context: AdminContext, key: KeyRecord): Html => renderDetails(keyDetails(context, key));

const renderState = ({ keys }: AdminContext, key: KeyRecord): Html =>
  keys.stateOf(key) === 'active'
    ? html`<span class="success">Valid</span>${key.documents === 'trusted' && ', trusted documents only'}`
    : html`<span class="error">${keys.stateOf(key) === 'expired' ? 'Expired' : 'Revoked'}</span> ${renderTime(key.revokedAt ?? key.expiresAt ?? '')}`;

const overlapField = {
  name: 'overlap',
  label: 'How long the old key works too',
  kind: 'text',
  isOptional: true,
  hint: 'Such as 7d, 12h, 45m, or a date. Leave empty to reject the old key now.',
} as const;

const formatLimit = (limit: number | null): string => String(limit ?? 'default');

/** The id, name or email address contains the text, or the last four characters are the text. */
const matchesSearch = ({ id, name, email, last4 }: KeyRecord, search: string): boolean =>
  [id, name, email].some((text) => normalize(text).includes(normalize(search))) || last4 === search.trim();

const normalize = (text: string): string => text.trim().normalize('NFC').toLowerCase();

function sendConfirmation(
  context: AdminContext,
  key: KeyRecord,
  { title, ...confirmation }: { title: string; text: string; action: string; label: string; fields?: Html },
): void {
  const form = renderConfirmation(context, { ...confirmation, path: keyPath(key.id), isDangerous: true });
  sendAdminPage(context, { title, main: html`${renderKey(context, key)}${form}` });
}

function sendLimitsForm(context: AdminContext, key: KeyRecord, fields: LimitFields, errors: FormErrors): void {
  const form = renderConfirmation(context, {
    text: 'Takes effect at the next request. The requests that the key has made still count.',
    path: keyPath(key.id),
    action: 'allow',
    label: 'Change it',
    fields: limitFields.render(fields, errors),
  });
  const title = `How many requests for ${key.name}?`;
  sendAdminPage(context, { title, errors, main: html`${renderKey(context, key)}${form}` });
}

function sendGrantsForm(context: AdminContext, key: KeyRecord): void {
  const hint = 'Identifiers, separated by blanks. `npm run corpus -- list` lists them.';
  const field = {
    name: 'translations',
    label: 'Restricted translations',
    kind: 'text',
    isOptional: true,
    hint,
  } as const;
  const form = renderConfirmation(context, {
    text: 'Takes effect at the next request. Every key may read the translations that are not restricted.',
    path: keyPath(key.id),
    action: 'grant',
    label: 'Change it',
    fields: renderField(field, key.grants, {}),
  });
  sendAdminPage(context, { title: `What may ${key.name} read?`, main: html`${renderKey(context, key)}${form}` });
}
