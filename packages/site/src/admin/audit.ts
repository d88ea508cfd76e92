import type { AuditEntry } from '@lectern/keys';
import type { Html } from '../html';
import { html, renderTable } from '../html';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './layout';
import { pageSize, readPageNumber, renderPagination, renderTime, sendAdminPage } from './layout';

/**
 * The maximum number of pages. The pages show the latest 200 x 50 entries, and the store keeps all
 * entries.
 */
const maxPages = 200;

/** The route `/admin/audit`: who did what, newest first. */
export const createAuditLogRoutes = ({ keys }: AdminRouteOptions): AdminRoute[] => [
  {
    pattern: /^\/admin\/audit$/,
    async get(context) {
      const number = Math.min(readPageNumber(context.query), maxPages);
      // Reads the entries of this page and of all earlier pages, and one more, which shows that
      // there is a next page.
      const entries = await keys.audit(number * pageSize + 1);
      const hasNext = entries.length > number * pageSize && number < maxPages;
      sendAuditLogPage(context, entries.slice((number - 1) * pageSize, number * pageSize), { number, hasNext });
    },
  },
];

function sendAuditLogPage(
  context: AdminContext,
  entries: readonly AuditEntry[],
  { number, hasNext }: { number: number; hasNext: boolean },
): void {
  const table =
    entries.length === 0
      ? html`<p>There are no entries.</p>`
      : renderTable('Audit log', ['When', 'Who', 'What', 'Key', 'Request', 'Note'], entries.map(renderRow));
  const pagination = renderPagination({ number, hasNext, label: `Page ${number}` }, '/admin/audit', context.query);
  sendAdminPage(context, { title: 'Audit log', main: html`${table}${pagination}` });
}

const renderRow = ({ at, by, act, keyId, requestId, note }: AuditEntry): (Html | string)[] => [
  renderTime(at),
  by,
  act,
  renderIdLink('/admin/keys', keyId),
  renderIdLink('/admin/requests', requestId),
  html`<span class="user-text" dir="auto">${note}</span>`,
];

const renderIdLink = (path: string, id: string | null): Html | string =>
  id === null ? '' : html`<a href="${path}/${id}">${id.slice(0, 8)}</a>`;
