import type { IncomingMessage } from 'node:http';
import { isPromise } from 'node:util/types';
import type { PublicError } from '@lectern/errors';
import { errors } from '@lectern/errors';
import type { Authentication, Environment, KeyRecord, Keys } from '@lectern/keys';
import { KeyStoreUnavailableError } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import type { Awaitable } from '../shared/awaitable';
import { thenMaybe } from '../shared/awaitable';
import type { LimitedSubject, LimitState, RateLimit, RateLimiter } from './rate-limiter';

const authorization = 'authorization';

/**
 * Returns the token of exactly one header `Authorization: Bearer <token>`, with one space. The
 * scheme `Bearer` is case-sensitive. Returns null for anything else. Reads the raw headers (name,
 * value, name, value ...), because node's `request.headers` drops the second of two Authorization
 * headers.
 */
function bearerToken(rawHeaders: readonly string[]): string | null {
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
type AuthenticationResult = Authentication | { readonly kind: 'unavailable' };

type Authenticate = (rawHeaders: readonly string[]) => Awaitable<AuthenticationResult>;

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

export type Admission =
  | {
      readonly kind: 'admitted';
      readonly key: KeyRecord;
      /** The state of the address's limit: its requests left in this minute. */
      readonly address: LimitState;
      /**
       * The state of the key's rate limit: its requests left in this minute. If the limit is
       * exhausted, the request is rejected after its body has been parsed.
       */
      readonly keyRate: LimitState;
      /**
       * The state of the key's quota: its requests left today. Null if the key has no requests left
       * in this minute, because such a request does not count against the quota.
       */
      readonly quota: LimitState | null;
    }
  /** The address has no requests left. */
  | { readonly kind: 'exhausted'; readonly address: LimitState };

interface AdmissionParts {
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
  addressOf: (request: IncomingMessage) => string;
  limits: { readonly address: RateLimit; readonly keyRate: RateLimit; readonly key: RateLimit };
}

/**
 * Creates the function that admits a request by its client address and its API key, and counts the
 * request against the limits of both in one step. The limit of the address is checked first. A
 * request without a valid key counts against the address only.
 * Throws `unauthenticated`, `wrongEnvironment` or `keysUnavailable`.
 */
export function createAdmit({
  authenticate,
  rateLimiter,
  addressOf,
  limits,
}: AdmissionParts): (request: IncomingMessage) => Awaitable<Admission> {
  const admitKey = (subject: LimitedSubject, key: KeyRecord): Awaitable<Admission> =>
    thenMaybe(
      rateLimiter.consume([
        subject,
        { limit: limits.keyRate, subject: key.id, max: key.requestsPerMinute },
        { limit: limits.key, subject: key.id, max: key.requestsPerDay },
      ]),
      ([address, keyRate, quota = null]): Admission =>
        keyRate ? { kind: 'admitted', key, address, keyRate, quota } : { kind: 'exhausted', address },
    );

  /**
   * Counts a request without a valid key against its address, then throws `error`. If the address
   * has no requests left, returns `exhausted` instead.
   */
  const rejectKey = (subject: LimitedSubject, error: PublicError): Awaitable<Admission> =>
    thenMaybe(rateLimiter.consume([subject]), ([address]): Admission => {
      if (address.allowed) throw error;
      return { kind: 'exhausted', address };
    });

  return (request) => {
    const subject: LimitedSubject = { limit: limits.address, subject: addressOf(request) };
    // An address that is known to be exhausted costs no key lookup and no request to Redis.
    const exhausted = rateLimiter.exhausted(subject);
    if (exhausted) return { kind: 'exhausted', address: exhausted };
    return thenMaybe<AuthenticationResult, Admission>(authenticate(request.rawHeaders), (result) => {
      switch (result.kind) {
        case 'caller':
          return admitKey(subject, result.key);
        case 'unknown':
          return rejectKey(subject, errors.unauthenticated());
        case 'other-environment':
          return rejectKey(subject, errors.wrongEnvironment());
        case 'unavailable':
          // The request does not count against the address, because the caller cannot prevent an
          // outage of the key store.
          throw errors.keysUnavailable();
      }
    });
  };
}
