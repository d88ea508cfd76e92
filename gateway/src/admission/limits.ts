import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import type { Environment, KeyRecord, KeyUsage } from '@lectern/keys';
import type { ConsumeRateLimit, HeaderList } from '@lectern/serving';
import type { GatewayMetrics } from '../metrics';
import type { LimitedSubject, LimitState, RateLimit, RateLimiter } from './rate-limiter';

/** The maximum numbers of requests in a time window. 0 means no limit. */
export interface RateLimitSettings {
  perMinute: number;
  /** Requests of one key in a minute, from all its addresses together. */
  keyPerMinute: number;
  perDay: number;
  /** Forms with which people request an API key, from one address in an hour. */
  keyRequestsPerHour: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Creates the rate limits from the settings. Clients see the names `address`, `key-minute` and `key`. */
export const createRateLimits = ({ perMinute, keyPerMinute, perDay, keyRequestsPerHour }: RateLimitSettings) =>
  ({
    address: { name: 'address', max: perMinute, seconds: minute },
    keyRate: { name: 'key-minute', max: keyPerMinute, seconds: minute },
    key: { name: 'key', max: perDay, seconds: day },
    // Counted for the operator's pages, and not limited.
    embeddingCalls: { name: 'embedding-calls', max: 0, seconds: day },
    keyRequest: { name: 'key-request', max: keyRequestsPerHour, seconds: hour },
    // One address or browser can try at most 350,000 passwords a year.
    signIn: { name: 'sign-in', max: 10, seconds: 15 * minute },
  }) satisfies Record<string, RateLimit>;

/** Creates the limit for downloads of offline packages of one address, if this process has packages. */
export const createOfflineLimit = (maxPerMinute: number): RateLimit => ({
  name: 'offline',
  max: maxPerMinute,
  seconds: minute,
});

/**
 * Returns the limit of an address that the key names, if it is higher than that of all addresses. It has a count of its
 * own, because the address alone is counted before the key is known.
 */
function withOwnLimit(address: LimitedSubject, keyId: string, addresses: string): LimitedSubject {
  const { limit, subject } = address;
  const own = addresses.split(' ').find((each) => each.startsWith(`${subject}=`));
  const max = Number(own?.slice(subject.length + 1));
  return limit.max > 0 && max > limit.max ? { limit, subject: `${subject} ${keyId}`, max } : address;
}

/** Returns the limits of a request with a key, in the order in which they are counted. */
export const limitsWithKey = (
  address: LimitedSubject,
  { id, requestsPerMinute, requestsPerDay, addresses }: KeyRecord,
  { keyRate, key }: ReturnType<typeof createRateLimits>,
): LimitedSubject[] => [
  addresses === null ? address : withOwnLimit(address, id, addresses),
  { limit: keyRate, subject: id, max: requestsPerMinute },
  { limit: key, subject: id, max: requestsPerDay },
];

/** Creates the function with which pages count a request. `subject` is the client's address by default. */
export const createConsumePageRateLimit =
  (
    { rateLimiter, metrics }: { rateLimiter: RateLimiter; metrics: Pick<GatewayMetrics, 'rejection'> },
    addressOf: (request: IncomingMessage) => string,
  ) =>
  (limit: RateLimit): ConsumeRateLimit =>
  async (request, subject = addressOf(request)) => {
    const [{ allowed, secondsLeft }] = await rateLimiter.consume([{ limit, subject }]);
    if (!allowed) metrics.rejection(errors.rateLimited.code, limit.name);
    return { allowed, retryAfterSeconds: secondsLeft };
  };

/** Writes RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10). Times are in seconds. */
export function createRateLimitHeaders(): (states: readonly LimitState[]) => HeaderList {
  // Most keys have the same limits. Reusing the policies saves half of the time.
  let lastStates: readonly LimitState[] = [];
  let policies = '';
  return (states) => {
    if (!haveSamePolicies(states, lastStates)) {
      lastStates = states;
      policies = states
        .filter(({ max }) => max !== Infinity)
        .map(({ limit, max }) => `"${limit.name}";q=${max};w=${limit.seconds}`)
        .join(', ');
    }
    return policies === '' ? [] : ['RateLimit-Policy', policies, 'RateLimit', writeRemainders(states)];
  };
}

const haveSamePolicies = (states: readonly LimitState[], others: readonly LimitState[]): boolean =>
  states.length === others.length &&
  states.every(({ limit, max }, index) => limit === others[index]?.limit && max === others[index].max);

function writeRemainders(states: readonly LimitState[]): string {
  let remainders = '';
  for (const { limit, max, remaining, secondsLeft } of states)
    if (max !== Infinity)
      remainders += `${remainders === '' ? '' : ', '}"${limit.name}";r=${remaining};t=${secondsLeft}`;
  return remainders;
}

interface KeyUsageParts {
  rateLimiter: RateLimiter;
  limits: { readonly key: RateLimit; readonly embeddingCalls: RateLimit };
  environment: Environment;
  isRedisUnavailable: (() => boolean) | null;
}

/** Creates the functions that count embedding calls and read what a key has used in the current UTC day. */
export function createKeyUsage({ rateLimiter, limits, environment, isRedisUnavailable }: KeyUsageParts) {
  return {
    addEmbeddingCalls(keyId: string, calls: number): void {
      rateLimiter.add({ limit: limits.embeddingCalls, subject: keyId }, calls);
    },
    /** Resolves with null for a key of the other environment, whose requests this gateway does not count. */
    async today({ id, environment: keyEnvironment, requestsPerDay }: KeyRecord): Promise<KeyUsage | null> {
      if (keyEnvironment !== environment) return null;
      const max = requestsPerDay ?? limits.key.max;
      const [requests = 0, embeddingCalls = 0] = await rateLimiter.used([
        { limit: limits.key, subject: id },
        { limit: limits.embeddingCalls, subject: id },
      ]);
      return {
        // If the key has no quota, the rate limiter does not count its requests, so their number is unknown.
        requests: max > 0 ? { count: requests, max } : null,
        embeddingCalls,
        isOfOneGateway: isRedisUnavailable?.() ?? false,
      };
    },
  };
}
