import { domainToASCII } from 'node:url';
import { redactKeys } from '@lectern/serving';
import { type KeyLimits, KeyRequestError } from './types';

/** In UTF-16 code units. The HTML forms use the same bounds. */
export const maxCharacters = { email: 254, name: 200, description: 1_000, reason: 1_000 } as const;

export const maxRequests = 1_000_000_000;

/** Control characters, lone surrogates, and line and paragraph separators. */
const unwantedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

function splitEmail(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, Math.max(0, at)), domain: email.slice(at + 1) };
}

/**
 * The form in which addresses are compared: lower case, with the domain in ASCII (xn--). SQL's
 * lower() differs between SQLite and PostgreSQL for letters beyond ASCII.
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = splitEmail(email);
  return `${local.normalize('NFC').toLowerCase()}@${domainToASCII(domain)}`;
}

/** They trim, and throw a KeyRequestError. No address may inject a header or be invisible. */
export function validateEmail(text: string): string {
  const email = text.trim();
  const { local, domain } = splitEmail(email);
  const isPossible =
    email.length <= maxCharacters.email &&
    !unwantedCharacters.test(text) &&
    /^[^\s@<>()[\]\\,;:"\p{Cf}]+$/u.test(local) &&
    !/[/?#\\%]/.test(domain) &&
    /^[\w-]+(\.[\w-]+)*$/.test(domainToASCII(domain));
  if (!isPossible)
    throw new KeyRequestError(`'${email.slice(0, 60).replaceAll(/\p{Cc}/gu, ' ')}' is not an email address.`, 'email');
  return email;
}

export function validateName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > maxCharacters.name || unwantedCharacters.test(text))
    throw new KeyRequestError(`The name must have 1 to ${maxCharacters.name} characters, on one line.`, 'name');
  return name;
}

/** Validates a text of one or more lines. A form sends CRLF, which counts as one character. */
export function validateText(text: string, field: 'description' | 'reason'): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  if (lines === '' || lines.length > maxCharacters[field] || unwantedCharacters.test(lines.replaceAll('\n', '')))
    throw new KeyRequestError(
      `The ${field} must have 1 to ${maxCharacters[field].toLocaleString('en')} characters, without control characters.`,
      field,
    );
  return lines;
}

export function validateLimits(limits: Partial<KeyLimits>): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= maxRequests)) continue;
    const period = name === 'requestsPerDay' ? 'day' : 'minute';
    throw new KeyRequestError(`The requests a ${period} must be a whole number from 1 to ${maxRequests}.`);
  }
}

/** Turns a text of somebody else into one line of bounded length without API keys. */
export const toSafeLine = (text: string, maxLength: number): string =>
  redactKeys(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxLength));
