import { domainToASCII } from 'node:url';
import { redactKeys, subnetOf } from '@lectern/serving';
import { type KeyLimits, KeyRequestError } from './types';

/** The maximum lengths of fields in UTF-16 units. The HTML forms have the same limits. */
export const maxCharacters = { email: 254, name: 200, description: 1_000, reason: 1_000 } as const;

export const maxRequests = 1_000_000_000;

/** Matches control characters, lone surrogates, and line and paragraph separators. */
const unwantedCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

function splitEmail(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return { local: email.slice(0, Math.max(0, at)), domain: email.slice(at + 1) };
}

/**
 * Returns the form in which addresses are compared: in lower case, with the domain in ASCII (xn--). SQL's lower()
 * differs between SQLite and PostgreSQL.
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = splitEmail(email);
  return `${local.normalize('NFC').toLowerCase()}@${domainToASCII(domain)}`;
}

/** Throws a KeyRequestError for an invalid address, such as one with invisible characters, or that injects a header. */
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

/** Trims and validates a text of one or more lines. The line break CRLF, which forms send, counts as one character. */
export function validateText(text: string, field: 'description' | 'reason'): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  if (lines === '' || lines.length > maxCharacters[field] || unwantedCharacters.test(lines.replaceAll('\n', '')))
    throw new KeyRequestError(
      `The ${field} must have 1 to ${maxCharacters[field].toLocaleString('en')} characters, without control characters.`,
      field,
    );
  return lines;
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;
const maxDays = { expires: 3_660, overlap: 90 } as const;

/** Parses a time from now (90d, 12h, 30m), or a date, at 00:00 UTC. Returns null for an empty text. */
export function parseEnd(text: string, now: Date, field: keyof typeof maxDays): string | null {
  const value = text.trim();
  if (value === '') return null;
  const [, amount = '', unit = 'd'] = /^(\d{1,4})([dhm])$/.exec(value) ?? [];
  const duration = Number(amount) * unitMs[unit as keyof typeof unitMs];
  const end = new Date(amount === '' ? `${value}T00:00:00Z` : now.getTime() + duration);
  const isInRange = end > now && end.getTime() <= now.getTime() + maxDays[field] * unitMs.d;
  // JavaScript reads 2026-02-30 as March 2.
  if (isInRange && (amount !== '' || end.toISOString().startsWith(`${value}T`))) return end.toISOString();
  throw new KeyRequestError(
    `The ${field === 'expires' ? 'expiry' : 'overlap'} must be a time from now, such as 30d, 12h or 45m, or a date such as 2030-12-31, at most ${maxDays[field]} days ahead, not '${toSafeLine(text, 40)}'.`,
    field,
  );
}

/** Returns the limits with the addresses as the gateways count them. Throws a KeyRequestError if one is invalid. */
export function validateLimits<Limits extends Partial<KeyLimits>>(limits: Limits): Limits {
  for (const name of ['requestsPerDay', 'requestsPerMinute'] as const) {
    const limit = limits[name] ?? null;
    if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= maxRequests)) continue;
    const period = name === 'requestsPerDay' ? 'day' : 'minute';
    throw new KeyRequestError(`The requests a ${period} must be a whole number from 1 to ${maxRequests}.`);
  }
  const { addresses = null } = limits;
  return addresses === null ? limits : { ...limits, addresses: parseAddresses(addresses) };
}

const maxAddresses = 20;

function parseAddresses(text: string): string {
  const limits = new Map<string, string>();
  for (const item of text.trim().split(/[\s,]+/)) {
    const [, address = '', requests = ''] = /^([^=]+)=([1-9]\d{0,8}|1000000000)$/.exec(item) ?? [];
    const subnet = subnetOf(address);
    // A part of an IPv4 address is an address too, which nobody means: 7 is 0.0.0.7.
    const isAddress = subnet !== '' && (address.includes(':') || subnet === address);
    if (!isAddress || limits.has(subnet) || limits.size === maxAddresses)
      throw new KeyRequestError(
        `The addresses must be at most ${maxAddresses} different ones with their requests a minute, such as 203.0.113.7=600 2001:db8::1=600, where an IPv6 address stands for its /64 network, or none: '${toSafeLine(item, 60)}' is wrong.`,
      );
    limits.set(subnet, requests);
  }
  return [...limits].map((limit) => limit.join('=')).join(' ');
}

/** The maximum number of grants of a key. The gateway token names all of them in a header of at most 16 kB. */
const maxGrants = 100;

/** Sorts identifiers of translations and joins them with blanks. Throws a KeyRequestError if one is malformed. */
export function validateGrants(translations: readonly string[]): string {
  const malformed = translations.find((identifier) => !/^[a-z0-9-]{1,100}$/.test(identifier));
  if (malformed !== undefined)
    throw new KeyRequestError(
      `'${toSafeLine(malformed, 40)}' is not the identifier of a translation, such as deu-luther. See: npm run corpus -- list`,
    );
  const grants = [...new Set(translations)].sort();
  if (grants.length > maxGrants)
    throw new KeyRequestError(`A key may have grants for at most ${maxGrants} translations.`);
  return grants.join(' ');
}

/** Converts a foreign text, such as an error of a mail server, to one line, with API keys redacted. */
export const toSafeLine = (text: string, maxLength: number): string =>
  redactKeys(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxLength));
