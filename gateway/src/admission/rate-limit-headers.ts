import type { HeaderList } from '@lectern/serving';
import type { Taken } from './rate-limiter';

/** What is left and of how much, as draft-ietf-httpapi-ratelimit-headers-10 writes it: seconds, and the first policy is the day's. */
export function rateHeaders(taken: readonly Taken[]): HeaderList {
  let policy = '';
  let left = '';
  for (const { allowance, most, remaining, secondsLeft } of taken) {
    if (most === Infinity) continue;
    const comma = policy === '' ? '' : ', ';
    policy += `${comma}"${allowance.name}";q=${most};w=${allowance.seconds}`;
    left += `${comma}"${allowance.name}";r=${remaining};t=${secondsLeft}`;
  }
  return policy === '' ? [] : ['RateLimit-Policy', policy, 'RateLimit', left];
}
