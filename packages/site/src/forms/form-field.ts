import type { Html } from '../html';
import { html } from '../html';

/** What is wrong with fields, by their names. Under '' stands what is no one field's fault. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface FormField {
  name: string;
  label: string;
  kind: 'text' | 'email' | 'password' | 'number' | 'lines';
  /** What browsers and password managers know such a field by. */
  autocomplete: string;
  hint?: string;
  isOptional?: boolean;
}

/** A label, its field and what is wrong with it, tied together for those who hear the page. */
export function renderField(
  { name, label, kind, autocomplete, hint, isOptional = false }: FormField,
  value: string,
  faults: FieldErrors,
): Html {
  const fault = faults[name];
  const notes = [...(hint === undefined ? [] : [`${name}-hint`]), ...(fault === undefined ? [] : [`${name}-fault`])];
  const described = notes.length === 0 ? null : html` aria-describedby="${notes.join(' ')}"`;
  const invalid = fault === undefined ? null : html` aria-invalid="true"`;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"${isOptional ? null : html` required`}${invalid}${described}`;
  // A browser drops the first line break of a textarea.
  const input =
    kind === 'lines'
      ? html`<textarea ${attributes} rows="6">\n${value}</textarea>`
      : html`<input ${attributes} ${kind === 'number' ? html`type="text" inputmode="numeric"` : html`type="${kind}"`} value="${value}">`;
  return html`<div class="field">
<label for="${name}">${label}${isOptional ? ' (optional)' : ''}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>\n`}${fault === undefined ? null : html`<p class="error" id="${name}-fault"><span aria-hidden="true">&#9888; </span>${fault}</p>\n`}${input}
</div>\n`;
}

/** What is wrong, before all else on the page: focused when the page opens, and each line leads to its field. */
export function renderErrorSummary(faults: FieldErrors): Html | null {
  const lines = Object.entries(faults);
  if (lines.length === 0) return null;
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus aria-labelledby="faults">
<h2 id="faults">Please look at this again</h2>
<ul>${lines.map(([name, fault]) => html`<li>${name === '' ? fault : html`<a href="#${name}">${fault}</a>`}</li>`)}</ul>
</div>\n`;
}

/** How something ended, focused when the page opens. */
export const renderFlashMessage = (text: string, kind: 'good' | 'bad' = 'good'): Html =>
  html`<p class="notice ${kind}" role="${kind === 'good' ? 'status' : 'alert'}" tabindex="-1" autofocus>${text}</p>\n`;

/** What no text from outside may hold: letters that were not readable as they came, and control characters other than line ends. */
const unreadable = /[\uFFFD\p{Cc}\p{Zl}\p{Zp}]/u;

/** Why a text cannot be taken; null when it can. Several lines only where `lines` says so. */
export function validateText(
  value: string,
  { what, most, lines = false }: { what: string; most: number; lines?: boolean },
): string | null {
  if (value.trim() === '') return `Enter ${what}.`;
  if (!lines && /[\r\n]/.test(value)) return `Enter ${what} on one line, once.`;
  if (unreadable.test(lines ? value.replaceAll('\n', '') : value))
    return `Remove the characters that cannot be shown from ${what}.`;
  return value.length > most ? `Shorten ${what}: it has ${value.length} characters, and may have ${most}.` : null;
}
