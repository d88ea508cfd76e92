import type { IncomingMessage } from 'node:http';
import type { PublicError } from '@lectern/errors';
import { errors } from '@lectern/errors';
import type { KeyRecord } from '@lectern/keys';
import type { Awaitable } from '../awaitable';
import { thenMaybe } from '../awaitable';
import type { Authenticate, AuthenticationResult } from './authenticate';
import type { LimitedSubject, LimitState, RateLimit, RateLimiter } from './rate-limiter';

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

export interface AdmissionParts {
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
