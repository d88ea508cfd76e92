import type { KeyRequestError } from '@lectern/keys';
import { html } from '../html';
import { sendAdminPage } from './admin-page';
import type { Visit } from './visit';

/** What an address names is not there: the store says why. */
export const sendMissing = (visit: Visit, { message }: KeyRequestError): void =>
  sendAdminPage(visit, { title: 'Not found', status: 404, main: html`<p>${message}</p>` });
