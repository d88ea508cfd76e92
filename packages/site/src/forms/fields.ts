import { type Html, html } from '../page';

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

/** Returns only the fields that have an error, with their errors. */
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

/**
 * Renders a summary of the errors with links to the fields. The summary gets the focus when the page opens. Returns
 * null if there are no errors.
 */
export function renderErrorSummary(errors: FormErrors): Html | null {
  if (!hasErrors(errors)) return null;
  return html`<div class="notice failure" role="alert" tabindex="-1" autofocus aria-labelledby="error-summary">
<h2 id="error-summary">Please correct the following</h2>
<ul>${Object.entries(errors).map(([name, error]) => html`<li>${name === '' ? error : html`<a href="#${name}">${error}</a>`}</li>`)}</ul>
</div>\n`;
}

/** Matches replacement characters (from bytes that are not UTF-8), control characters and line separators. */
const forbiddenCharacters = /[\uFFFD\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Returns the error of a text, or null. `what` names the text in the error, such as "your name". Line breaks are
 * allowed only with `multiline`.
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
