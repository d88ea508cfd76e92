import type { RateLimit } from './rate-limiter';

/** The settings of the rate limits. The value 0 means no limit. */
export interface RateLimitSettings {
  /** Requests of one address in a minute. */
  perMinute: number;
  /** Requests of one key in a minute, from all its addresses together. */
  keyPerMinute: number;
  /** Requests of one key in a day. */
  perDay: number;
  /** Requests for a new API key, by the form, of one address in an hour. */
  keyRequestsPerHour: number;
  /** Downloads of offline packages of one address in a minute: 60 by default. */
  offlinePerMinute?: number;
}

export const defaultOfflinePerMinute = 60;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The limits of requests by address and by key, and the count of embedding calls by key. Also the
 * limits of key requests, offline packages and sign-in attempts. Clients see the names `address`,
 * `key-minute` and `key` in headers and errors.
 */
export const createRateLimits = ({
  perMinute,
  keyPerMinute,
  perDay,
  keyRequestsPerHour,
  offlinePerMinute = defaultOfflinePerMinute,
}: RateLimitSettings) =>
  ({
    address: { name: 'address', max: perMinute, seconds: minute },
    keyRate: { name: 'key-minute', max: keyPerMinute, seconds: minute },
    key: { name: 'key', max: perDay, seconds: day },
    // The embedding calls of semantic search are counted for the operator's pages, and are not
    // limited.
    embeddingCalls: { name: 'embedding-calls', max: 0, seconds: day },
    keyRequest: { name: 'key-request', max: keyRequestsPerHour, seconds: hour },
    offline: { name: 'offline', max: offlinePerMinute, seconds: minute },
    // This limit is a constant, not a setting. One address, or one browser in which an operator has
    // signed in, may guess the password 350,000 times a year.
    signIn: { name: 'sign-in', max: 10, seconds: 15 * minute },
  }) satisfies Record<string, RateLimit>;
