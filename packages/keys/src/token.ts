import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key is valid in one environment: `live` for production, `test` for development. */
export const environments = ['live', 'test'] as const;

export type Environment = (typeof environments)[number];

const checkLength = 6;
const prefixOf = (environment: Environment) => `svc_${environment}_`;

/**
 * The prefix, 43 characters of url-safe base64 (256 random bits), and the start of an HMAC of these with the pepper.
 */
export const tokenLength = prefixOf('test').length + 43 + checkLength;

export function generateToken(environment: Environment, pepper: string): string {
  const body = prefixOf(environment) + randomBytes(32).toString('base64url');
  return body + check(body, pepper);
}

/**
 * Whether the check characters are right, so that typos and forgeries need no lookup. Takes equally long for every
 * text.
 */
export function hasValidCheck(token: string, pepper: string): boolean {
  const padded = token.padEnd(tokenLength).slice(0, tokenLength);
  const body = padded.slice(0, -checkLength);
  const isEqual = timingSafeEqual(
    Buffer.from(check(body, pepper), 'latin1'),
    Buffer.from(padded.slice(-checkLength), 'latin1'),
  );
  const hasPrefix = environments.some((environment) => token.startsWith(prefixOf(environment)));
  return isEqual && hasPrefix && token.length === tokenLength;
}

/** Returns the digest of a token. The store has only this digest, not the token. */
export const digestOf = (token: string, pepper: string): Buffer =>
  hmac('digest', token.slice(0, 2 * tokenLength), pepper);

/** Returns a text that is the same for the same pepper, and does not reveal it. */
export const fingerprintOf = (pepper: string): string => hmac('pepper', '', pepper).toString('hex').slice(0, 16);

const check = (body: string, pepper: string): string =>
  hmac('check', body, pepper).toString('base64url').slice(0, checkLength);

const hmac = (purpose: string, text: string, pepper: string): Buffer =>
  createHmac('sha256', pepper).update(`${purpose}:${text}`).digest();
