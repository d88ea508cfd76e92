import type { ServerResponse } from 'node:http';
import type { Taken } from './rate';

/** What is left and of how much, as draft-ietf-httpapi-ratelimit-headers-10 writes it: seconds, and the first policy is the day's. */
export function setRateHeaders(response: ServerResponse, taken: readonly Taken[]): void {
  const limited = taken.filter(({ most }) => most !== Infinity);
  if (limited.length === 0) return;
  response.setHeader('RateLimit-Policy', limited.map(({ allowance, most }) => `"${allowance.name}";q=${most};w=${allowance.seconds}`).join(', '));
  response.setHeader('RateLimit', limited.map(({ allowance, remaining, secondsLeft }) => `"${allowance.name}";r=${remaining};t=${secondsLeft}`).join(', '));
}
