import type { RateLimit } from './rate-limiter';

/** How often one may ask; each is a setting, and 0 is no limit. */
export interface RateLimitSettings {
  perMinute: number;
  perDay: number;
  keyRequestsPerHour: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** What is counted: requests of an address and of a key, forms sent, and attempts to sign in as operator. */
export const createRateLimits = ({ perMinute, perDay, keyRequestsPerHour }: RateLimitSettings) =>
  ({
    address: { name: 'address', max: perMinute, seconds: minute },
    key: { name: 'key', max: perDay, seconds: day },
    keyRequest: { name: 'key-request', max: keyRequestsPerHour, seconds: hour },
    // No setting: a password is guessed from one address ten times a quarter of an hour, or 350,000 times a year.
    signIn: { name: 'sign-in', max: 10, seconds: 15 * minute },
  }) satisfies Record<string, RateLimit>;
