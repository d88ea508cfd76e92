import { KeyRequestError } from './keys-types';

/** What a form may put into these fields; its own bounds are to be the same. */
export const maxCharacters = { email: 254, name: 200, description: 1_000, reason: 1_000 } as const;

/** One address in any case of its letters. The stores' own lower() differ beyond ASCII. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').toLowerCase();

// Halves of a character and what ends a line are no more part of a name than control characters are.
const unwanted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

export function validateEmail(text: string): string {
  const email = text.trim();
  // Whether the address exists, mail will tell; here only what could never be one, or could smuggle a header, is refused.
  if (
    email.length > maxCharacters.email ||
    unwanted.test(text) ||
    !/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u.test(email)
  ) {
    throw new KeyRequestError(`'${email.slice(0, 60).replaceAll(/\p{Cc}/gu, ' ')}' is not an email address.`, 'email');
  }
  return email;
}

export function validateName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > maxCharacters.name || unwanted.test(text))
    throw new KeyRequestError(`The name must have 1 to ${maxCharacters.name} characters, on one line.`, 'name');
  return name;
}

/** Several lines are fine. A form's line ends are two characters, and count as one. */
export function validateText(text: string, field: 'description' | 'reason'): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  if (lines === '' || lines.length > maxCharacters[field] || unwanted.test(lines.replaceAll('\n', ''))) {
    throw new KeyRequestError(
      `The ${field} must have 1 to ${maxCharacters[field].toLocaleString('en')} characters, without control characters.`,
      field,
    );
  }
  return lines;
}

export const maxRequestsPerDay = 1_000_000_000;

export function validateRequestsPerDay(count: number | null | undefined): number | null {
  if (count === null || count === undefined) return null;
  if (!Number.isInteger(count) || count < 1 || count > maxRequestsPerDay)
    throw new KeyRequestError(`The requests a day must be a whole number from 1 to ${maxRequestsPerDay}.`);
  return count;
}
