import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A key is valid in one environment. The prefix names the environment: svc_live_ for production,
 * svc_test_ for development and test.
 */
export type Environment = 'live' | 'test';

export const environments: readonly Environment[] = ['live', 'test'];

const randomLength = 43;
const checkLength = 6;
const prefixOf = (environment: Environment) => `svc_${environment}_`;

/**
 * The length of a token. A token is its prefix, 43 characters of url-safe base64 (256 random bits),
 * and 6 check characters. The check characters are the start of an HMAC of the rest under the
 * deployment's pepper.
 */
export const tokenLength = prefixOf('test').length + randomLength + checkLength;

export function generateToken(environment: Environment, pepper: string): string {
  const body = prefixOf(environment) + randomBytes(32).toString('base64url');
  return body + check(body, pepper);
}

/**
 * Verifies the check characters of a token. Returns false for typos and forgeries, without a lookup
 * in the store. Does the same work for every text, so that the response time reveals nothing.
 */
export function hasValidCheck(token: string, pepper: string): boolean {
  const padded = token.padEnd(tokenLength).slice(0, tokenLength);
  const body = padded.slice(0, -checkLength);
  const isEqual = timingSafeEqual(
    Buffer.from(check(body, pepper), 'latin1'),
    Buffer.from(padded.slice(-checkLength), 'latin1').subarray(0, checkLength),
  );
  return (
    isEqual &&
    token.length === tokenLength &&
    environments.some((environment) => token.startsWith(prefixOf(environment)))
  );
}

/** Computes the digest that the store has in place of the token. */
export const digestOf = (token: string, pepper: string): Buffer =>
  hmac('digest', token.slice(0, 2 * tokenLength), pepper);

const check = (body: string, pepper: string): string =>
  hmac('check', body, pepper).toString('base64url').slice(0, checkLength);

const hmac = (purpose: string, text: string, pepper: string): Buffer =>
  createHmac('sha256', pepper).update(`${purpose}:${text}`).digest();
