import type { IncomingMessage } from 'node:http';
import { errors, type PublicError } from '@lectern/errors';
import type { Authentication, Environment, KeyRecord, Keys } from '@lectern/keys';
import { KeyStoreUnavailableError } from '@lectern/keys';
import { type createClientAddresses, createOutageReporter, type Logger } from '@lectern/serving';
import { type Awaitable, settleMaybe, thenMaybe } from '../shared/awaitable';
import { type createRateLimits, limitsWithKey } from './limits';
import type { LimitedSubject, LimitState, RateLimiter } from './rate-limiter';

const authorization = 'authorization';

/** Returns the token of the only `Authorization` header, if it is `Bearer <token>` (case-sensitive), else null. */
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

/** Creates the function that looks up a key, or resolves with null. No key is cached: it may be revoked at any time. */
function createAuthenticate(keys: Pick<Keys, 'authenticate'>, environment: Environment, log: Logger) {
  const outage = createOutageReporter(log, {
    began: 'keys cannot be looked up: requests are rejected with KEYS_UNAVAILABLE',
    ended: 'keys can be looked up again',
  });
  const onResult = (result: Authentication): Authentication => {
    outage.end();
    return result;
  };
  const onError = (error: unknown): null => {
    // The key store logs its own outages, because pages use the store too.
    if (!(error instanceof KeyStoreUnavailableError)) outage.begin(error);
    return null;
  };
  return (rawHeaders: readonly string[]): Awaitable<Authentication | null> =>
    settleMaybe(() => keys.authenticate(bearerToken(rawHeaders), environment), onResult, onError);
}

export type Admission =
  | {
      readonly kind: 'admitted';
      readonly key: KeyRecord;
      /** The client's address as the rate limiter counts it: an IPv4 address or an IPv6 /64 network. */
      readonly clientAddress: string;
      readonly address: LimitState;
      /** The state of the key's limit of requests in a minute. If exhausted, the parsed request is rejected. */
      readonly keyRate: LimitState;
      /**
       * The state of the key's limit of requests in a day. Null if `keyRate` is exhausted: then nothing counts here.
       */
      readonly quota: LimitState | null;
    }
  | { readonly kind: 'exhausted'; readonly address: LimitState };

export interface AdmissionParts {
  rateLimiter: RateLimiter;
  rateLimits: ReturnType<typeof createRateLimits>;
  addresses: ReturnType<typeof createClientAddresses>;
}

/**
 * Creates the function that admits a request by its address and its key, and counts it against the limits of both.
 * Without a valid key, it counts against the address only. Throws `unauthenticated`, `wrongEnvironment` or
 * `keysUnavailable`.
 */
export function createAdmit(
  { keys, environment, log }: { keys: Pick<Keys, 'authenticate'>; environment: Environment; log: Logger },
  { rateLimiter, rateLimits, addresses }: AdmissionParts,
): (request: IncomingMessage) => Awaitable<Admission> {
  const authenticate = createAuthenticate(keys, environment, log);

  const admitKey = (subject: LimitedSubject, key: KeyRecord): Awaitable<Admission> =>
    thenMaybe(
      rateLimiter.consume(limitsWithKey(subject, key, rateLimits)),
      ([address, keyRate, quota = null]): Admission =>
        keyRate
          ? { kind: 'admitted', key, clientAddress: subject.subject, address, keyRate, quota }
          : { kind: 'exhausted', address },
    );

  const rejectKey = (subject: LimitedSubject, error: PublicError): Awaitable<Admission> =>
    thenMaybe(rateLimiter.consume([subject]), ([address]): Admission => {
      if (address.allowed) throw error;
      return { kind: 'exhausted', address };
    });

  return (request) => {
    const subject: LimitedSubject = { limit: rateLimits.address, subject: addresses.addressOf(request) };
    // If this process knows that the address is exhausted, the key is not looked up and Redis is not called.
    const exhausted = rateLimiter.exhausted(subject);
    if (exhausted) return { kind: 'exhausted', address: exhausted };
    return thenMaybe<Authentication | null, Admission>(authenticate(request.rawHeaders), (result) => {
      switch (result?.kind) {
        case 'caller':
          return admitKey(subject, result.key);
        case 'unknown':
          return rejectKey(subject, errors.unauthenticated());
        case 'other-environment':
          return rejectKey(subject, errors.wrongEnvironment());
        case undefined:
          // The caller cannot prevent an outage of the key store, so nothing counts against the address.
          throw errors.keysUnavailable();
      }
    });
  };
}
