import { errors } from '@lectern/errors';
import type { Authentication, Environment, KeyRecord, Keys } from '@lectern/keys';
import type { Logger } from '@lectern/serving';

/**
 * The key that a request shows, from its raw headers: name, value, name, value ...
 * Exactly one `Authorization: Bearer <token>`, with one space and in this case; null for anything else. The raw list is
 * read because node's `request.headers` silently keeps the first of two.
 */
export function bearerToken(rawHeaders: readonly string[]): string | null {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return null;
    value = rawHeaders[at + 1];
  }
  return /^Bearer ([\x21-\x7e]+)$/.exec(value ?? '')?.[1] ?? null;
}

export type Authenticate = (rawHeaders: readonly string[]) => Promise<KeyRecord>;

/** Who asks. Throws the one error for every key that is missing, malformed, unknown or revoked, after the same work for each. */
export const createAuth = (keys: Pick<Keys, 'authenticate'>, environment: Environment, log: Logger): Authenticate => async (rawHeaders) => {
  let found: Authentication;
  try {
    found = await keys.authenticate(bearerToken(rawHeaders), environment);
  } catch (error) {
    // Nobody is let in whose key may have been revoked.
    log.error({ err: error }, 'the store of keys does not answer');
    throw errors.keysUnavailable();
  }
  if (found.kind === 'other-environment') throw errors.wrongEnvironment();
  if (found.kind === 'unknown') throw errors.unauthenticated();
  return found.key;
};
