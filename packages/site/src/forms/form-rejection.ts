import type { ServerResponse } from 'node:http';
import { html } from '../html';
import { sendPage } from '../send-page-with-security-headers';
import { formatWait, retryAfterHeader } from './rate-limit-type-and-retry-after';

/**
 * The page that is sent if a form, or a request for a page with a form, is rejected. It gives the
 * reason.
 */
export interface FormRejection {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const formRejections = {
  methodNotAllowed: (allow: string): FormRejection => ({
    status: 405,
    title: 'Method not allowed',
    text: 'Open this page in a browser, and send its form from there.',
    headers: { allow },
  }),
  otherOrigin: (): FormRejection => ({
    status: 403,
    title: 'Form from another site',
    text: 'The form was sent from a page of another site, so nothing was done. Open the page here and send it again.',
  }),
  invalidCsrfToken: (): FormRejection => ({
    status: 403,
    title: 'The form is out of date',
    text: 'The form belongs to another session, so nothing was done. Go back, reload the page and send it again.',
  }),
  tooLarge: (maxBytes: number): FormRejection => ({
    status: 413,
    title: 'Too much text',
    text: `The form is larger than ${maxBytes / 1_024} kB, so nothing was saved. Go back and shorten it.`,
  }),
  incomplete: (): FormRejection => ({
    status: 400,
    title: 'Incomplete form',
    text: 'The form did not arrive completely, so nothing was saved. Go back and send it again.',
  }),
  unsupportedMediaType: (): FormRejection => ({
    status: 415,
    title: 'Not a form',
    text: 'A form is sent as application/x-www-form-urlencoded, in UTF-8 and uncompressed. Send it from the page itself.',
  }),
  rateLimited: (retryAfterSeconds: number): FormRejection => ({
    status: 429,
    title: 'Too many attempts',
    text: `Nothing was saved. Try again in ${formatWait(retryAfterSeconds)}.`,
    headers: retryAfterHeader(retryAfterSeconds),
  }),
  notFound: (): FormRejection => ({
    status: 404,
    title: 'Not found',
    text: 'There is no page at this address, or it was removed.',
  }),
};

export function sendFormRejection(response: ServerResponse, { status, title, text, headers }: FormRejection): void {
  sendPage(response, status, { title, main: html`<h1>${title}</h1>\n<p>${text}</p>` }, headers);
}
