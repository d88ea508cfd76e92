import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key works in its own environment alone. Its prefix says which: svc_live_ for production, svc_test_ for development and test. */
export type Environment = 'live' | 'test';

export const environments: readonly Environment[] = ['live', 'test'];

const randomLength = 43;
const checkLength = 6;
const prefixOf = (environment: Environment) => `svc_${environment}_`;

/** The prefix, 43 characters of url-safe base64 (256 random bits), and 6 of an HMAC over both under the deployment's pepper. */
export const tokenLength = prefixOf('test').length + randomLength + checkLength;

export function generateToken(environment: Environment, pepper: string): string {
  const body = prefixOf(environment) + randomBytes(32).toString('base64url');
  return body + check(body, pepper);
}

/**
 * Whether this deployment can have made the token: tells typos and forgeries without a look-up.
 * Does the same work for every text, so that the time taken says nothing.
 */
export function hasValidCheck(token: string, pepper: string): boolean {
  const fixed = token.padEnd(tokenLength).slice(0, tokenLength);
  const body = fixed.slice(0, -checkLength);
  const same = timingSafeEqual(
    Buffer.from(check(body, pepper), 'latin1'),
    Buffer.from(fixed.slice(-checkLength), 'latin1').subarray(0, checkLength),
  );
  return (
    same && token.length === tokenLength && environments.some((environment) => token.startsWith(prefixOf(environment)))
  );
}

/** What is stored in a token's place. */
export const digestOf = (token: string, pepper: string): Buffer =>
  hmac('digest', token.slice(0, 2 * tokenLength), pepper);

const check = (body: string, pepper: string): string =>
  hmac('check', body, pepper).toString('base64url').slice(0, checkLength);

const hmac = (purpose: string, text: string, pepper: string): Buffer =>
  createHmac('sha256', pepper).update(`${purpose}:${text}`).digest();
