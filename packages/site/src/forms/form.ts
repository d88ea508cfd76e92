import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isDeclaredTooLong, readBody } from '@lectern/serving';
import { parse } from 'content-type';
import { html } from '../html';
import { sendPage } from '../page';

/**
 * Counts a request against the rate limit of `subject`, or of the client's address if `subject` is
 * undefined. The gateway passes another function for each form, because each form has its own
 * limit.
 */
export type ConsumeRateLimit = (
  request: IncomingMessage,
  subject?: string,
) => Promise<{
  allowed: boolean;
  /** The seconds until the limit allows a request again. */
  retryAfterSeconds: number;
}>;

export const retryAfterHeader = (seconds: number): Readonly<Record<string, string>> => ({
  'retry-after': String(seconds),
});

/** Formats a wait in minutes, rounded up: "a minute", "15 minutes". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}

/**
 * The page that is sent if a form, or a request for a page with a form, is rejected. It gives the
 * reason.
 */
interface FormRejection {
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

/** The fields of a submitted form. */
export interface SubmittedForm {
  /**
   * Returns the text of a field, with line breaks as `\n`. Returns '' for a missing field. A field
   * that was sent several times has all its values, one per line.
   */
  value(name: string): string;
  /** Like `value`, for a textarea: each tab becomes a space, because people paste tabs. */
  multilineValue(name: string): string;
}

type ReadForm = { kind: 'form'; form: SubmittedForm } | { kind: 'rejected'; rejection: FormRejection };

/**
 * The maximum size of a form: enough for the key-request form with all fields full. A letter takes
 * up to nine bytes in percent-encoding.
 */
const maxFormBytes = 16 * 1_024;

/**
 * Reads the urlencoded body of a request. Malformed percent-encoding stays as it is, and bytes that
 * are not UTF-8 become U+FFFD, so that the page can show them to the sender.
 */
export async function readForm(request: IncomingMessage): Promise<ReadForm> {
  if (isDeclaredTooLong(request, maxFormBytes)) return rejected(formRejections.tooLarge(maxFormBytes));
  if (!isUrlencoded(request.headers)) return rejected(formRejections.unsupportedMediaType());
  const read = await readBody(request, maxFormBytes);
  if (read.kind === 'too-long') return rejected(formRejections.tooLarge(maxFormBytes));
  if (read.kind === 'broken-off') return rejected(formRejections.incomplete());
  const fields = new URLSearchParams(read.body.toString('utf8'));
  const value = (name: string): string => fields.getAll(name).join('\n').replace(/\r\n?/g, '\n');
  return { kind: 'form', form: { value, multilineValue: (name) => value(name).replaceAll('\t', ' ') } };
}

const rejected = (rejection: FormRejection): ReadForm => ({ kind: 'rejected', rejection });

function isUrlencoded(headers: IncomingHttpHeaders): boolean {
  if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return false;
  try {
    const { type, parameters } = parse(headers['content-type'] ?? '');
    return type === 'application/x-www-form-urlencoded' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}

/**
 * Returns GET for GET and HEAD, POST for POST, and null for other methods.
 * Node omits the body of a response to HEAD.
 */
export function formMethod({ method }: IncomingMessage): 'GET' | 'POST' | null {
  if (method === 'POST') return 'POST';
  return method === 'GET' || method === 'HEAD' ? 'GET' : null;
}
