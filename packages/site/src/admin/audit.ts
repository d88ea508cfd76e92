import { type Html, html, renderTable } from '../html';
import { type AdminRoutes, pageSize, readPageNumber, renderPagination, renderTime, sendAdminPage } from './layout';

const path = '/admin/audit';
const columns = ['When', 'Who', 'What', 'Key', 'Request', 'Note'];

/** The pages show the latest 200 x 50 entries, and the store keeps all entries. */
const maxPages = 200;

/** The route `/admin/audit`: who did what, newest first. */
export const auditRoutes: AdminRoutes = {
  [path]: {
    async get(context) {
      const number = Math.min(readPageNumber(context.query), maxPages);
      // One entry more than up to this page shows that a next page exists.
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
      const table = rows.length === 0 ? html`<p>There are no entries.</p>` : renderTable('Audit log', columns, rows);
      const hasNext = entries.length > number * pageSize && number < maxPages;
      const links = renderPagination(path, context.query, { number, hasNext, label: `Page ${number}` });
      sendAdminPage(context, { title: 'Audit log', main: html`${table}${links}` });
    },
  },
};

const renderIdLink = (list: string, id: string | null): Html | string =>
  id === null ? '' : html`<a href="${list}/${id}">${id.slice(0, 8)}</a>`;
