import { createHmac } from 'node:crypto';

/** How long a pass stays the same. `packages/subgraph` counts in the same steps. */
const stepMs = 15_000;

const leastSecretLength = 32;

export interface PassOptions {
  /** SUBGRAPH_SECRET: while secrets are changed, several with commas between. The first is the one to show. Empty: none. */
  secrets: string;
  subgraph: string;
  now: () => number;
}

/**
 * What a gateway shows a subgraph in `Authorization`: proof of the secret, for this subgraph and this quarter of a minute, but never the secret
 * itself (docs/decisions/0003-gateway-token.md). Null without a secret.
 */
export function createPass({ secrets, subgraph, now }: PassOptions): (() => string) | null {
  const [secret = ''] = secrets.split(',').map((each) => each.trim());
  if (secrets.trim() === '') return null;
  if (secret.length < leastSecretLength)
    throw new Error(
      `SUBGRAPH_SECRET must have at least ${leastSecretLength} characters: make one with \`openssl rand -hex 32\`.`,
    );
  let made = -1;
  let pass = '';
  return () => {
    const step = Math.floor(now() / stepMs);
    if (step !== made) {
      pass = `Lectern ${step}.${createHmac('sha256', secret).update(`${subgraph}.${step}`).digest('base64url')}`;
      made = step;
    }
    return pass;
  };
}
