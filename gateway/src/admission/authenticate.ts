import { isPromise } from 'node:util/types';
import type { CatalogueError } from '@lectern/errors';
import { errors } from '@lectern/errors';
import type { Authentication, Environment, KeyRecord, Keys } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import type { Awaitable } from '../async';

const authorization = 'authorization';

/**
 * The key that a request shows, from its raw headers: name, value, name, value ...
 * Exactly one `Authorization: Bearer <token>`, with one space and in this case; null for anything else. The raw list is
 * read because node's `request.headers` silently keeps the first of two.
 */
export function bearerToken(rawHeaders: readonly string[]): string | null {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== authorization.length || name.toLowerCase() !== authorization) continue;
    if (value !== undefined) return null;
    value = rawHeaders[at + 1];
  }
  return /^Bearer ([\x21-\x7e]+)$/.exec(value ?? '')?.[1] ?? null;
}

export type Authenticate = (rawHeaders: readonly string[]) => Awaitable<KeyRecord | CatalogueError>;

/** Who asks; the one error for every key that is missing, malformed, unknown or revoked, after the same work for each. */
export const createAuthenticate = (
  keys: Pick<Keys, 'authenticate'>,
  environment: Environment,
  log: Logger,
): Authenticate => {
  const judged = (found: Authentication): KeyRecord | CatalogueError => {
    if (found.kind === 'other-environment') return errors.wrongEnvironment();
    return found.kind === 'unknown' ? errors.unauthenticated() : found.key;
  };
  // Nobody is let in whose key may have been revoked.
  const unavailable = (error: unknown): CatalogueError => {
    log.error({ err: error }, 'the store of keys does not answer');
    return errors.keysUnavailable();
  };
  return (rawHeaders) => {
    try {
      const found = keys.authenticate(bearerToken(rawHeaders), environment);
      return isPromise(found) ? found.then(judged, unavailable) : judged(found);
    } catch (error) {
      return unavailable(error);
    }
  };
};
