import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The gateway token proves to a subgraph that a request comes from its gateway. It is `Lectern
 * STEP.PROOF` in the Authorization header. STEP counts units of five seconds since 1970. PROOF is an
 * HMAC-SHA256 of the subgraph's name and the step under a secret that both sides know.
 * docs/decisions/0003-short-lived-hmac-gateway-token.md gives the reasons for this form.
 */
const stepMs = 5_000;
const tokenPattern = /^Lectern (\d{1,12})\.([\w-]{43})$/;

/**
 * The maximum distance, in steps, of a valid token's step from the current step. It is more than 0
 * because the clocks of two machines may differ. If the clocks agree, a captured token is worthless
 * after at most 15 seconds.
 */
const maxStepsApart = 2;

const minSecretLength = 32;

const stepAt = (time: number): number => Math.floor(time / stepMs);

const proofOf = (secret: string, subgraph: string, step: number): string =>
  createHmac('sha256', secret).update(`${subgraph}.${step}`).digest('base64url');

/** Parses the setting SUBGRAPH_SECRET. Throws as `parseSecrets` does. */
export const parseSubgraphSecrets = (setting: string): readonly string[] => parseSecrets('SUBGRAPH_SECRET', setting);

/**
 * Parses a setting that holds secrets separated by commas. Returns an empty list for an empty text.
 * Throws if a secret is shorter than 32 characters.
 */
export function parseSecrets(name: string, setting: string): readonly string[] {
  const secrets = setting
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
  if (secrets.some((secret) => secret.length < minSecretLength))
    throw new Error(
      `${name} must have at least ${minSecretLength} characters: make one with \`openssl rand -hex 32\`.`,
    );
  return secrets;
}

export interface GatewayTokenOptions {
  secret: string;
  subgraph: string;
  /** Returns the current time in milliseconds since 1970. */
  now: () => number;
}

/**
 * Returns a function that returns the gateway token of the current step, as a value of the
 * Authorization header. The token is computed once per step.
 */
export function createGatewayToken({ secret, subgraph, now }: GatewayTokenOptions): () => string {
  let tokenStep = -1;
  let token = '';
  return () => {
    const step = stepAt(now());
    if (step !== tokenStep) {
      token = `Lectern ${step}.${proofOf(secret, subgraph, step)}`;
      tokenStep = step;
    }
    return token;
  };
}

export type GatewayTokenCheck =
  | { readonly kind: 'valid' }
  /** `reason` is for the subgraph's log, and never sent to the caller. */
  | { readonly kind: 'invalid'; readonly reason: 'no token' | 'another secret' | 'the clocks differ' };

const valid: GatewayTokenCheck = { kind: 'valid' };
const noToken: GatewayTokenCheck = { kind: 'invalid', reason: 'no token' };
const anotherSecret: GatewayTokenCheck = { kind: 'invalid', reason: 'another secret' };
const clocksDiffer: GatewayTokenCheck = { kind: 'invalid', reason: 'the clocks differ' };

export interface GatewayTokenCheckOptions {
  /**
   * The valid secrets. A token made with any of them is valid, so that a secret can be changed
   * without an interruption.
   */
  secrets: readonly string[];
  subgraph: string;
  /** Returns the current time in milliseconds since 1970. */
  now: () => number;
}

/**
 * Creates the subgraph's check of the Authorization header of a request. Each proof is compared in
 * constant time.
 */
export function createGatewayTokenCheck({ secrets, subgraph, now }: GatewayTokenCheckOptions) {
  /** The expected proofs by step, for the few steps around now. */
  const proofs = new Map<number, readonly Buffer[]>();

  const proofsOf = (step: number, currentStep: number): readonly Buffer[] => {
    const known = proofs.get(step);
    if (known) return known;
    for (const old of proofs.keys()) if (Math.abs(old - currentStep) > maxStepsApart) proofs.delete(old);
    const computed = secrets.map((secret) => Buffer.from(proofOf(secret, subgraph, step)));
    proofs.set(step, computed);
    return computed;
  };

  return (authorization: string | undefined): GatewayTokenCheck => {
    const [, stepText, proofText] = tokenPattern.exec(authorization ?? '') ?? [];
    if (stepText === undefined || proofText === undefined) return noToken;
    const step = Number(stepText);
    const currentStep = stepAt(now());
    if (Math.abs(step - currentStep) > maxStepsApart) return clocksDiffer;
    const proof = Buffer.from(proofText);
    return proofsOf(step, currentStep).some((expected) => timingSafeEqual(expected, proof)) ? valid : anotherSecret;
  };
}
