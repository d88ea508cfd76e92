import type { IncomingMessage } from 'node:http';
import type { ConsumeRateLimit } from '@lectern/site';
import type { RateLimit, RateLimiter } from './rate-limiter';

/** Returns a function that counts a request to a page against the limit of a subject or its address. */
export const createConsumePageRateLimit =
  (rateLimiter: RateLimiter, addressOf: (request: IncomingMessage) => string) =>
  (limit: RateLimit): ConsumeRateLimit =>
  async (request, subject = addressOf(request)) => {
    const [{ allowed, secondsLeft }] = await rateLimiter.consume([{ limit, subject }]);
    return { allowed, retryAfterSeconds: secondsLeft };
  };
