import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Keys } from '@lectern/keys';
import { type ConsumeRateLimit, isDeclaredTooLong, isInUtf8, readBody } from '@lectern/serving';
import { type Html, type HttpHeaders, html, sendMessage } from '../page';

export interface FormOptions {
  keys: Keys;
  environment: Environment;
  /** Counts a request. Called for every submitted form, even if it is invalid, and for every attempt to sign in. */
  consumeRateLimit: ConsumeRateLimit;
  /** The secret of the deployment. All gateways have the same secret. */
  formSecret: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

export const retryAfterHeader = (seconds: number): HttpHeaders => ({ 'retry-after': String(seconds) });

/** Formats a time in minutes, rounded up, such as "a minute" or "15 minutes". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}

/** In bytes. A key request of maximum length fits, even with letters of nine bytes in percent-encoding. */
const maxFormBytes = 16 * 1_024;

const rejections = {
  methodNotAllowed: [405, 'Method not allowed', 'Open this page in a browser, and send its form from there.'],
  otherOrigin: [
    403,
    'Form from another site',
    'The form was sent from a page of another site, so nothing was done. Open the page here and send it again.',
  ],
  invalidCsrfToken: [
    403,
    'The form is out of date',
    'The form belongs to another session, so nothing was done. Go back, reload the page and send it again.',
  ],
  tooLarge: [
    413,
    'Too much text',
    `The form is larger than ${maxFormBytes / 1_024} kB, so nothing was saved. Go back and shorten it.`,
  ],
  incomplete: [
    400,
    'Incomplete form',
    'The form did not arrive completely, so nothing was saved. Go back and send it again.',
  ],
  unsupportedMediaType: [
    415,
    'Not a form',
    'A form is sent as application/x-www-form-urlencoded, in UTF-8 and uncompressed. Send it from the page itself.',
  ],
  notFound: [404, 'Not found', 'There is no page at this address, or it was removed.'],
} as const;

/** Sends an error page: why a form was rejected, or why the page with a form cannot be shown. */
export function sendRejection(response: ServerResponse, reason: keyof typeof rejections, headers?: HttpHeaders): void {
  const [status, title, text] = rejections[reason];
  sendMessage(response, status, title, text, headers);
}

/** Returns GET for GET and HEAD, and POST from a page of this site. Otherwise sends a rejection. */
export function acceptMethod(
  request: IncomingMessage,
  response: ServerResponse,
  allow: 'GET, HEAD' | 'GET, HEAD, POST',
): 'GET' | 'POST' | null {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return 'GET';
  if (method !== 'POST' || allow === 'GET, HEAD') sendRejection(response, 'methodNotAllowed', { allow });
  else if (!isSameOriginRequest(request)) sendRejection(response, 'otherOrigin');
  else return 'POST';
  return null;
}

/** Sec-Fetch-Site is correct even if a proxy changes Host. Without it and Origin, only the CSRF token protects. */
function isSameOriginRequest({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host?.toLowerCase();
}

export interface SubmittedForm {
  /** Returns a value with `\n` for line breaks. A missing field is '', and several values are lines. */
  value(name: string): string;
  /** Like `value`, for a textarea. Each tab becomes a space, because people paste text with tabs. */
  multilineValue(name: string): string;
}

/**
 * Keeps malformed percent-encoding, with U+FFFD for what is not UTF-8, so that the page can show the text again. On
 * failure, sends a rejection and returns null.
 */
export async function readForm(request: IncomingMessage, response: ServerResponse): Promise<SubmittedForm | null> {
  const send = (reason: keyof typeof rejections): null => {
    sendRejection(response, reason);
    return null;
  };
  if (isDeclaredTooLong(request, maxFormBytes)) return send('tooLarge');
  if (!isUrlencoded(request.headers)) return send('unsupportedMediaType');
  const read = await readBody(request, maxFormBytes);
  if (read.kind !== 'complete') return send(read.kind === 'too-long' ? 'tooLarge' : 'incomplete');
  const fields = new URLSearchParams(read.body.toString('utf8'));
  const value = (name: string): string => fields.getAll(name).join('\n').replace(/\r\n?/g, '\n');
  return { value, multilineValue: (name) => value(name).replaceAll('\t', ' ') };
}

const isUrlencoded = (headers: IncomingHttpHeaders): boolean =>
  /^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '') &&
  isInUtf8(headers['content-type'], 'application/x-www-form-urlencoded');

/** Error messages by field name. The key '' holds an error of the form as a whole. */
export type FormErrors = Readonly<Record<string, string>>;

export interface FormField {
  name: string;
  label: string;
  /** The kind of the field: `multiline` is a textarea, and `number` a text input with a numeric keyboard. */
  kind: 'text' | 'email' | 'password' | 'number' | 'multiline';
  /** The value of the HTML attribute `autocomplete`. Default: off. */
  autocomplete?: string;
  hint?: string;
  isOptional?: boolean;
}

export const hasErrors = (errors: FormErrors): boolean => Object.keys(errors).length > 0;

export const presentErrors = (errors: Readonly<Record<string, string | null>>): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== null));

/** Renders a label, its input, hint and error, linked by `aria-describedby` for screen readers. */
export function renderField(
  { name, label, kind, autocomplete = 'off', hint, isOptional = false }: FormField,
  value: string,
  errors: FormErrors,
): Html {
  const error = errors[name];
  const noteIds = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  const describedBy = noteIds.length > 0 && html` aria-describedby="${noteIds.join(' ')}"`;
  const invalid = error !== undefined && html` aria-invalid="true"`;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"${!isOptional && html` required`}${invalid}${describedBy}`;
  // A browser drops a line break at the start of a textarea, so one is added before the text.
  const input =
    kind === 'multiline'
      ? html`<textarea ${attributes} rows="6">\n${value}</textarea>`
      : html`<input ${attributes} ${kind === 'number' ? html`type="text" inputmode="numeric"` : html`type="${kind}"`} value="${value}">`;
  return html`<div class="field">
<label for="${name}">${label}${isOptional && ' (optional)'}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}${error !== undefined && html`<p class="error" id="${name}-error"><span aria-hidden="true">&#9888; </span>${error}</p>\n`}${input}
</div>\n`;
}

/** Links to the fields, and gets the focus when the page opens. Returns null without errors. */
export function renderErrorSummary(errors: FormErrors): Html | null {
  if (!hasErrors(errors)) return null;
  return html`<div class="notice failure" role="alert" tabindex="-1" autofocus aria-labelledby="error-summary">
<h2 id="error-summary">Please correct the following</h2>
<ul>${Object.entries(errors).map(([name, error]) => html`<li>${name === '' ? error : html`<a href="#${name}">${error}</a>`}</li>`)}</ul>
</div>\n`;
}

/** Matches replacement characters (from bytes that are not UTF-8), control characters and line separators. */
const forbiddenCharacters = /[\uFFFD\p{Cc}\p{Zl}\p{Zp}]/u;

/** Returns an error or null. `what` names the text, such as "your name". Line breaks need `multiline`. */
export function checkText(
  value: string,
  { what, maxLength, multiline = false }: { what: string; maxLength: number; multiline?: boolean },
): string | null {
  if (value.trim() === '') return `Enter ${what}.`;
  if (!multiline && /[\r\n]/.test(value)) return `Enter ${what} on one line, once.`;
  if (forbiddenCharacters.test(multiline ? value.replaceAll('\n', '') : value))
    return `Remove the characters that cannot be shown from ${what}.`;
  return value.length > maxLength
    ? `Shorten ${what}: it has ${value.length} characters, and may have ${maxLength}.`
    : null;
}
