import type { IncomingMessage } from 'node:http';
import type { ConsumeRateLimit } from '@lectern/site';
import type { RateLimit, RateLimiter } from './rate-limiter';

/**
 * Returns a function from a rate limit to the function with which the gateway's HTML pages count a
 * request against this limit. The request counts for `subject`, by default for the client's
 * address.
 */
export const createConsumePageRateLimit =
  (rateLimiter: RateLimiter, addressOf: (request: IncomingMessage) => string) =>
  (limit: RateLimit): ConsumeRateLimit =>
  async (request, subject = addressOf(request)) => {
    const [{ allowed, secondsLeft }] = await rateLimiter.consume([{ limit, subject }]);
    return { allowed, retryAfterSeconds: secondsLeft };
  };
