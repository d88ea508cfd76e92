import type { AuditEntry } from '@lectern/keys';
import type { Html } from '../html';
import { html } from '../html';
import { renderTable, renderTime, sendAdminPage } from './admin-layout';
import type { AdminRoute, AdminRouteOptions } from './admin-route';
import { pageSize, readPageNumber, renderPagination } from './pagination';

/** How far back the pages go; the store keeps everything. */
const mostPages = 200;

/** Who did what, newest first. */
export function createAuditLogRoutes({ keys }: AdminRouteOptions): AdminRoute[] {
  return [
    {
      pattern: /^\/admin\/audit$/,
      async get(visit) {
        const number = Math.min(readPageNumber(visit.query), mostPages);
        // One more than is shown, to know whether there is a page after this one.
        const entries = await keys.audit(number * pageSize + 1);
        const shown = entries.slice((number - 1) * pageSize, number * pageSize);
        const hasNext = entries.length > number * pageSize && number < mostPages;
        sendAdminPage(visit, {
          title: 'Audit log',
          main: html`${shown.length === 0 ? html`<p>Nothing is recorded here.</p>` : renderTable('Audit log', ['When', 'Who', 'What', 'Key', 'Request', 'Note'], shown.map(rowOf))}${renderPagination({ number, hasNext, label: `Page ${number}` }, '/admin/audit', visit.query)}`,
        });
      },
    },
  ];
}

const rowOf = ({ at, by, act, keyId, requestId, note }: AuditEntry): (Html | string)[] => [
  renderTime(at),
  by,
  act,
  linkTo('/admin/keys', keyId),
  linkTo('/admin/requests', requestId),
  html`<span class="foreign" dir="auto">${note}</span>`,
];

const linkTo = (path: string, id: string | null): Html | string =>
  id === null ? '' : html`<a href="${path}/${id}">${id.slice(0, 8)}</a>`;
