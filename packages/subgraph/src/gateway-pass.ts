import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** How long a pass stays the same. The gateway's `pass.ts` counts in the same steps. */
const stepMs = 15_000;

/** A pass of this many steps before or after ours is still good: the clocks of two machines may be nearly a minute apart. */
const mostStepsApart = 3;

const leastSecretLength = 32;

/** Why a caller is no gateway of ours: for the log, where an operator looks for what to mend. */
export type PassFault = 'no pass' | 'another secret' | 'a clock too far from ours';

export interface PassCheckOptions {
  /** Either is good: two while they are changed. */
  secrets: readonly string[];
  subgraph: string;
  now: () => number;
}

/**
 * Whether `Authorization` holds a pass that a gateway made with one of the secrets, for this subgraph and about now. Null for a good one. What is
 * expected is computed once a step, and compared in constant time (docs/decisions/0003-gateway-token.md).
 */
export function createPassCheck({ secrets, subgraph, now }: PassCheckOptions) {
  const expected = new LRUCache<number, readonly Buffer[]>({
    max: 2 * mostStepsApart + 1,
    memoMethod: (step) =>
      secrets.map((secret) =>
        Buffer.from(createHmac('sha256', secret).update(`${subgraph}.${step}`).digest('base64url')),
      ),
  });

  return (authorization: string | undefined): PassFault | null => {
    const [, stepText, given] = /^Lectern (\d{1,12})\.([\w-]{43})$/.exec(authorization ?? '') ?? [];
    if (stepText === undefined || given === undefined) return 'no pass';
    const step = Number(stepText);
    if (Math.abs(step - Math.floor(now() / stepMs)) > mostStepsApart) return 'a clock too far from ours';
    const proof = Buffer.from(given);
    return expected.memo(step).some((mac) => timingSafeEqual(mac, proof)) ? null : 'another secret';
  };
}

/** The setting SUBGRAPH_SECRET. Throws one line that says what to do where it is none, or is missing where strangers could ask. */
export function readSecrets(
  setting: string,
  { subgraph, host }: { subgraph: string; host: string },
): readonly string[] {
  const secrets = setting
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
  if (secrets.some((secret) => secret.length < leastSecretLength))
    throw new Error(
      `SUBGRAPH_SECRET must have at least ${leastSecretLength} characters: make one with \`openssl rand -hex 32\`.`,
    );
  if (secrets.length === 0 && !isLoopback(host)) {
    throw new Error(
      `The ${subgraph} subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or HOST to 127.0.0.1.`,
    );
  }
  return secrets;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
