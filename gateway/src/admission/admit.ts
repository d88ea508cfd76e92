import type { IncomingMessage } from 'node:http';
import type { CatalogueError } from '@lectern/errors';
import { errors, isCatalogueError } from '@lectern/errors';
import type { KeyRecord } from '@lectern/keys';
import type { Awaitable } from '../async';
import { thenMaybe } from '../async';
import type { Authenticate } from './authenticate';
import type { LimitedSubject, LimitState, RateLimit, RateLimiter } from './rate-limiter';

export interface Admission {
  readonly key: KeyRecord;
  /** What its address has left of this minute. */
  readonly address: LimitState;
  /** What the key has left of its day; it may be over, which is told only to a request that is otherwise good. */
  readonly quota: LimitState;
}

export interface AdmissionParts {
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
  addressOf: (request: IncomingMessage) => string;
  limits: { readonly address: RateLimit; readonly key: RateLimit };
}

/** An address that has no more requests. `address` is for the headers of the answer. */
export interface Spent {
  readonly spent: LimitState;
}

/**
 * Lets a request in by its address and its key, and counts both in one step. The address is judged first, and counts also when the
 * key is refused. Throws the error of a key that is none.
 */
export function createAdmit({
  authenticate,
  rateLimiter,
  addressOf,
  limits,
}: AdmissionParts): (request: IncomingMessage) => Awaitable<Admission | Spent> {
  const refused = (asker: LimitedSubject, error: CatalogueError): Awaitable<Spent> => {
    // A store of keys that is away is no fault of the caller's.
    if (error.extensions.code === errors.keysUnavailable.code) throw error;
    return thenMaybe(rateLimiter.consume([asker]), ([address]) => {
      if (address.allowed) throw error;
      return { spent: address };
    });
  };

  return (request) => {
    const asker: LimitedSubject = { limit: limits.address, subject: addressOf(request) };
    // Whoever is over is not worth a look at his key, nor a question to a store that is shared.
    const spent = rateLimiter.exhausted(asker);
    if (spent) return { spent };
    return thenMaybe<KeyRecord | CatalogueError, Admission | Spent>(authenticate(request.rawHeaders), (key) => {
      if (isCatalogueError(key)) return refused(asker, key);
      return thenMaybe(
        rateLimiter.consume([asker, { limit: limits.key, subject: key.id, max: key.requestsPerDay }]),
        ([address, quota]) => (quota ? { key, address, quota } : { spent: address }),
      );
    });
  };
}
