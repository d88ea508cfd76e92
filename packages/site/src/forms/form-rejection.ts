import type { ServerResponse } from 'node:http';
import { html } from '../html';
import { sendPage } from '../page';

/** Why a page is not shown or a form not taken, in words for the one who sits before it. */
export interface FormRejection {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const formRejections = {
  method: (allow: string): FormRejection => ({
    status: 405,
    title: 'Not like this',
    text: 'Open this page in a browser, and send its form from there.',
    headers: { allow },
  }),
  otherSite: (): FormRejection => ({
    status: 403,
    title: 'Not from here',
    text: 'The form was sent from a page of another site, so nothing was done. Open the page here and send it again.',
  }),
  stale: (): FormRejection => ({
    status: 403,
    title: 'The form is out of date',
    text: 'The form was made for another visit, so nothing was done. Go back, load the page again and send it again.',
  }),
  tooLong: (bytes: number): FormRejection => ({
    status: 413,
    title: 'Too much text',
    text: `The form holds more than the ${bytes / 1_024} kB that are read. Go back and shorten it; nothing was kept.`,
  }),
  broken: (): FormRejection => ({
    status: 400,
    title: 'The form broke off',
    text: 'The form did not arrive whole. Go back and send it again; nothing was kept.',
  }),
  type: (): FormRejection => ({
    status: 415,
    title: 'Not a form',
    text: 'A form is sent as application/x-www-form-urlencoded, in UTF-8 and uncompressed. Send it from the page itself.',
  }),
  tooMany: (seconds: number): FormRejection => ({
    status: 429,
    title: 'Too many tries',
    text: `Try again in ${formatWait(seconds)}; nothing was kept.`,
    headers: retryAfterHeader(seconds),
  }),
  missing: (text = 'Nothing is here, or not any more.'): FormRejection => ({ status: 404, title: 'Not found', text }),
};

export const retryAfterHeader = (seconds: number): Readonly<Record<string, string>> => ({
  'retry-after': String(seconds),
});

/** A wait in words, never shorter than it is. */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}

export function sendFormRejection(response: ServerResponse, { status, title, text, headers }: FormRejection): void {
  sendPage(response, status, { title, main: html`<h1>${title}</h1>\n<p>${text}</p>` }, headers);
}
