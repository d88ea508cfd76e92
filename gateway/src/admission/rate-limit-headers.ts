import type { HeaderList } from '@lectern/serving';
import type { LimitState } from './rate-limiter';

/**
 * Creates the function that returns the headers RateLimit-Policy and RateLimit of
 * draft-ietf-httpapi-ratelimit-headers-10. The policies are in the order of the states, without
 * limits that are turned off. Times are in seconds.
 */
export function createRateLimitHeaders(): (states: readonly LimitState[]) => HeaderList {
  // The last value of RateLimit-Policy is reused, because most keys have the same limits. This
  // saves half of the work, because writing RateLimit-Policy takes as long as writing RateLimit.
  let last: { readonly states: readonly LimitState[]; readonly policies: string } = { states: [], policies: '' };
  return (states) => {
    if (!haveSamePolicies(states, last.states)) last = { states, policies: writePolicies(states) };
    const { policies } = last;
    return policies === '' ? [] : ['RateLimit-Policy', policies, 'RateLimit', writeRemainders(states)];
  };
}

const haveSamePolicies = (states: readonly LimitState[], others: readonly LimitState[]): boolean =>
  states.length === others.length &&
  states.every(({ limit, max }, index) => limit === others[index]?.limit && max === others[index].max);

const writePolicies = (states: readonly LimitState[]): string =>
  states
    .filter(({ max }) => max !== Infinity)
    .map(({ limit, max }) => `"${limit.name}";q=${max};w=${limit.seconds}`)
    .join(', ');

function writeRemainders(states: readonly LimitState[]): string {
  let remainders = '';
  for (const { limit, max, remaining, secondsLeft } of states)
    if (max !== Infinity)
      remainders += `${remainders === '' ? '' : ', '}"${limit.name}";r=${remaining};t=${secondsLeft}`;
  return remainders;
}
