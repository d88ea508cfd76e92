import { domainToASCII } from 'node:url';
import type { KeyLimits } from './types';
import { KeyRequestError } from './types';

/**
 * The maximum lengths of the texts in key requests and in their rejections, in UTF-16 code units.
 * The HTML forms use the same bounds.
 */
export const maxCharacters = { email: 254, name: 200, description: 1_000, reason: 1_000 } as const;

/**
 * Converts an address to the form in which addresses are compared: lower case, with the domain in
 * ASCII (xn--), as the mail is addressed. So no mailbox gets a second key by another spelling of
 * its domain. The store's function lower() is not used, because SQLite and PostgreSQL differ for
 * letters beyond ASCII.
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = splitEmail(email);
  return `${local.normalize('NFC').toLowerCase()}@${domainToASCII(domain)}`;
}

function splitEmail(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, Math.max(0, at)), domain: email.slice(at + 1) };
}

/** The pattern of control characters, lone surrogates, and line and paragraph separators. */
const unwantedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * `validateEmail`, `validateName` and `validateText` return the trimmed value, or throw a
 * KeyRequestError that names the field.
 */
export function validateEmail(text: string): string {
  const email = text.trim();
  if (email.length > maxCharacters.email || unwantedCharacters.test(text) || !isPossibleAddress(email)) {
    throw new KeyRequestError(`'${email.slice(0, 60).replaceAll(/\p{Cc}/gu, ' ')}' is not an email address.`, 'email');
  }
  return email;
}

/**
 * Rejects impossible addresses and header injection. Only a delivery can show that an address
 * exists. Format characters (Cf) before the `@` are rejected, because an address with one looks
 * like the address without it. In a domain, `domainToASCII` removes or rejects them.
 */
function isPossibleAddress(email: string): boolean {
  const { local, domain } = splitEmail(email);
  return (
    /^[^\s@<>()[\]\\,;:"\p{Cf}]+$/u.test(local) &&
    !/[/?#\\%]/.test(domain) &&
    /^[\w-]+(\.[\w-]+)*$/.test(domainToASCII(domain))
  );
}

export function validateName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > maxCharacters.name || unwantedCharacters.test(text))
    throw new KeyRequestError(`The name must have 1 to ${maxCharacters.name} characters, on one line.`, 'name');
  return name;
}

/**
 * Validates a text that may have several lines. A form sends CRLF line ends, each of which counts
 * as one character.
 */
export function validateText(text: string, field: 'description' | 'reason'): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  if (lines === '' || lines.length > maxCharacters[field] || unwantedCharacters.test(lines.replaceAll('\n', ''))) {
    throw new KeyRequestError(
      `The ${field} must have 1 to ${maxCharacters[field].toLocaleString('en')} characters, without control characters.`,
      field,
    );
  }
  return lines;
}

/** The maximum value of a limit that is set for one key: requests per day or per minute. */
export const maxRequests = 1_000_000_000;

/**
 * Validates the limits that `limits` has. Throws a KeyRequestError if a limit is neither null nor a
 * whole number from 1 to `maxRequests`.
 */
export function validateLimits(limits: Partial<KeyLimits>): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > maxRequests)) {
      const period = name === 'requestsPerDay' ? 'day' : 'minute';
      throw new KeyRequestError(`The requests a ${period} must be a whole number from 1 to ${maxRequests}.`);
    }
  }
}
