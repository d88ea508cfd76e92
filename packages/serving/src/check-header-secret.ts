import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type HeaderSecretCheck =
  | { readonly kind: 'valid' }
  /** `reason` is for the subgraph's log, and never sent to the caller. */
  | { readonly kind: 'invalid'; readonly reason: 'no header' | 'another header secret' | 'the header was sent twice' };

const valid: HeaderSecretCheck = { kind: 'valid' };
const noHeader: HeaderSecretCheck = { kind: 'invalid', reason: 'no header' };
const anotherSecret: HeaderSecretCheck = { kind: 'invalid', reason: 'another header secret' };
const sentTwice: HeaderSecretCheck = { kind: 'invalid', reason: 'the header was sent twice' };

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Creates the check of a header whose value must be one of these secrets. The header must be sent
 * exactly once. The time of the check does not reveal how much of a secret the value matches.
 */
export function createHeaderSecretCheck({ name, secrets }: { name: string; secrets: readonly string[] }) {
  const header = name.toLowerCase();
  // The digests of all secrets are equally long, which timingSafeEqual requires.
  const digests = secrets.map(digestOf);
  return ({ headersDistinct }: IncomingMessage): HeaderSecretCheck => {
    const [value, ...more] = headersDistinct[header] ?? [];
    if (value === undefined) return noHeader;
    if (more.length > 0) return sentTwice;
    const digest = digestOf(value);
    // Every digest is compared, so that the response time does not reveal which secret matches.
    return digests.filter((expected) => timingSafeEqual(expected, digest)).length > 0 ? valid : anotherSecret;
  };
}
