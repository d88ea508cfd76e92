import type { Html } from '../html';
import { html } from '../html';

/** Error messages by field name. The key '' holds an error of the form as a whole. */
export type FormErrors = Readonly<Record<string, string>>;

export interface FormField {
  name: string;
  label: string;
  /**
   * The kind of input. `multiline` renders a textarea, and `number` renders a text input with a
   * numeric keyboard.
   */
  kind: 'text' | 'email' | 'password' | 'number' | 'multiline';
  /** The value of the HTML attribute `autocomplete`, for browsers and password managers. */
  autocomplete: string;
  hint?: string;
  isOptional?: boolean;
}

export const hasErrors = (errors: FormErrors): boolean => Object.keys(errors).length > 0;

/** Returns the errors of the fields that have an error. */
export const presentErrors = (errors: Readonly<Record<string, string | null>>): FormErrors =>
  Object.fromEntries(Object.entries(errors).flatMap(([name, error]) => (error === null ? [] : [[name, error]])));

/** Renders a label, its input, hint and error, linked by `aria-describedby` for screen readers. */
export function renderField(
  { name, label, kind, autocomplete, hint, isOptional = false }: FormField,
  value: string,
  errors: FormErrors,
): Html {
  const error = errors[name];
  const noteIds = [...(hint === undefined ? [] : [`${name}-hint`]), ...(error === undefined ? [] : [`${name}-error`])];
  const describedBy = noteIds.length === 0 ? null : html` aria-describedby="${noteIds.join(' ')}"`;
  const invalid = error === undefined ? null : html` aria-invalid="true"`;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"${isOptional ? null : html` required`}${invalid}${describedBy}`;
  // A browser drops a line break at the start of a textarea, so an extra one stands before the
  // value.
  const input =
    kind === 'multiline'
      ? html`<textarea ${attributes} rows="6">\n${value}</textarea>`
      : html`<input ${attributes} ${kind === 'number' ? html`type="text" inputmode="numeric"` : html`type="${kind}"`} value="${value}">`;
  return html`<div class="field">
<label for="${name}">${label}${isOptional ? ' (optional)' : ''}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>\n`}${error === undefined ? null : html`<p class="error" id="${name}-error"><span aria-hidden="true">&#9888; </span>${error}</p>\n`}${input}
</div>\n`;
}

/**
 * Renders the list of errors for the top of the page. Returns null without errors.
 * The list has the focus when the page opens, and each error of a field links to the field.
 */
export function renderErrorSummary(errors: FormErrors): Html | null {
  const lines = Object.entries(errors);
  if (lines.length === 0) return null;
  return html`<div class="notice failure" role="alert" tabindex="-1" autofocus aria-labelledby="error-summary">
<h2 id="error-summary">Please correct the following</h2>
<ul>${lines.map(([name, error]) => html`<li>${name === '' ? error : html`<a href="#${name}">${error}</a>`}</li>`)}</ul>
</div>\n`;
}

/** The outcome of the operator's last action, which the page after this action shows at its top. */
export interface FlashMessage {
  text: string;
  kind: 'success' | 'failure';
}

/** Renders a flash message. The message has the focus when the page opens. */
export const renderFlashMessage = ({ text, kind }: FlashMessage): Html =>
  html`<p class="notice ${kind}" role="${kind === 'success' ? 'status' : 'alert'}" tabindex="-1" autofocus>${text}</p>\n`;

/**
 * The pattern of forbidden characters: replacement characters (from bytes that were not UTF-8),
 * control characters and line separators.
 */
const forbiddenCharacters = /[\uFFFD\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Validates the text of a field. Returns an error message, or null if the text is valid. `what`
 * names the text in the message ("your name"); line breaks are valid only with `multiline`.
 */
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
