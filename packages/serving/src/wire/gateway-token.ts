import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { splitList } from '../settings';

/**
 * The length of one time step of the gateway token, in milliseconds.
 *
 * The gateway token proves to a subgraph that a request comes from its gateway. The Authorization header is `Lectern
 * STEP.PROOF`. STEP is the number of steps since 1970. PROOF is an HMAC-SHA256 of the subgraph's name and the step,
 * with a secret that gateway and subgraph share. docs/decisions/0003-short-lived-hmac-gateway-token.md gives the
 * reasons for this form.
 */
const stepMs = 5_000;
const tokenPattern = /^Lectern (\d{1,12})\.([\w-]{43})$/;

/**
 * The maximum number of steps by which a token may differ from the subgraph's clock. If the clocks agree, a captured
 * token is worthless after 15 seconds.
 */
const maxStepsApart = 2;

const stepAt = (time: number): number => Math.floor(time / stepMs);

const proofOf = (secret: string, subgraph: string, step: number): string =>
  createHmac('sha256', secret).update(`${subgraph}.${step}`).digest('base64url');

/** Parses a list of secrets separated by commas. Throws if a secret is shorter than 32 characters. */
export function parseSecrets(name: string, setting: string): readonly string[] {
  const secrets = splitList(setting);
  if (secrets.some((secret) => secret.length < 32))
    throw new Error(`${name} must have at least 32 characters: make one with \`openssl rand -hex 32\`.`);
  return secrets;
}

/** The subgraph's name, and the current time in milliseconds since 1970. */
interface TokenOptions {
  subgraph: string;
  now: () => number;
}

/**
 * Creates the function that returns the Authorization header of the gateway. It computes the header once for each step
 * of five seconds.
 */
export function createGatewayToken({ secret, subgraph, now }: TokenOptions & { secret: string }): () => string {
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

/**
 * Creates the subgraph's check of the Authorization header. The check returns null if the token is valid, else the
 * reason for the log. A token made with any of the secrets is valid, so that a secret can be changed without an outage.
 * Proofs are compared in constant time.
 */
export function createGatewayTokenCheck({ secrets, subgraph, now }: TokenOptions & { secrets: readonly string[] }) {
  /** The expected proofs, by step, for the few steps around the current time. */
  const proofs = new Map<number, readonly Buffer[]>();

  const proofsOf = (step: number): readonly Buffer[] => {
    const known = proofs.get(step);
    if (known) return known;
    if (proofs.size > 2 * maxStepsApart) proofs.clear();
    const computed = secrets.map((secret) => Buffer.from(proofOf(secret, subgraph, step)));
    proofs.set(step, computed);
    return computed;
  };

  return ({ headers }: IncomingMessage): string | null => {
    const [, stepText, proofText] = tokenPattern.exec(headers.authorization ?? '') ?? [];
    if (stepText === undefined || proofText === undefined) return 'no token';
    const step = Number(stepText);
    if (Math.abs(step - stepAt(now())) > maxStepsApart) return 'the clocks differ';
    const proof = Buffer.from(proofText);
    return proofsOf(step).some((expected) => timingSafeEqual(expected, proof)) ? null : 'another secret';
  };
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Creates the check of a header with a secret. The request must have the header exactly once, with one of these
 * secrets.
 */
export function createHeaderSecretCheck({ name, secrets }: { name: string; secrets: readonly string[] }) {
  const header = name.toLowerCase();
  // Digests are compared instead of secrets, because timingSafeEqual requires values of equal length.
  const digests = secrets.map(digestOf);
  return ({ headersDistinct }: IncomingMessage): string | null => {
    const [value, ...more] = headersDistinct[header] ?? [];
    if (value === undefined) return 'no header';
    if (more.length > 0) return 'the header was sent twice';
    const digest = digestOf(value);
    // Every digest is compared, so that the response time does not reveal which secret matches.
    const matches = digests.filter((expected) => timingSafeEqual(expected, digest)).length;
    return matches > 0 ? null : 'another header secret';
  };
}
