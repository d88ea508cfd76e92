import { isPromise } from 'node:util/types';
import type { Authentication, Environment, Keys } from '@lectern/keys';
import { KeyStoreUnavailableError } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { Awaitable } from '../awaitable';

const authorization = 'authorization';

/**
 * Returns the token of exactly one header `Authorization: Bearer <token>`, with one space. The
 * scheme `Bearer` is case-sensitive. Returns null for anything else. Reads the raw headers (name,
 * value, name, value ...), because node's `request.headers` drops the second of two Authorization
 * headers.
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

/**
 * The result of looking up a key. `unavailable` means that the lookup failed, for example because
 * the key store does not respond. Keys are not cached, because a cached key may have been revoked.
 */
export type AuthenticationResult = Authentication | { readonly kind: 'unavailable' };

export type Authenticate = (rawHeaders: readonly string[]) => Awaitable<AuthenticationResult>;

const unavailable: AuthenticationResult = { kind: 'unavailable' };

/**
 * Creates the function that looks up the key of a request. A missing, malformed, unknown or revoked
 * key takes the same work and time, so that the time does not tell whether a key exists.
 */
export const createAuthenticate = (
  keys: Pick<Keys, 'authenticate'>,
  environment: Environment,
  log: Logger,
): Authenticate => {
  const outage = createOutageReporter(log, {
    began: 'keys cannot be looked up: requests are rejected with KEYS_UNAVAILABLE',
    ended: 'keys can be looked up again',
  });
  const onResult = (result: Authentication): AuthenticationResult => {
    outage.end();
    return result;
  };
  const onError = (error: unknown): AuthenticationResult => {
    // The key store logs its own outages, because pages use the store too. Only other errors are
    // logged here.
    if (!(error instanceof KeyStoreUnavailableError)) outage.begin(error);
    return unavailable;
  };
  return (rawHeaders) => {
    try {
      const found = keys.authenticate(bearerToken(rawHeaders), environment);
      return isPromise(found) ? found.then(onResult, onError) : onResult(found);
    } catch (error) {
      return onError(error);
    }
  };
};
