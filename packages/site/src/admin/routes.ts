import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyRequestError } from '@lectern/keys';
import { queryOf, type Route } from '@lectern/serving';
import { equalsInConstantTime } from '../forms/cookies';
import { acceptMethod, readForm, sendRejection } from '../forms/form';
import { type Html, html, redirect, renderTable } from '../page';
import { issueRoutes } from './issue-key';
import { createKeyRequestRoutes } from './key-requests';
import { keyRoutes } from './keys';
import {
  type AdminContext,
  type AdminHandler,
  type AdminOptions,
  type AdminRoutes,
  pageSize,
  readPageNumber,
  renderPagination,
  renderTime,
  sendAdminPage,
} from './layout';
import { createSignIn, signInPath, signInUrl } from './sign-in';

const emptyForm = { value: () => '', multilineValue: () => '' };

/** For what `keys` does, without scripts. Every page but the sign-in needs a session, and every POST a CSRF token. */
export function createAdminPages(options: AdminOptions): Route[] {
  if (options.password === '') return [];
  const signIn = createSignIn(options);
  const toRequests: AdminHandler = ({ response }) => redirect(response, '/admin/requests');
  const routes: AdminRoutes = {
    '/admin': { get: toRequests },
    '/admin/': { get: toRequests },
    [signInPath]: { get: ({ response }) => redirect(response, '/admin') },
    '/admin/sign-out': {
      get: ({ response }) => redirect(response, '/admin'),
      post: ({ request, response }) => signIn.signOut(request, response),
    },
    ...createKeyRequestRoutes(),
    ...keyRoutes,
    ...issueRoutes,
    ...auditRoutes,
  };

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = acceptMethod(request, response, 'GET, HEAD, POST');
    if (!method) return;
    if (method === 'POST' && path === signInPath) return signIn.submit(request, response);
    const session = await signIn.findSession(request);
    const query = queryOf(request.url ?? '');
    if (!session && path === signInPath) return signIn.show(request, response, { to: query.get('to') ?? '' });
    if (!session) return redirect(response, signInUrl(method === 'GET' ? (request.url ?? '') : path));
    const [id = ''] = /[0-9a-f-]{36}/.exec(path) ?? [];
    const route = routes[id === '' ? path : path.replace(id, ':id')];
    if (!route) return sendRejection(response, 'notFound');
    const context = { ...options, request, response, session, query, id, form: emptyForm };
    if (method === 'GET') return run(route.get, context);
    if (!route.post) return sendRejection(response, 'methodNotAllowed', { allow: 'GET, HEAD' });
    const form = await readForm(request, response);
    if (!form) return;
    if (!equalsInConstantTime(form.value('csrf'), session.csrf)) return sendRejection(response, 'invalidCsrfToken');
    return run(route.post, { ...context, form });
  }

  return [
    { path: '/admin', handle },
    { path: '/admin/', handle },
  ];
}

async function run(handler: AdminHandler, context: AdminContext): Promise<void> {
  try {
    await handler(context);
  } catch (error) {
    if (!(error instanceof KeyRequestError)) throw error;
    sendAdminPage(context, { title: 'Not found', status: 404, main: html`<p>${error.message}</p>` });
  }
}

const auditPath = '/admin/audit';
const auditColumns = ['When', 'Who', 'What', 'Key', 'Request', 'Note'];

/** The maximum number of pages of the audit log: the latest 200 x 50 entries. The store keeps all entries. */
const maxAuditPages = 200;

const auditRoutes: AdminRoutes = {
  [auditPath]: {
    async get(context) {
      const number = Math.min(readPageNumber(context.query), maxAuditPages);
      // Reads one entry more than needed, which shows whether there is a next page.
      const entries = await context.keys.audit(number * pageSize + 1);
      const rows = entries
        .slice((number - 1) * pageSize, number * pageSize)
        .map(({ at, by, act, keyId, requestId, note }) => [
          renderTime(at),
          by,
          act,
          renderIdLink('/admin/keys', keyId),
          renderIdLink('/admin/requests', requestId),
          html`<span class="user-text" dir="auto">${note}</span>`,
        ]);
      const table =
        rows.length === 0 ? html`<p>There are no entries.</p>` : renderTable('Audit log', auditColumns, rows);
      const hasNext = entries.length > number * pageSize && number < maxAuditPages;
      const links = renderPagination(auditPath, context.query, { number, hasNext, label: `Page ${number}` });
      sendAdminPage(context, { title: 'Audit log', main: html`${table}${links}` });
    },
  },
};

const renderIdLink = (list: string, id: string | null): Html | string =>
  id === null ? '' : html`<a href="${list}/${id}">${id.slice(0, 8)}</a>`;
