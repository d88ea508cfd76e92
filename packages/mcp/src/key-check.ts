import { hash } from 'node:crypto';
import { errors } from '@lectern/errors';
import { LRUCache } from 'lru-cache';

/** What the service says of a key. `unknown`: the service does not respond, or has another error. */
export type KeyVerdict = 'accepted' | 'unauthenticated' | 'wrongEnvironment' | 'unknown';

/** In milliseconds. A revoked key is still rejected at once, because the service checks it at each tool call. */
const verdictMs: Readonly<Record<KeyVerdict, number>> = {
  accepted: 600_000,
  unauthenticated: 10_000,
  wrongEnvironment: 10_000,
  unknown: 5_000,
};
const maxVerdicts = 10_000;

/** How long the check waits for the service, in milliseconds. */
const maxCheckMs = 2_000;

/** Requests of one address in a minute whose key is not accepted. */
const maxFailures = 30;
const failureWindowMs = 60_000;
const maxAddresses = 10_000;

export type CheckedKey =
  | { readonly kind: 'verdict'; readonly verdict: KeyVerdict }
  /** The address has sent too many keys that were not accepted. */
  | { readonly kind: 'exhausted'; readonly retryAfterSeconds: number };

/** Checks a key before a body is read. An accepted key is never limited by wrong ones of its address. */
export function createKeyCheck(url: string) {
  const verdicts = new LRUCache<string, Promise<KeyVerdict>>({ max: maxVerdicts });
  const accepted = new LRUCache<string, true>({ max: maxVerdicts, ttl: verdictMs.accepted });
  const failures = new LRUCache<string, { count: number }>({ max: maxAddresses, ttl: failureWindowMs });

  const verdictOf = async (id: string, key: string): Promise<KeyVerdict> => {
    const known = verdicts.get(id);
    if (known) return known;
    const asked = askService(url, key);
    verdicts.set(id, asked);
    const verdict = await asked;
    verdicts.set(id, asked, { ttl: verdictMs[verdict] });
    if (verdict === 'accepted') accepted.set(id, true);
    return verdict;
  };

  return async (key: string, address: string): Promise<CheckedKey> => {
    const id = hash('sha256', key);
    if (accepted.has(id)) return { kind: 'verdict', verdict: 'accepted' };
    const failed = failures.get(address) ?? { count: 0 };
    if (failed.count === 0) failures.set(address, failed);
    if (failed.count >= maxFailures)
      return {
        kind: 'exhausted',
        retryAfterSeconds: Math.max(1, Math.ceil(failures.getRemainingTTL(address) / 1_000)),
      };
    // Counted before the service responds, so that parallel requests do not exceed the limit.
    failed.count += 1;
    const verdict = await verdictOf(id, key);
    if (verdict === 'accepted') failed.count -= 1;
    return { kind: 'verdict', verdict };
  };
}

export type CheckKey = ReturnType<typeof createKeyCheck>;

/** With GET, the service checks the key, responds 405, and counts nothing against the key's day. */
async function askService(url: string, key: string): Promise<KeyVerdict> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      signal: AbortSignal.timeout(maxCheckMs),
    });
    if (response.status !== 401) {
      await response.body?.cancel();
      return response.status === 405 ? 'accepted' : 'unknown';
    }
    const body = await response.text();
    return body.includes(errors.wrongEnvironment().message) ? 'wrongEnvironment' : 'unauthenticated';
  } catch {
    return 'unknown';
  }
}
