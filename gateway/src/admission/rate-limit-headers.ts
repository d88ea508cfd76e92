import type { HeaderList } from '@lectern/serving';
import type { LimitState } from './rate-limiter';

/** What is left and of how much, as draft-ietf-httpapi-ratelimit-headers-10 writes it: seconds, and the first policy is the day's. */
export function rateHeaders(taken: readonly LimitState[]): HeaderList {
  let policy = '';
  let left = '';
  for (const { limit, max, remaining, secondsLeft } of taken) {
    if (max === Infinity) continue;
    const comma = policy === '' ? '' : ', ';
    policy += `${comma}"${limit.name}";q=${max};w=${limit.seconds}`;
    left += `${comma}"${limit.name}";r=${remaining};t=${secondsLeft}`;
  }
  return policy === '' ? [] : ['RateLimit-Policy', policy, 'RateLimit', left];
}
