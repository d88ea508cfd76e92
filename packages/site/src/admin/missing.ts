import type { KeyRequestError } from '@lectern/keys';
import { html } from '../html';
import { sendAdminPage } from './admin-layout';
import type { AdminContext } from './admin-route';

/** What an address names is not there: the store says why. */
export const sendAdminNotFound = (visit: AdminContext, { message }: KeyRequestError): void =>
  sendAdminPage(visit, { title: 'Not found', status: 404, main: html`<p>${message}</p>` });
